const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** Counts the UTF-8 bytes of a text: 2 for `é`. */
export function countUtf8Bytes(text: string): number {
  return ENCODER.encode(text).length;
}

/** Encodes the UTF-8 bytes of a text in base64: `aMOp` for `hé`. */
export function encodeBase64(text: string): string {
  let bytes = '';
  for (const byte of ENCODER.encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

/** A character of several bytes in UTF-8, or else a single byte that is part of none. A byte is the character of its number. */
const NON_ASCII =
  /([\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})|[\x80-\xff]/g;
const REPLACEMENT = '\xef\xbf\xbd';

/**
 * Decodes base64 to the text of its UTF-8 bytes. Like Go, it replaces each byte that is part of no character with U+FFFD: a browser writes
 * one for the three bytes `f0 9f 98`, and Go three.
 */
export function decodeBase64(digits: string): string {
  const bytes = atob(digits).replaceAll(NON_ASCII, (_, character?: string) => character ?? REPLACEMENT);
  return DECODER.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}
