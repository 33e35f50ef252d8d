const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of a text in UTF-8: 2 of `é`. */
export function countUtf8Bytes(text: string): number {
  return ENCODER.encode(text).length;
}

/** The UTF-8 bytes of a text in base64: `aMOp` of `hé`. */
export function encodeBase64(text: string): string {
  let bytes = '';
  for (const byte of ENCODER.encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

/** The text whose UTF-8 bytes some base64 holds; bytes that are no UTF-8 become U+FFFD. */
export function decodeBase64(digits: string): string {
  return DECODER.decode(Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)));
}
