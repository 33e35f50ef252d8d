import { containsSecretHolder } from '../core/manifest/secret-holder';
import { containsSecretText, containsSecretKind } from '../core/manifest/secret-name';
import { DocumentError, DocumentText } from './yaml';
import type { BrokenChunk, Chunk } from './yaml';

/** Returns the value of a document; undefined if it cannot be read. */
function readValue(documents: DocumentText, chunk: BrokenChunk | Chunk): { readonly value: unknown } | undefined {
  if ('problem' in chunk) return undefined;
  try {
    return { value: documents.valueOf(chunk).value };
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** Reports whether one of the documents in a text contains a Secret, or cannot be read although `mayBeOne` says that it may contain one. */
function containsDocument(text: string, mayBeOne: boolean): boolean {
  const documents = new DocumentText(text);
  for (const chunk of documents.chunks()) {
    const read = readValue(documents, chunk);
    if (read ? containsSecretHolder(read.value) : mayBeOne) return true;
  }
  return false;
}

/** Reports whether documents contain a Secret, whichever way its kind is written. One that cannot be read may contain one. */
export function containsSecretDocument(text: string): boolean {
  return containsSecretText(text) || containsDocument(text, true);
}

/** The name of a kind, or a line that an escape continues, such as in the name of a kind. */
const KIND_PATTERN = /kind|\\\r?\n/i;

/** Reports whether a text in a field contains a secret. One that is no YAML may be of a template, so it contains a Secret only if it has a kind. */
export function containsSecretInText(text: string): boolean {
  if (containsSecretText(text)) return true;
  // A text without a colon is no map.
  return text.includes(':') && containsDocument(text, KIND_PATTERN.test(text));
}

/** What may hide the name of a kind: an escape, a tag, or a template. */
const HIDDEN_NAME = /[\\!]|\{\{|\$\{/;

/** Reports whether a text is or contains the manifest of a Secret. Settings with a password are none. */
export function containsSecretManifest(text: string): boolean {
  return containsSecretKind(text) || (text.includes(':') && HIDDEN_NAME.test(text) && containsDocument(text, false));
}
