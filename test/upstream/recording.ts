import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DEFAULT_VERSIONS } from '../../src/core/values/versions';

const FOLDER = path.join(__dirname, '../fixtures/upstream');

/** Folder of longer recordings, compared instead of those of the repository: `RECORDINGS=FOLDER npx jest test/upstream/…`. */
const LONGER = process.env.RECORDINGS;

/** Returns the document of a recording. */
export function readRecording(name: string): unknown {
  const longer = LONGER !== undefined && path.join(LONGER, `${name}.json`);
  const file = longer && existsSync(longer) ? longer : path.join(FOLDER, `${name}.json`);
  // Recordings of more than a few megabytes are compressed.
  return JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : gunzipSync(readFileSync(`${file}.gz`)).toString('utf8'));
}

/** Returns the rows of a recording of upstream's own code; see `oracle/README.md`. */
export function recorded(name: string): readonly unknown[] {
  return (readRecording(name) as { cases: readonly unknown[] }).cases;
}

/** One table of upstream's own tests: its values in our form, with upstream's file. */
export interface UpstreamTable<Row> {
  readonly file?: string;
  /** Number of rows upstream, if the cases do not include all of them. */
  readonly rows?: number;
  readonly cases: readonly Row[];
}

/** Returns the tables of upstream's own tests in a file, by our names for them. */
export function upstreamTables<Rows>(name: string): { readonly [Table in keyof Rows]: UpstreamTable<Rows[Table]> } {
  return (readRecording(name) as { tables: { readonly [Table in keyof Rows]: UpstreamTable<Rows[Table]> } }).tables;
}

/** The versions with which the server's decoder, defaulting, gates and validation were recorded. */
export const RECORDED_VERSIONS = { ...DEFAULT_VERSIONS, kubernetes: '1.34' };
