import { readFiles } from '../../src/input/read';
import type { ReadInput } from '../../src/input/read';

/** Reads one text as the file `app.yaml`. */
export function readText(text: string | Uint8Array): ReadInput {
  return readFiles([{ file: 'app.yaml', content: text }]);
}

/** The objects of a text without their apiVersion. */
export function objectsIn(text: string | Uint8Array): unknown[] {
  return readText(text).objects.map((object) => Object.fromEntries(Object.entries(object).filter(([field]) => field !== 'apiVersion')));
}

/** What could not be read, as `line:column message`. */
export function problemsIn(text: string | Uint8Array): string[] {
  return readText(text).findings.map(({ source, message }) => `${source!.line}:${source!.column ?? '-'} ${message}`);
}
