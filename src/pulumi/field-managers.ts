import { takesOverManager } from '../appliers/pulumi';
import { annotationOf, getListAt, isFields } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { toSafeText } from '../core/text/value-text';

/*
 * Field managers of an object that Pulumi's Kubernetes provider applies. Source: pulumi-kubernetes 4.32.0 provider/pkg/provider/provider.go
 * `fieldManagerName`, provider/pkg/await/await.go `Creation`, `fixCSAFieldManagers`.
 */

/** Field of the state in which the provider keeps the manager of a resource. */
const STATE_FIELD = '__fieldManager';
const MANAGER_ANNOTATION = 'pulumi.com/patchFieldManager';
const FORCE_ANNOTATION = 'pulumi.com/patchForce';

/** Start of the manager of each resource, which ends with eight random digits. */
const MANAGER_PREFIX = 'pulumi-kubernetes';

/** Whether a resource manages an entire object, or some fields of an object that something else manages. */
export type ResourceScope = 'object' | 'patch';

function isTaken({ manager, operation, subresource }: Fields): boolean {
  return takesOverManager({
    name: toSafeText(manager),
    operation: toSafeText(operation),
    ...(typeof subresource === 'string' && subresource !== '' && { subresource }),
  });
}

/** Reports whether an entry is that of an apply by some resource of Pulumi. */
function isPulumiApply({ manager, operation, subresource }: Fields): boolean {
  return operation === 'Apply' && !subresource && toSafeText(manager).startsWith(MANAGER_PREFIX);
}

function sizeOf({ fieldsV1 }: Fields): number {
  return JSON.stringify(fieldsV1 ?? {}).length;
}

/** Finds the manager of a resource: the one in the annotation, the one in the state, or the one that applied most of the object. */
function findOwnManager(state: Fields, next: Manifest, entries: readonly Fields[]): string | undefined {
  const declared = annotationOf(next, MANAGER_ANNOTATION) ?? state[STATE_FIELD];
  if (typeof declared === 'string') return declared;
  const [largest] = entries.filter(isPulumiApply).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  return largest && toSafeText(largest.manager);
}

function mergeFieldsV1(a: unknown, b: unknown): unknown {
  if (!isFields(a) || !isFields(b)) return a ?? b;
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, mergeFieldsV1(a[name], b[name])]));
}

/**
 * Returns the live object with the managers that it has when the provider applies: one that applied everything that is the resource's own,
 * and the others, which may conflict.
 *
 * @param state - the last state of the resource, with the internal fields of the provider
 */
export function assignManagers(live: Manifest, state: Fields, next: Manifest, scope: ResourceScope): Manifest {
  const entries = getListAt(live, 'metadata', 'managedFields').filter(isFields);
  if (entries.length === 0) return live;
  const isUnstarted = scope === 'object' && entries.some((entry) => isTaken(entry) && toSafeText(entry.manager).startsWith(MANAGER_PREFIX));
  // Before its first apply, the applies of Pulumi are those of patches.
  const manager = findOwnManager(state, next, isUnstarted ? [] : entries);
  const isOwn = (entry: Fields) =>
    (entry.operation === 'Apply' && entry.manager === manager && !entry.subresource) || (scope === 'object' && isTaken(entry));
  const own = entries.filter(isOwn);
  const others = annotationOf(next, FORCE_ANNOTATION) === 'true' ? [] : entries.filter((entry) => !isOwn(entry));
  const applied = {
    ...own[0],
    manager: manager ?? MANAGER_PREFIX,
    operation: 'Apply',
    fieldsV1: own.map(({ fieldsV1 }) => fieldsV1).reduce(mergeFieldsV1, {}),
  };
  // An entry that is not the applier's is compared in the same way, whichever operation wrote it.
  const compared = others.map((entry) => (entry.operation === 'Apply' ? { ...entry, operation: 'Update' } : entry));
  return { ...live, metadata: { ...live.metadata, managedFields: [applied, ...compared] } };
}
