import { buildFieldPath } from '../../core/field-path';
import type { PathPart } from '../../core/field-path';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest';
import { formatCanonicalQuantity, isQuantityPath, isZero, isEncodedWhenEmpty, withCrdDefaults } from './hash-encoding';
import { kubeRayBehaviourOf } from './versions';
import type { UnhashedFields } from './versions';

/** A field that differs between two values, by its place in them. */
export interface FieldDifference {
  readonly parts: readonly PathPart[];
  readonly old: unknown;
  readonly new: unknown;
}

/** Any item of a list. */
const ANY_INDEX = Symbol('each');

type FieldPattern = readonly (string | typeof ANY_INDEX)[];

const REPLICA_FIELDS: readonly FieldPattern[] = [
  ['workerGroupSpecs', ANY_INDEX, 'replicas'],
  ['workerGroupSpecs', ANY_INDEX, 'minReplicas'],
  ['workerGroupSpecs', ANY_INDEX, 'maxReplicas'],
  ['workerGroupSpecs', ANY_INDEX, 'scaleStrategy', 'workersToDelete'],
];

const SCHEDULING_FIELDS: readonly FieldPattern[] = ['tolerations', 'schedulingGates'].flatMap((field): FieldPattern[] => [
  ['headGroupSpec', 'template', 'spec', field],
  ['workerGroupSpecs', ANY_INDEX, 'template', 'spec', field],
]);

/** The fields of rayClusterConfig that the operator leaves out of the hash by which it tells a new cluster, with all below them. */
const UNHASHED_FIELD_PATTERNS: Readonly<Record<UnhashedFields, readonly FieldPattern[]>> = {
  replicas: REPLICA_FIELDS,
  'replicas-and-scheduling': [...REPLICA_FIELDS, ...SCHEDULING_FIELDS, ['upgradeStrategy']],
  'replicas-scheduling-and-suspend': [...REPLICA_FIELDS, ...SCHEDULING_FIELDS, ['upgradeStrategy'], ['suspend']],
};

/**
 * Is this a field of rayClusterConfig, by its place in it, that the operator does not look at?
 *
 * @param version of KubeRay
 */
export function isUnhashedField(parts: readonly PathPart[], version: string): boolean {
  return UNHASHED_FIELD_PATTERNS[kubeRayBehaviourOf(version).unhashedFields].some((field) =>
    field.every((part, index) => (part === ANY_INDEX ? typeof parts[index] === 'number' : part === parts[index])),
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
export function computeClusterIdentity(rayClusterConfig: unknown, version: string): string {
  const leaves = collectLeaves(rayClusterConfig, [])
    .filter(({ parts }) => !isUnhashedField(parts, version))
    .map(({ parts, json }) => [parts, json]);
  return JSON.stringify(leaves);
}

/** Are worker groups added at the end, and all else is the same? The operator then changes the running cluster. */
export function isWorkerGroupAppend(current: unknown, next: unknown, version: string): boolean {
  const before = getListAt(current, 'workerGroupSpecs').length;
  const groups = getListAt(next, 'workerGroupSpecs');
  if (groups.length <= before) return false;
  const withoutAppended = { ...getFieldsAt(next), workerGroupSpecs: groups.slice(0, before) };
  return computeClusterIdentity(current, version) === computeClusterIdentity(withoutAppended, version);
}

/**
 * Every field that differs, ordered by its path.
 *
 * A worker group that came, went or has another name than the one in its place is one difference, of its groupName.
 */
export function findFieldDifferences(current: unknown, next: unknown): FieldDifference[] {
  const before = collectLeavesByPath(current);
  const after = collectLeavesByPath(next);
  const changedLeaves = [...new Map([...before, ...after])].filter(([path]) => before.get(path)?.json !== after.get(path)?.json);
  const replacedGroups = new Set(
    changedLeaves.filter(([, { parts }]) => isGroupNamePath(parts)).map(([, { parts }]) => groupIndexOf(parts)),
  );
  return changedLeaves
    .filter(([, { parts }]) => isGroupNamePath(parts) || !replacedGroups.has(groupIndexOf(parts)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { parts }]) => ({ parts, old: before.get(path)?.value, new: after.get(path)?.value }));
}

/** Of a field of a worker group: the number of the group. */
function groupIndexOf([list, index]: readonly PathPart[]): number | undefined {
  return list === 'workerGroupSpecs' && typeof index === 'number' ? index : undefined;
}

function isGroupNamePath(parts: readonly PathPart[]): boolean {
  return parts.length === 3 && groupIndexOf(parts) !== undefined && parts[2] === 'groupName';
}

/** A value that is not a map and not a list, or is empty, and its place. */
interface Leaf {
  readonly parts: readonly PathPart[];
  /** The same for two values exactly when Go writes the same for them. */
  readonly json: string;
  /** As it is written. */
  readonly value: unknown;
}

function collectLeavesByPath(value: unknown): Map<string, Leaf> {
  return new Map(collectLeaves(value, []).map((leaf) => [buildFieldPath(...leaf.parts), leaf]));
}

/** Every leaf of a value, in order; what Go leaves out of its JSON is none. */
function collectLeaves(value: unknown, parts: readonly PathPart[]): Leaf[] {
  if (value === undefined || value === null) return [];
  const below = collectChildLeaves(value, parts);
  if (below.length > 0) return below;
  const isEmpty = Array.isArray(value) || isFields(value) || isZero(value, parts);
  if (isEmpty && !isEncodedWhenEmpty(value, parts)) return [];
  if (Array.isArray(value)) return [{ parts, json: '[]', value: [] }];
  if (isFields(value)) return [{ parts, json: '{}', value: {} }];
  const quantity = isQuantityPath(parts) ? formatCanonicalQuantity(value) : undefined;
  return [{ parts, json: quantity ?? JSON.stringify(value), value }];
}

function collectChildLeaves(value: unknown, parts: readonly PathPart[]): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => collectLeaves(item, [...parts, index]));
  if (!isFields(value)) return [];
  const defaulted = withCrdDefaults(value, parts);
  return Object.keys(defaulted)
    .toSorted()
    .flatMap((field) => collectLeaves(defaulted[field], [...parts, field]));
}
