import { appendMapKey, buildFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { getFieldsAt, groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { WriteMethod, ApplyRejection } from './types';

const ALPHABET = /^[A-Za-z0-9+/]$/;
const NEWLINE = /[\r\n]/;

/** Returns the index of the next character that is not a line break. */
function skipNewlines(text: string, from: number): number {
  let at = from;
  while (at < text.length && NEWLINE.test(text[at]!)) at++;
  return at;
}

/** Returns the index of an error after the first `=` in a group of four, in which `read` characters were read before. */
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

/** Returns the byte at which text stops being base64; undefined if all of it is base64. Source: Go's encoding/base64, `decodeQuantum`. */
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

/** The fields that contain bytes. */
const BYTE_FIELDS: Readonly<Record<string, string>> = { 'v1/Secret': 'data', 'v1/ConfigMap': 'binaryData' };

/** How the error of each method begins if a manifest cannot be decoded. */
const ERROR_PREFIX_BY_METHOD: Readonly<Record<WriteMethod, (object: Manifest) => string>> = {
  client: () => '',
  helm: () => '',
  replace: ({ apiVersion, kind }) => `${kind} in version "${apiVersion}" cannot be handled as a ${kind}: `,
  server: (object) => {
    const type = `${groupOf(object)}/${object.apiVersion}, Kind=${object.kind}`;
    const name = `${namespaceOf(object) ?? 'default'}/${nameOf(object)}; ${type}`;
    return `failed to convert new object (${name}) to proper version: unable to convert unstructured object to ${type}: error decoding from json: `;
  },
};

/** Returns the first field of bytes that is not base64, and the byte of the error. */
export function findInvalidBytes(object: Manifest): { readonly path: FieldPath; readonly byte: number } | undefined {
  const field = BYTE_FIELDS[`${object.apiVersion}/${object.kind}`];
  if (field === undefined) return undefined;
  for (const [key, text] of Object.entries(getFieldsAt(object, field))) {
    const byte = typeof text === 'string' ? findBase64Error(text) : undefined;
    if (byte !== undefined) return { path: appendMapKey(buildFieldPath(field), key), byte };
  }
  return undefined;
}

/** Rejects bytes that are not base64. The message does not contain the bytes. */
export function validateBytes(object: Manifest, method: WriteMethod): ApplyRejection | undefined {
  const invalid = findInvalidBytes(object);
  return invalid && { path: '', message: `${ERROR_PREFIX_BY_METHOD[method](object)}illegal base64 data at input byte ${invalid.byte}` };
}
