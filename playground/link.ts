import type { TypedInput } from './engine';

/** Prefix of a fragment: the version of its format. */
const FORM = 'v1.';

/** Largest decompressed length of a link, so that a malicious link can't exhaust the memory of a browser. */
export const MOST_CHARACTERS = 5_000_000;

/** Thrown for a link without valid input. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  by: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(by).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > most) {
      await reader.cancel();
      throw new LinkError(`the link decompresses to more than ${most} characters`);
    }
    parts.push(next.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Encodes bytes as base64 with characters that a URL may contain. */
function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}

/** Returns the fragment, without its #, with the entire input. It never leaves the browser: fragments are not sent to servers. */
export async function fragmentOf(input: TypedInput): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(input));
  return FORM + toBase64Url(await through(bytes, new CompressionStream('deflate-raw'), Infinity));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function areFiles(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((file) => isRecord(file) && typeof file.name === 'string' && typeof file.text === 'string')
  );
}

function isTypedInput(value: unknown): value is TypedInput {
  return (
    isRecord(value) &&
    areFiles(value.files) &&
    (value.from === undefined || areFiles(value.from)) &&
    (value.options === undefined || isRecord(value.options))
  );
}

/**
 * Returns the input in a fragment, or undefined for an empty one.
 *
 * @throws LinkError for one that is truncated or has another format
 */
export async function inputOf(fragment: string): Promise<TypedInput | undefined> {
  if (fragment === '') return undefined;
  if (!fragment.startsWith(FORM)) throw new LinkError('the link has a format that this page does not support');
  let value: unknown;
  try {
    const bytes = await through(fromBase64Url(fragment.slice(FORM.length)), new DecompressionStream('deflate-raw'), MOST_CHARACTERS);
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError('the link is truncated or damaged');
  }
  if (!isTypedInput(value)) throw new LinkError('the link has no manifests');
  return value;
}
