import type { TypedInput } from './engine';

/** What a fragment begins with: the form of what follows it. */
const FORM = 'v1.';

/** What a link may unfold to, so that nobody's link can fill the memory of whoever opens it. */
export const MOST_CHARACTERS = 5_000_000;

/** Thrown for a link that holds no input. */
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
      throw new LinkError(`the link unfolds to more than ${most} characters`);
    }
    parts.push(next.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The characters of base64 that an address may hold as they are, each at its place. */
function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}

/** The fragment, without its #, that holds all that was typed. It never leaves the browser: fragments are not sent to servers. */
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
 * What a fragment holds; undefined for an empty one.
 *
 * @throws LinkError for one that was cut or is of another form
 */
export async function inputOf(fragment: string): Promise<TypedInput | undefined> {
  if (fragment === '') return undefined;
  if (!fragment.startsWith(FORM)) throw new LinkError('the link is of a form that this page does not know');
  let value: unknown;
  try {
    const bytes = await through(fromBase64Url(fragment.slice(FORM.length)), new DecompressionStream('deflate-raw'), MOST_CHARACTERS);
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError('the link was cut or changed on its way');
  }
  if (!isTypedInput(value)) throw new LinkError('the link holds no manifests');
  return value;
}
