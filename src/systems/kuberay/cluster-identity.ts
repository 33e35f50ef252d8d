import { fieldPath } from '../../core/field-path';
import type { PathPart } from '../../core/field-path';
import { fieldsAt, isFields, listAt } from '../../core/manifest';
import { quantityOf } from '../../core/quantity';

/** A field that differs between two values, by its place in them. */
export interface FieldDifference {
  readonly parts: readonly PathPart[];
  readonly old: unknown;
  readonly new: unknown;
}

/** Any item of a list. */
const EACH = Symbol('each');

type FieldPattern = readonly (string | typeof EACH)[];

/** The fields of rayClusterConfig that the operator leaves out of the hash by which it tells a new cluster, with all below them. */
const MUTED: readonly FieldPattern[] = [
  ['suspend'],
  ['upgradeStrategy'],
  ['workerGroupSpecs', EACH, 'replicas'],
  ['workerGroupSpecs', EACH, 'minReplicas'],
  ['workerGroupSpecs', EACH, 'maxReplicas'],
  ['workerGroupSpecs', EACH, 'scaleStrategy', 'workersToDelete'],
  ...['tolerations', 'schedulingGates'].flatMap((field): FieldPattern[] => [
    ['headGroupSpec', 'template', 'spec', field],
    ['workerGroupSpecs', EACH, 'template', 'spec', field],
  ]),
];

/** What the API server fills into a worker group. */
const GROUP_DEFAULTS = { numOfHosts: 1, priority: 0 };

/** Is this a field of rayClusterConfig, by its place in it, that the operator does not look at? */
export function isMutedField(parts: readonly PathPart[]): boolean {
  return MUTED.some((field) => field.every((part, index) => (part === EACH ? typeof parts[index] === 'number' : part === parts[index])));
}

/**
 * A text that is the same for two rayClusterConfigs exactly when the operator takes them for the same cluster.
 *
 * It stands for the operator's hash: defaults are filled in, quantities compared by value, muted fields left out, lists kept in order.
 * Source: KubeRay v1.7.0 `utils/util.go`, GenerateHashWithoutReplicasAndWorkersToDelete.
 */
export function clusterIdentity(rayClusterConfig: unknown): string {
  return JSON.stringify(leavesOf(rayClusterConfig, []).filter(({ parts }) => !isMutedField(parts)));
}

/** Are worker groups added at the end, and all else is the same? The operator then changes the running cluster. */
export function onlyAppendsGroups(current: unknown, next: unknown): boolean {
  const before = listAt(current, 'workerGroupSpecs').length;
  const groups = listAt(next, 'workerGroupSpecs');
  if (groups.length <= before) return false;
  return clusterIdentity(current) === clusterIdentity({ ...fieldsAt(next), workerGroupSpecs: groups.slice(0, before) });
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
    .map(([path, { parts }]) => ({ parts, old: readable(before.get(path)), new: readable(after.get(path)) }));
}

/** Of a field of a worker group: the number of the group. */
function groupIndex([list, index]: readonly PathPart[]): number | undefined {
  return list === 'workerGroupSpecs' && typeof index === 'number' ? index : undefined;
}

function isGroupName(parts: readonly PathPart[]): boolean {
  return parts.length === 3 && groupIndex(parts) !== undefined && parts[2] === 'groupName';
}

/** A value that is not a map and not a list, as JSON text, and its place. */
interface Leaf {
  readonly parts: readonly PathPart[];
  readonly json: string;
}

function leavesByPath(value: unknown): Map<string, Leaf> {
  return new Map(leavesOf(value, []).map((leaf) => [fieldPath(...leaf.parts), leaf]));
}

/** Every leaf of a value, in order. An empty list is as good as none; an empty map (`emptyDir: {}`) says something. */
function leavesOf(value: unknown, parts: readonly PathPart[]): Leaf[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => leavesOf(withGroupDefaults(item, parts), [...parts, index]));
  }
  if (isFields(value) && Object.keys(value).length > 0) {
    return Object.keys(value)
      .toSorted()
      .flatMap((field) => leavesOf(value[field], [...parts, field]));
  }
  const number = isQuantity(parts) ? quantityOf(value) : undefined;
  return [{ parts, json: JSON.stringify(number ?? value) }];
}

/** Is this the amount of a resource: `….resources.limits.cpu`? */
function isQuantity(parts: readonly PathPart[]): boolean {
  return parts.some((part, index) => {
    const kind = parts[index + 1];
    return part === 'resources' && index > 0 && (kind === 'limits' || kind === 'requests') && typeof parts[index + 2] === 'string';
  });
}

function withGroupDefaults(item: unknown, list: readonly PathPart[]): unknown {
  return list.length === 1 && list[0] === 'workerGroupSpecs' && isFields(item) ? { ...GROUP_DEFAULTS, ...item } : item;
}

function readable(leaf: Leaf | undefined): unknown {
  return leaf === undefined ? undefined : (JSON.parse(leaf.json) as unknown);
}
