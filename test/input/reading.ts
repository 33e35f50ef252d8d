import type { FindingData } from '../../src/core/findings/finding';
import { readFiles } from '../../src/input/read';
import type { InputObjects } from '../../src/input/read';

/** Reads a text as the file `app.yaml`. */
export function readText(text: string | Uint8Array): InputObjects {
  return readFiles([{ file: 'app.yaml', content: text }]);
}

/** Returns the objects of a text without their apiVersion. */
export function objectsIn(text: string | Uint8Array): unknown[] {
  return readText(text).objects.map((object) => Object.fromEntries(Object.entries(object).filter(([field]) => field !== 'apiVersion')));
}

/** Returns the problems of a text: location, message and data. */
export function problemsIn(text: string | Uint8Array): [location: string, messageId: string, data: FindingData][] {
  return readText(text).findings.map(({ source, messageId, data }) => [`${source!.line}:${source!.column ?? '-'}`, messageId, data]);
}
