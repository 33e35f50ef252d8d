import { scryptSync } from 'node:crypto';
import { getFieldsAt, groupOf, isFields, nameOf } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';

/** Reports whether an object is a Secret of the core group. */
export function isSecret(object: Manifest): boolean {
  return object.kind === 'Secret' && groupOf(object) === '';
}

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}$/;

/**
 * Computes the digest of a value. It is slow to compute and differs for each key, so that a short value cannot be found by trying all
 * words.
 */
function computeDigest(value: Buffer, salt: string): string {
  return scryptSync(value, `rolloutkit ${salt}`, 32, { N: 1024 }).toString('hex');
}

/** Replaces each value with its digest, in the encoding of the value, so that `stringData` and `data` still compare equal. */
function hashEach(values: Fields, encoding: 'base64' | 'utf8', secret: string): [string, unknown][] {
  return Object.entries(values).map(([key, value]) => {
    // The API server refuses any other value, and a plan must still see why.
    if (typeof value !== 'string' || (encoding === 'base64' && !BASE64.test(value.trimEnd()))) return [key, value];
    const digest = computeDigest(Buffer.from(value, encoding), `${secret}/${key}`);
    return [key, encoding === 'base64' ? Buffer.from(digest).toString('base64') : digest];
  });
}

/** Annotation in which kubectl stores the manifest that it applied. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Annotations in which other tools store what they applied, not always as text. */
const STORED_BY_TOOLS: ReadonlySet<string> = new Set(['kapp.k14s.io/original', 'objectset.rio.cattle.io/applied']);

function parseFields(text: unknown): Fields | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return isFields(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Digests the values in the manifest that kubectl stored: it decides which keys an apply removes. */
function hashLastApplied(annotation: unknown, values: readonly string[]): string | undefined {
  const manifest = parseFields(annotation);
  return manifest && JSON.stringify(hashValues(manifest as unknown as Manifest, values));
}

/** Length from which a text in an annotation counts as a value of the Secret. Shorter values are parts of many words, and count alone. */
const MIN_VALUE_LENGTH = 4;

/** Returns a text as it is in JSON, without its quotes. */
function escapeForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Lists the values of a Secret as text, in base64 and decoded. */
function listValues(secret: Manifest): string[] {
  const { data, stringData } = secret as unknown as Fields;
  const encoded = Object.values(isFields(data) ? data : {}).filter((value) => typeof value === 'string');
  const plain = Object.values(isFields(stringData) ? stringData : {}).filter((value) => typeof value === 'string');
  return [
    ...encoded.flatMap((value) => [value, Buffer.from(value, 'base64').toString('utf8')]),
    ...plain.flatMap((value) => [value, Buffer.from(value).toString('base64')]),
  ].flatMap((value) => {
    // A tool may leave out the line break at the end, and write the value into JSON, or into a text in JSON.
    const text = value.trim();
    const escaped = escapeForJson(text);
    return text === '' ? [] : [...new Set([text, escaped, escapeForJson(escaped)])];
  });
}

/** Reports whether an annotation repeats values of a Secret: those of now, or a manifest with those of another time. */
function repeatsValues(annotation: unknown, values: readonly string[]): boolean {
  if (typeof annotation !== 'string') return false;
  const stored = parseFields(annotation);
  return (
    stored?.data !== undefined ||
    stored?.stringData !== undefined ||
    values.some((value) => (value.length < MIN_VALUE_LENGTH ? annotation.trim() === value : annotation.includes(value)))
  );
}

/** Returns the annotations without values: that of kubectl with digests, and without others that repeat a value. */
function hashAnnotations(secret: Manifest, values: readonly string[]): Fields {
  const kept = Object.entries(getFieldsAt(secret, 'metadata', 'annotations')).flatMap(([key, value]): [string, unknown][] => {
    if (key === LAST_APPLIED) {
      const digested = hashLastApplied(value, values);
      return digested === undefined ? [] : [[key, digested]];
    }
    return STORED_BY_TOOLS.has(key) || repeatsValues(value, values) ? [] : [[key, value]];
  });
  return Object.fromEntries(kept);
}

/** @param values - texts that no annotation may repeat */
function hashValues(secret: Manifest, values: readonly string[]): Manifest {
  const { data, stringData } = secret as unknown as Fields;
  const name = nameOf(secret);
  const metadata = getFieldsAt(secret, 'metadata');
  return {
    ...secret,
    ...(isFields(metadata.annotations) && { metadata: { ...metadata, annotations: hashAnnotations(secret, values) } }),
    ...(isFields(data) && { data: Object.fromEntries(hashEach(data, 'base64', name)) }),
    ...(isFields(stringData) && { stringData: Object.fromEntries(hashEach(stringData, 'utf8', name)) }),
  } as Manifest;
}

/** Replaces each value of a Secret with its digest. Equal values of one key have equal digests. */
export function hashSecretValues(secret: Manifest): Manifest {
  const lastApplied = parseFields(getFieldsAt(secret, 'metadata', 'annotations')[LAST_APPLIED]);
  return hashValues(secret, [...listValues(secret), ...(lastApplied ? listValues(lastApplied as unknown as Manifest) : [])]);
}
