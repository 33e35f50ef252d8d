/* Replaces node:buffer in a browser. Input is already text there, so these functions are rarely called and may be slow. */

/** The only function of Node's class that text needs. */
export const Buffer = {
  byteLength: (content: Uint8Array | string): number =>
    typeof content === 'string' ? new TextEncoder().encode(content).length : content.length,
};

export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
