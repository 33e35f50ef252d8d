import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(__dirname, '../fixtures/upstream');

/** A longer run of some recordings, which are held instead of those of the tree: `RECORDINGS=FOLDER npx jest test/upstream/…`. */
const LONGER = process.env.RECORDINGS;

function read(name: string): unknown {
  const longer = LONGER !== undefined && path.join(LONGER, `${name}.json`);
  return JSON.parse(readFileSync(longer && existsSync(longer) ? longer : path.join(FOLDER, `${name}.json`), 'utf8'));
}

/** The rows of a recording of upstream's own code; `oracle/README.md` says how they were made. */
export function recorded(name: string): readonly unknown[] {
  return (read(name) as { cases: readonly unknown[] }).cases;
}

/** One table of upstream's own tests: its figures in our form, with upstream's file. */
export interface UpstreamTable<Row> {
  readonly file?: string;
  /** How many rows the table has upstream, where not each is among the cases. */
  readonly rows?: number;
  readonly cases: readonly Row[];
}

/** The tables of a file of figures out of upstream's own tests, by our names for them. */
export function upstreamTables<Rows>(name: string): { readonly [Table in keyof Rows]: UpstreamTable<Rows[Table]> } {
  return (read(name) as { tables: { readonly [Table in keyof Rows]: UpstreamTable<Rows[Table]> } }).tables;
}
