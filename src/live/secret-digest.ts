import { scryptSync } from 'node:crypto';
import { getFieldsAt, groupOf, isFields, nameOf } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';

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

/** Annotations that may repeat the values. */
const ANNOTATIONS_WITH_VALUES = ['kubectl.kubernetes.io/last-applied-configuration', 'objectset.rio.cattle.io/applied'];

/** Digests the values in the manifest that kubectl stored: it decides which keys an apply removes. */
function hashLastApplied(annotation: unknown): string | undefined {
  if (typeof annotation !== 'string') return undefined;
  try {
    const manifest: unknown = JSON.parse(annotation);
    if (!isFields(manifest)) return undefined;
    return JSON.stringify(hashSecretValues(manifest as unknown as Manifest));
  } catch {
    return undefined;
  }
}

/** Replaces each value of a Secret with its digest. Equal values of one key have equal digests. */
export function hashSecretValues(secret: Manifest): Manifest {
  const { data, stringData } = secret as unknown as Fields;
  const name = nameOf(secret);
  const metadata = getFieldsAt(secret, 'metadata');
  const [lastApplied, ...others] = ANNOTATIONS_WITH_VALUES;
  const annotations = Object.entries(getFieldsAt(metadata, 'annotations')).flatMap(([key, value]): [string, unknown][] => {
    if (others.includes(key)) return [];
    if (key !== lastApplied) return [[key, value]];
    const digested = hashLastApplied(value);
    return digested === undefined ? [] : [[key, digested]];
  });
  return {
    ...secret,
    ...(isFields(metadata.annotations) && { metadata: { ...metadata, annotations: Object.fromEntries(annotations) } }),
    ...(isFields(data) && { data: Object.fromEntries(hashEach(data, 'base64', name)) }),
    ...(isFields(stringData) && { stringData: Object.fromEntries(hashEach(stringData, 'utf8', name)) }),
  } as Manifest;
}
