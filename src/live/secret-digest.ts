import { scryptSync } from 'node:crypto';
import { checkTimeNow } from '../core/budget/deadline';
import { getFieldsAt, groupOf, isFields, nameOf } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { isEncodedFile, isSecretHolder } from '../core/manifest/secret-holder';
import { parseLimitedJson } from '../core/values/levels';
import { containsSecretManifest } from '../input/secret-documents';

/** Reports whether an object is a Secret of the core group. */
function isSecret(object: Manifest): boolean {
  return object.kind === 'Secret' && groupOf(object) === '';
}

/** Reports whether a value is base64. Go skips line breaks, also within the padding. */
function isBase64(value: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(value.replaceAll(/\s/g, ''));
}

/**
 * Computes the digest of a value. It is slow to compute and differs for each key, so that a short value cannot be found by trying all
 * words.
 */
function computeDigest(value: Buffer, salt: string): string {
  checkTimeNow();
  return scryptSync(value, `rolloutkit ${salt}`, 32, { N: 1024 }).toString('hex');
}

/** Replaces each value with its digest, in the encoding of the value, so that `stringData` and `data` still compare equal. */
function hashEach(values: Fields, encoding: 'base64' | 'utf8', secret: string): [string, unknown][] {
  return Object.entries(values).map(([key, value]) => {
    // The API server refuses any other value, and a plan must still see why.
    if (typeof value !== 'string' || (encoding === 'base64' && !isBase64(value))) return [key, value];
    const digest = computeDigest(Buffer.from(value, encoding), `${secret}/${key}`);
    return [key, encoding === 'base64' ? Buffer.from(digest).toString('base64') : digest];
  });
}

/** Annotation in which kubectl stores the manifest that it applied. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Annotations that a tool or the API server reads, and whose values it defines. Any other one may repeat a value, in any encoding. */
const KEPT_ANNOTATION =
  /^(?:(?:meta\.)?helm\.sh|argocd\.argoproj\.io|(?:kustomize|helm)\.toolkit\.fluxcd\.io|reloader\.stakater\.com|pulumi\.com)\/|^(?:config\.kubernetes\.io\/local-config|flagger\.app\/config-tracking|kubernetes\.io\/service-account\.(?:name|uid)|objectset\.rio\.cattle\.io\/(?:id|hash)|rolloutkit\/ignore)$/;

function parseFields(text: unknown): Fields | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const parsed: unknown = parseLimitedJson(text);
    return isFields(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the fields of a map that have these names. */
function pickFields(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

/** Drops the values that the API server refuses. */
function dropRefused(values: unknown, isValid: (value: string) => boolean): unknown {
  if (!isFields(values)) return undefined;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string' && isValid(value)));
}

/** Digests the values in the manifest that kubectl stored, and drops what no Secret has: it decides which keys an apply removes. */
function hashLastApplied(annotation: unknown): string | undefined {
  const manifest = parseFields(annotation);
  if (!manifest) return undefined;
  const metadata = pickFields(getFieldsAt(manifest, 'metadata'), ['name', 'namespace', 'labels', 'annotations', 'finalizers']);
  const secret = {
    ...pickFields(manifest, ['apiVersion', 'kind', 'type', 'immutable']),
    metadata: { ...metadata, annotations: dropRefused(metadata.annotations, () => true) },
    data: dropRefused(manifest.data, isBase64),
    stringData: dropRefused(manifest.stringData, () => true),
  };
  return JSON.stringify(hashSecretValues(secret as unknown as Manifest));
}

/** Replaces the values of annotations with digests, except those that a tool defines. */
function hashAnnotations(secret: Manifest): Fields {
  const hashed = Object.entries(getFieldsAt(secret, 'metadata', 'annotations')).map(([key, value]): [string, unknown] => {
    if (key === LAST_APPLIED) return [key, hashLastApplied(value)];
    if (KEPT_ANNOTATION.test(key) || typeof value !== 'string') return [key, value];
    return [key, computeDigest(Buffer.from(value), `${nameOf(secret)}/metadata.annotations/${key}`)];
  });
  return Object.fromEntries(hashed.filter(([, value]) => value !== undefined));
}

/**
 * Replaces each value of a Secret with its digest, and each annotation that may repeat one. Equal values of one key have equal digests.
 */
function hashSecretValues(secret: Manifest): Manifest {
  const { data, stringData } = secret as unknown as Fields;
  const name = nameOf(secret);
  const metadata = getFieldsAt(secret, 'metadata');
  return {
    ...secret,
    ...(isFields(metadata.annotations) && { metadata: { ...metadata, annotations: hashAnnotations(secret) } }),
    ...(isFields(data) && { data: Object.fromEntries(hashEach(data, 'base64', name)) }),
    ...(isFields(stringData) && { stringData: Object.fromEntries(hashEach(stringData, 'utf8', name)) }),
  } as Manifest;
}

/** Returns a value with other inner values; the same value if none of them differs. */
function mapInner(value: unknown, change: (inner: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => change(item, ''));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, change(inner, name)] as const);
  return entries.some(([name, inner]) => inner !== value[name]) ? Object.fromEntries(entries) : value;
}

/** Replaces a value inside of another object. Its digest does not depend on the object, since that of a pod is compared with that of its template. */
function hashInnerValue(value: unknown, key: string): unknown {
  if (value === null || value === '') return value;
  return computeDigest(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), key);
}

/** Reports whether a field has the values of a Secret, or an encoded file. */
function holdsValues(fields: Fields, name: string, isHolder: boolean): boolean {
  if (name === 'content' && isEncodedFile(fields)) return true;
  return (name === 'stringData' || (name === 'data' && isHolder)) && !Array.isArray(fields[name]);
}

/** Replaces the values of Secrets in the manifest that kubectl stored in an annotation. */
function hashInnerJson(text: unknown): unknown {
  const manifest = parseFields(text);
  if (!manifest) return hashInner(text);
  const hashed = hashInner(manifest);
  return hashed === manifest ? text : JSON.stringify(hashed);
}

/** @param isHeld - whether the value is part of a Secret, or of the template of one */
function hashInner(value: unknown, isHeld = false): unknown {
  if (typeof value === 'string') return containsSecretManifest(value) ? hashInnerValue(value, '') : value;
  const isHolder = isHeld || (isFields(value) && isSecretHolder(value));
  return mapInner(value, (inner, name) => {
    if (name === LAST_APPLIED) return hashInnerJson(inner);
    if (!isFields(value) || !holdsValues(value, name, isHolder)) return hashInner(inner, isHolder);
    return isFields(inner) ? mapInner(inner, hashInnerValue) : hashInnerValue(inner, name);
  });
}

/**
 * Replaces the values of Secrets in an object with digests: of the object itself, and of those inside of it, such as in a ManifestWork. A text
 * with the manifest of a Secret is replaced completely. An object without a Secret stays the same.
 */
export function hashSecrets(object: Manifest): Manifest {
  return isSecret(object) ? hashSecretValues(object) : (hashInner(object) as Manifest);
}

/** Does the same for an object of a cluster. A value of a Secret that no API server stores is dropped, since it has no digest. */
export function hashStoredSecrets(object: Manifest): Manifest {
  if (!isSecret(object)) return hashSecrets(object);
  const { data, stringData } = object as unknown as Fields;
  const kept = {
    ...(data !== undefined && { data: dropRefused(data, isBase64) }),
    ...(stringData !== undefined && { stringData: dropRefused(stringData, () => true) }),
  };
  return hashSecrets({ ...object, ...kept });
}
