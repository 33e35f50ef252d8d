import { createHash, scryptSync } from 'node:crypto';
import { isFields } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { containsSecretHolder } from '../../core/manifest/secret-holder';

/** Returns a value with the keys of its maps sorted, so that texts that mean the same have the same JSON. */
function sortMapKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMapKeys);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sortMapKeys(inner)]));
}

function hash(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Computes a digest that takes some 10 ms, so that a short value of a Secret cannot be found in a plan by trying all words. */
function stretch(text: string): Buffer {
  return scryptSync(text, 'rolloutkit plan', 32, { N: 4_096 });
}

/**
 * Computes a digest of objects. Their order, their files, the order of keys, comments and formatting do not matter.
 *
 * @example computeInputDigest(objects); // 'sha256:9f86d0…'
 */
export function computeInputDigest(objects: readonly Manifest[]): string {
  const digests = objects.map((object) => hash(JSON.stringify(sortMapKeys(object)))).toSorted();
  const all = digests.join('\n');
  return `sha256:${hash(objects.some(containsSecretHolder) ? stretch(all) : all)}`;
}
