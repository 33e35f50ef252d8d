import { deepEqual } from '../core/deep-equal';
import { isFields, ownValue } from '../core/manifest';
import type { Manifest } from '../core/manifest';

function grafted(written: unknown, expected: unknown, result: unknown): unknown {
  if (result === expected || deepEqual(result, expected)) return written;
  if (!isFields(result) || !isFields(expected) || !isFields(written)) return result;
  const keys = [...new Set([...Object.keys(written), ...Object.keys(result)])];
  const values = keys.map((key) => [key, grafted(ownValue(written, key), ownValue(expected, key), ownValue(result, key))] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/**
 * NEW's manifest with what the server holds beside it: fields that the apply kept from what runs.
 * What the manifest alone would have made of them stays as it is written, so that nobody takes a default for something that was asked for.
 *
 * @param alone - the stored form of the manifest by itself
 * @param result - what the server holds after the apply
 */
export function withKept(manifest: Manifest, alone: Manifest, result: Manifest): Manifest {
  return grafted(manifest, alone, result) as Manifest;
}
