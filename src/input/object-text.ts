import { fileTextOf, isNotUtf8 } from './file-content';
import type { FileContent } from './file-content';

/** A text without the names of these fields contains no object. YAML can also write a name with an escape, over several lines, or in base64. */
const OBJECT_TEXT = /kind|\\[xuU\r\n\u0085\u2028\u2029]|!/;

/** Reports whether a file may contain an object. Bytes that are not UTF-8 may be UTF-16. */
export function mayContainObject(content: FileContent): boolean {
  return isNotUtf8(content) || OBJECT_TEXT.test(fileTextOf(content));
}
