import { buildFieldPath } from '../../core/manifest/field-path';
import type { PathPart } from '../../core/manifest/field-path';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest/manifest';
import { formatCanonicalQuantity, isQuantityPath, isZero, isEncodedWhenEmpty, withCrdDefaults } from './hash-encoding';
import { kubeRayBehaviourOf } from './versions';
import type { UnhashedFields } from './versions';

/** A field that differs between two values, with its path. */
export interface FieldDifference {
  readonly parts: readonly PathPart[];
  readonly old: unknown;
  readonly new: unknown;
}

/** Matches any item of a list. */
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

/** Fields of rayClusterConfig, with everything below them, that the operator leaves out of the hash that identifies a cluster. */
const UNHASHED_FIELD_PATTERNS: Readonly<Record<UnhashedFields, readonly FieldPattern[]>> = {
  replicas: REPLICA_FIELDS,
  'replicas-and-scheduling': [...REPLICA_FIELDS, ...SCHEDULING_FIELDS, ['upgradeStrategy']],
  'replicas-scheduling-and-suspend': [...REPLICA_FIELDS, ...SCHEDULING_FIELDS, ['upgradeStrategy'], ['suspend']],
};

/**
 * Reports whether the operator leaves the field at this path of rayClusterConfig out of its hash.
 *
 * @param version KubeRay version
 */
export function isUnhashedField(parts: readonly PathPart[], version: string): boolean {
  return UNHASHED_FIELD_PATTERNS[kubeRayBehaviourOf(version).unhashedFields].some((field) =>
    field.every((part, index) => (part === ANY_INDEX ? typeof parts[index] === 'number' : part === parts[index])),
  );
}

/**
 * Returns a string that is equal for two rayClusterConfigs if and only if the operator treats them as the same cluster.
 *
 * It replaces the operator's hash of Go's JSON. Defaults are filled in, and empty values are omitted if Go omits them.
 * Quantities are compared as Go formats them, unhashed fields are omitted, and lists keep their order.
 * Source: KubeRay v1.5.1, v1.6.2 and v1.7.0 `utils/util.go`, GenerateHashWithoutReplicasAndWorkersToDelete.
 *
 * @param version KubeRay version
 */
export function computeClusterIdentity(rayClusterConfig: unknown, version: string): string {
  const leaves = collectLeaves(rayClusterConfig, [])
    .filter(({ parts }) => !isUnhashedField(parts, version))
    .map(({ parts, json }) => [parts, json]);
  return JSON.stringify(leaves);
}

/** Reports whether the only change is worker groups added at the end. The operator then updates the running cluster. */
export function isWorkerGroupAppend(current: unknown, next: unknown, version: string): boolean {
  const before = getListAt(current, 'workerGroupSpecs').length;
  const groups = getListAt(next, 'workerGroupSpecs');
  if (groups.length <= before) return false;
  const withoutAppended = { ...getFieldsAt(next), workerGroupSpecs: groups.slice(0, before) };
  return computeClusterIdentity(current, version) === computeClusterIdentity(withoutAppended, version);
}

/**
 * Returns every field that differs, ordered by path.
 *
 * A worker group that is added, removed or replaced at its index by one with another name is one difference, of its groupName.
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

/** Returns the index of the worker group that the field belongs to. */
function groupIndexOf([list, index]: readonly PathPart[]): number | undefined {
  return list === 'workerGroupSpecs' && typeof index === 'number' ? index : undefined;
}

function isGroupNamePath(parts: readonly PathPart[]): boolean {
  return parts.length === 3 && groupIndexOf(parts) !== undefined && parts[2] === 'groupName';
}

/** A scalar, or an empty map or list, with its path. */
interface Leaf {
  readonly parts: readonly PathPart[];
  /** Comparison key: equal for two values if and only if Go encodes them the same. */
  readonly json: string;
  /** The value as written. */
  readonly value: unknown;
}

function collectLeavesByPath(value: unknown): Map<string, Leaf> {
  return new Map(collectLeaves(value, []).map((leaf) => [buildFieldPath(...leaf.parts), leaf]));
}

/** Collects every leaf of a value, in order. Values that Go omits from its JSON are not leaves. */
function collectLeaves(value: unknown, parts: readonly PathPart[]): Leaf[] {
  if (value === undefined || value === null) return [];
  const children = collectChildLeaves(value, parts);
  if (children.length > 0) return children;
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
