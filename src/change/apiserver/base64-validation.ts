import { getFieldsAt, groupOf, nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { ApplyMode, ApplyRejection } from './types';

const ALPHABET = /^[A-Za-z0-9+/]$/;
const NEWLINE = /[\r\n]/;

/** Where the next character stands that counts. */
function skipNewlines(text: string, from: number): number {
  let at = from;
  while (at < text.length && NEWLINE.test(text[at]!)) at++;
  return at;
}

/** What follows a first `=` in a group of four, of which `read` characters were read. */
function checkPadding(text: string, at: number, read: number): number | undefined {
  if (read < 2) return at;
  let next = skipNewlines(text, at + 1);
  if (read === 2) {
    if (next >= text.length) return text.length;
    if (text[next] !== '=') return next;
    next = skipNewlines(text, next + 1);
  }
  return next < text.length ? next : undefined;
}

/** The byte at which a text stops being base64; undefined where it is. Source: Go's encoding/base64, `decodeQuantum`. */
export function findBase64Error(text: string): number | undefined {
  let read = 0;
  for (let at = skipNewlines(text, 0); at < text.length; at = skipNewlines(text, at + 1)) {
    const sign = text[at]!;
    if (sign === '=') return checkPadding(text, at, read);
    if (!ALPHABET.test(sign)) return at;
    read = (read + 1) % 4;
  }
  return read === 0 ? undefined : text.length - read;
}

/** The fields that hold bytes. */
const BYTE_FIELDS: Readonly<Record<string, string>> = { 'v1/Secret': 'data', 'v1/ConfigMap': 'binaryData' };

/** How each way to apply says that a manifest can't be decoded. */
const ERROR_PREFIX_BY_MODE: Readonly<Record<ApplyMode, (object: Manifest) => string>> = {
  client: () => '',
  helm: () => '',
  replace: ({ apiVersion, kind }) => `${kind} in version "${apiVersion}" cannot be handled as a ${kind}: `,
  server: (object) => {
    const type = `${groupOf(object)}/${object.apiVersion}, Kind=${object.kind}`;
    const name = `${namespaceOf(object) ?? 'default'}/${nameOf(object)}; ${type}`;
    return `failed to convert new object (${name}) to proper version: unable to convert unstructured object to ${type}: error decoding from json: `;
  },
};

/** Bytes that are not base64; what they are is not part of the words. */
export function validateBytes(object: Manifest, mode: ApplyMode): ApplyRejection | undefined {
  const field = BYTE_FIELDS[`${object.apiVersion}/${object.kind}`];
  if (field === undefined) return undefined;
  const texts = Object.values(getFieldsAt(object, field)).filter((text) => typeof text === 'string');
  const byte = texts.map(findBase64Error).find((problem) => problem !== undefined);
  return byte === undefined
    ? undefined
    : { path: '', message: `${ERROR_PREFIX_BY_MODE[mode](object)}illegal base64 data at input byte ${byte}` };
}
