import { DeadlineError } from '../core/budget/deadline';
import { isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { DocumentText, WITHIN_TIME } from './yaml';

/** Returns the first map of a YAML text; undefined if there is none, or if it cannot be read. */
export function readFirstMap(text: string): Fields | undefined {
  try {
    const documents = new DocumentText(text, WITHIN_TIME);
    for (const chunk of documents.chunks()) {
      const value = 'problem' in chunk ? undefined : documents.valueOf(chunk).value;
      if (isFields(value)) return value;
    }
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    // Any other problem is reported when the file itself is read.
  }
  return undefined;
}

/**
 * Returns the first value of a YAML text if every program reads it as the same map: an empty one if there is no value, undefined if it is no map,
 * cannot be read, or has a key twice.
 */
export function readPlainMap(text: string): Fields | undefined {
  try {
    const documents = new DocumentText(text, WITHIN_TIME);
    for (const chunk of documents.chunks()) {
      if ('problem' in chunk) return undefined;
      const { value, duplicateKeys } = documents.valueOf(chunk);
      if (duplicateKeys.length > 0) return undefined;
      if (value !== null) return isFields(value) ? value : undefined;
    }
    return {};
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    return undefined;
  }
}

/** What begins or ends a document, also in a text that other line breaks of YAML 1.1 divide. */
const DOCUMENT_MARK = /(?:^|[\r\n\u0085\u2028\u2029])(?:---|\.\.\.)/;

/** A line with content. */
const CONTENT_LINE = /(?:^|[\r\n\u0085\u2028\u2029])[ \t\ufeff]*[^\s#\ufeff\u0085]/;

/**
 * Reports whether a text has one document, which is then the one that programs in Go read. They read only the first, also if it is empty: after
 * `---`, `---` and `resources: [web.yaml]`, Flux builds a kustomization without resources.
 */
export function isSingleDocument(text: string): boolean {
  const [before, ...parts] = text.split(DOCUMENT_MARK).map((part) => CONTENT_LINE.test(part));
  const documents = before ? [before, ...parts] : parts;
  return documents.indexOf(true) <= 0 && documents.lastIndexOf(true) <= 0;
}
