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

/** Decodes base64 to the text of its UTF-8 bytes; invalid bytes become U+FFFD. */
export function decodeBase64(digits: string): string {
  return DECODER.decode(Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)));
}
