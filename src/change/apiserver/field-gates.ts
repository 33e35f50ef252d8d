import type { FieldSchema } from '../../core/values/schema';

/**
 * Which fields the API server keeps. It drops a field whose feature gate its version has off, unless the object that it updates has a field of
 * that gate: then the gate is on, or was when the object was written.
 *
 * Source: k/k pkg/api/pod/util.go, `dropDisabledFields`; pkg/registry/apps/statefulset/strategy.go, `dropStatefulSetDisabledFields`.
 */
export interface FieldGates {
  readonly version: string;
  /** Reports whether the server keeps a field although its version has the gate off. */
  readonly keepsDisabled: (gate: string) => boolean;
}

/** Returns the name of the feature gate of a field that a version drops. Fields that were added and enabled together count as one gate. */
export function gateOf({ since, persistedSince }: FieldSchema): string {
  return `${since} ${persistedSince}`;
}

/** Returns the gates for an object that does not exist yet. */
export function createDefaultGates(version: string): FieldGates {
  return { version, keepsDisabled: () => false };
}

/**
 * Returns the gates for reading an object of a cluster, which has only fields that the server keeps, and those for writes to it after it was read.
 */
export function createGatesInUse(version: string): { readonly reading: FieldGates; readonly writing: FieldGates } {
  const inUse = new Set<string>();
  const keepsDisabled = (gate: string) => inUse.add(gate).has(gate);
  return { reading: { version, keepsDisabled }, writing: { version, keepsDisabled: (gate) => inUse.has(gate) } };
}
