import { isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
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

/**
 * Returns the first value of a YAML text if every program reads it as the same map: an empty one if there is no value, undefined if it is no map,
 * cannot be read, or has a key twice.
 */
export function readPlainMap(text: string): Fields | undefined {
  try {
    const documents = new DocumentText(text);
    for (const chunk of documents.chunks()) {
      if ('problem' in chunk) return undefined;
      const { value, duplicateKeys } = documents.valueOf(chunk);
      if (duplicateKeys.length > 0) return undefined;
      if (value !== null) return isFields(value) ? value : undefined;
    }
    return {};
  } catch {
    return undefined;
  }
}
