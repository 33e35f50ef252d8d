import { isDeepEqual } from '../../core/deep-equal';
import { isFields, getOwnValue } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';

function mergeServerValue(written: unknown, expected: unknown, result: unknown): unknown {
  if (result === expected || isDeepEqual(result, expected)) return written;
  if (!isFields(result) || !isFields(expected) || !isFields(written)) return result;
  const keys = [...new Set([...Object.keys(written), ...Object.keys(result)])];
  const values = keys.map(
    (key) => [key, mergeServerValue(getOwnValue(written, key), getOwnValue(expected, key), getOwnValue(result, key))] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/**
 * Returns NEW's manifest with the fields that the apply kept from the live object.
 * Values that would result from the manifest by itself stay as written, so that a default is not mistaken for a requested value.
 *
 * @param storedManifest - the stored form of the manifest by itself
 * @param result - what the server stores after the apply
 */
export function mergeServerFields(manifest: Manifest, storedManifest: Manifest, result: Manifest): Manifest {
  return mergeServerValue(manifest, storedManifest, result) as Manifest;
}
