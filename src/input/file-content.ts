// Imported although it is a global of Node.js: a browser has none, and the playground replaces the module.
import { Buffer, isUtf8 } from 'node:buffer';

/** The content of a file: its bytes, or text that a program provides. */
export type FileContent = Uint8Array | string;

function toBuffer(content: Uint8Array): Buffer {
  return Buffer.from(content.buffer, content.byteOffset, content.length);
}

/** Returns UTF-8 bytes as text, so that the bytes can be freed. Returns other bytes as they are. */
export function decodeUtf8(bytes: Buffer): FileContent {
  return isUtf8(bytes) ? bytes.toString() : bytes;
}

/** Reports whether the bytes of a file are not UTF-8. */
export function isNotUtf8(content: FileContent): content is Uint8Array {
  return content instanceof Uint8Array && !isUtf8(content);
}

/** Returns the number of bytes of a file. */
export function fileSizeOf(content: FileContent): number {
  return Buffer.byteLength(content);
}

/** Returns the bytes of a file. */
export function fileBytesOf(content: FileContent): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : toBuffer(content);
}

/** Returns the text of a file without its byte order mark. */
export function fileTextOf(content: FileContent): string {
  const text = typeof content === 'string' ? content : toBuffer(content).toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Reports whether a file contains an ASCII word. */
export function includesWord(content: FileContent, word: string): boolean {
  return typeof content === 'string' ? content.includes(word) : toBuffer(content).includes(word);
}
