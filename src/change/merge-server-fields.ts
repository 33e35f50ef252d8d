import { isDeepEqual } from '../core/deep-equal';
import { isFields, getOwnValue } from '../core/manifest';
import type { Manifest } from '../core/manifest';

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
 * NEW's manifest with what the server holds beside it: fields that the apply kept from what runs.
 * What the manifest alone would have made of them stays as it is written, so that nobody takes a default for something that was asked for.
 *
 * @param alone - the stored form of the manifest by itself
 * @param result - what the server holds after the apply
 */
export function mergeServerFields(manifest: Manifest, storedManifest: Manifest, result: Manifest): Manifest {
  return mergeServerValue(manifest, storedManifest, result) as Manifest;
}
