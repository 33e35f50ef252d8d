import { fieldPath } from '../../core/field-path';
import type { PathPart } from '../../core/field-path';
import { fieldsAt, isFields, listAt } from '../../core/manifest';
import { canonicalQuantity, isQuantity, isZero, standsEmpty, withDefaults } from './encoded-fields';
import { behaviourOf } from './versions';
import type { MutedFields } from './versions';

/** A field that differs between two values, by its place in them. */
export interface FieldDifference {
  readonly parts: readonly PathPart[];
  readonly old: unknown;
  readonly new: unknown;
}

/** Any item of a list. */
const EACH = Symbol('each');

type FieldPattern = readonly (string | typeof EACH)[];

const REPLICAS: readonly FieldPattern[] = [
  ['workerGroupSpecs', EACH, 'replicas'],
  ['workerGroupSpecs', EACH, 'minReplicas'],
  ['workerGroupSpecs', EACH, 'maxReplicas'],
  ['workerGroupSpecs', EACH, 'scaleStrategy', 'workersToDelete'],
];

const SCHEDULING: readonly FieldPattern[] = ['tolerations', 'schedulingGates'].flatMap((field): FieldPattern[] => [
  ['headGroupSpec', 'template', 'spec', field],
  ['workerGroupSpecs', EACH, 'template', 'spec', field],
]);

/** The fields of rayClusterConfig that the operator leaves out of the hash by which it tells a new cluster, with all below them. */
const MUTED: Readonly<Record<MutedFields, readonly FieldPattern[]>> = {
  replicas: REPLICAS,
  'replicas-and-scheduling': [...REPLICAS, ...SCHEDULING, ['upgradeStrategy']],
  'replicas-scheduling-and-suspend': [...REPLICAS, ...SCHEDULING, ['upgradeStrategy'], ['suspend']],
};

/**
 * Is this a field of rayClusterConfig, by its place in it, that the operator does not look at?
 *
 * @param version of KubeRay
 */
export function isMutedField(parts: readonly PathPart[], version: string): boolean {
  return MUTED[behaviourOf(version).muted].some((field) =>
    field.every((part, index) => (part === EACH ? typeof parts[index] === 'number' : part === parts[index])),
  );
}

/**
 * A text that is the same for two rayClusterConfigs exactly when the operator takes them for the same cluster.
 *
 * It stands for the operator's hash, which is made of Go's JSON: defaults are filled in, what is empty is left out where Go leaves it out,
 * quantities are compared as Go writes them, muted fields left out, lists kept in order.
 * Source: KubeRay v1.5.1, v1.6.2 and v1.7.0 `utils/util.go`, GenerateHashWithoutReplicasAndWorkersToDelete.
 *
 * @param version of KubeRay
 */
export function clusterIdentity(rayClusterConfig: unknown, version: string): string {
  const leaves = leavesOf(rayClusterConfig, [])
    .filter(({ parts }) => !isMutedField(parts, version))
    .map(({ parts, json }) => [parts, json]);
  return JSON.stringify(leaves);
}

/** Are worker groups added at the end, and all else is the same? The operator then changes the running cluster. */
export function onlyAppendsGroups(current: unknown, next: unknown, version: string): boolean {
  const before = listAt(current, 'workerGroupSpecs').length;
  const groups = listAt(next, 'workerGroupSpecs');
  if (groups.length <= before) return false;
  const without = { ...fieldsAt(next), workerGroupSpecs: groups.slice(0, before) };
  return clusterIdentity(current, version) === clusterIdentity(without, version);
}

/**
 * Every field that differs, ordered by its path.
 *
 * A worker group that came, went or has another name than the one in its place is one difference, of its groupName.
 */
export function fieldDifferences(current: unknown, next: unknown): FieldDifference[] {
  const before = leavesByPath(current);
  const after = leavesByPath(next);
  const differing = [...new Map([...before, ...after])].filter(([path]) => before.get(path)?.json !== after.get(path)?.json);
  const replaced = new Set(differing.filter(([, { parts }]) => isGroupName(parts)).map(([, { parts }]) => groupIndex(parts)));
  return differing
    .filter(([, { parts }]) => isGroupName(parts) || !replaced.has(groupIndex(parts)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { parts }]) => ({ parts, old: before.get(path)?.value, new: after.get(path)?.value }));
}

/** Of a field of a worker group: the number of the group. */
function groupIndex([list, index]: readonly PathPart[]): number | undefined {
  return list === 'workerGroupSpecs' && typeof index === 'number' ? index : undefined;
}

function isGroupName(parts: readonly PathPart[]): boolean {
  return parts.length === 3 && groupIndex(parts) !== undefined && parts[2] === 'groupName';
}

/** A value that is not a map and not a list, or is empty, and its place. */
interface Leaf {
  readonly parts: readonly PathPart[];
  /** The same for two values exactly when Go writes the same for them. */
  readonly json: string;
  /** As it is written. */
  readonly value: unknown;
}

function leavesByPath(value: unknown): Map<string, Leaf> {
  return new Map(leavesOf(value, []).map((leaf) => [fieldPath(...leaf.parts), leaf]));
}

/** Every leaf of a value, in order; what Go leaves out of its JSON is none. */
function leavesOf(value: unknown, parts: readonly PathPart[]): Leaf[] {
  if (value === undefined || value === null) return [];
  const below = leavesBelow(value, parts);
  if (below.length > 0) return below;
  const isEmpty = Array.isArray(value) || isFields(value) || isZero(value, parts);
  if (isEmpty && !standsEmpty(value, parts)) return [];
  if (Array.isArray(value)) return [{ parts, json: '[]', value: [] }];
  if (isFields(value)) return [{ parts, json: '{}', value: {} }];
  const quantity = isQuantity(parts) ? canonicalQuantity(value) : undefined;
  return [{ parts, json: quantity ?? JSON.stringify(value), value }];
}

function leavesBelow(value: unknown, parts: readonly PathPart[]): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...parts, index]));
  if (!isFields(value)) return [];
  const stored = withDefaults(value, parts);
  return Object.keys(stored)
    .toSorted()
    .flatMap((field) => leavesOf(stored[field], [...parts, field]));
}
