import { containsSecretHolder } from '../core/manifest/secret-holder';
import { containsSecretText } from '../core/manifest/secret-name';
import { DocumentError, DocumentText } from './yaml';
import type { Chunk } from './yaml';

function isSecretDocument(documents: DocumentText, chunk: Chunk): boolean {
  try {
    return containsSecretHolder(documents.valueOf(chunk).value);
  } catch (error) {
    if (error instanceof DocumentError) return true;
    throw error;
  }
}

/** Reports whether documents contain a Secret, whichever way its kind is written. One that cannot be read may contain one. */
export function containsSecretDocument(text: string): boolean {
  if (containsSecretText(text)) return true;
  const documents = new DocumentText(text);
  for (const chunk of documents.chunks()) if ('problem' in chunk || isSecretDocument(documents, chunk)) return true;
  return false;
}
