import { isFields } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { DocumentText } from './yaml';

/** Returns the first map of a YAML text; undefined if there is none, or if it cannot be read. */
export function readFirstMap(text: string): Fields | undefined {
  try {
    const documents = new DocumentText(text);
    for (const chunk of documents.chunks()) {
      const value = 'problem' in chunk ? undefined : documents.valueOf(chunk).value;
      if (isFields(value)) return value;
    }
  } catch {
    // The problem is reported when the file itself is read.
  }
  return undefined;
}
