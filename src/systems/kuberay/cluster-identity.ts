import { fieldsAt, isFields, listAt } from '../../core/manifest';
import { quantityOf } from '../../core/quantity';

/** A field with another value than before; undefined where it is not there. */
export interface FieldChange {
  readonly path: string;
  readonly old: unknown;
  readonly new: unknown;
}

/** The fields of rayClusterConfig that the operator leaves out of the hash by which it tells a new cluster. */
const MUTED = [
  /^suspend$/,
  /^upgradeStrategy(\.|$)/,
  /^workerGroupSpecs\[\d+\]\.(replicas|minReplicas|maxReplicas)$/,
  /^workerGroupSpecs\[\d+\]\.scaleStrategy\.workersToDelete(\[|$)/,
  /^(headGroupSpec|workerGroupSpecs\[\d+\])\.template\.spec\.(tolerations|schedulingGates)(\[|$)/,
];

/** What the API server fills into a worker group. */
const GROUP_DEFAULTS = { numOfHosts: 1, priority: 0 };

const RESOURCES = /\.resources\.(limits|requests)\../;

/** Is this a field of rayClusterConfig, by its path from `spec.rayClusterConfig` on, that the operator does not look at? */
export function isMutedField(path: string): boolean {
  const field = path.replace(/^spec\.rayClusterConfig\./, '');
  return MUTED.some((pattern) => pattern.test(field));
}

/**
 * A text that is the same for two rayClusterConfigs exactly when the operator takes them for the same cluster.
 *
 * It stands for the operator's hash: defaults are filled in, quantities compared by value, muted fields left out, lists kept in order.
 * Source: KubeRay v1.7.0 `utils/util.go`, GenerateHashWithoutReplicasAndWorkersToDelete.
 */
export function clusterIdentity(rayClusterConfig: unknown): string {
  return JSON.stringify(leavesOf(rayClusterConfig, '').filter(([path]) => !isMutedField(path)));
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
 * A worker group that came, went or has another name than the one in its place is one change, of its groupName.
 */
export function fieldChanges(current: unknown, next: unknown, path: string): FieldChange[] {
  const before = new Map(leavesOf(current, ''));
  const after = new Map(leavesOf(next, ''));
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter((field) => before.get(field) !== after.get(field));
  const replaced = new Set(paths.filter((field) => /^workerGroupSpecs\[\d+\]\.groupName$/.test(field)).map(groupOfField));
  return paths
    .filter((field) => !replaced.has(groupOfField(field)) || field.endsWith('].groupName'))
    .toSorted()
    .map((field) => ({ path: `${path}.${field}`, old: readable(before.get(field)), new: readable(after.get(field)) }));
}

function groupOfField(field: string): string | undefined {
  return /^workerGroupSpecs\[\d+\]/.exec(field)?.[0];
}

/**
 * Every value that is no map and no list, with its path, as JSON text. An empty list is as good as none; an empty map (`emptyDir: {}`)
 * says something.
 */
function leavesOf(value: unknown, path: string): [path: string, json: string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => leavesOf(withGroupDefaults(item, path), `${path}[${index}]`));
  }
  if (isFields(value) && Object.keys(value).length > 0) {
    return Object.keys(value)
      .toSorted()
      .flatMap((field) => leavesOf(value[field], path === '' ? field : `${path}.${field}`));
  }
  const number = RESOURCES.test(path) ? quantityOf(value) : undefined;
  return [[path, JSON.stringify(number ?? value)]];
}

function withGroupDefaults(item: unknown, path: string): unknown {
  return path === 'workerGroupSpecs' && isFields(item) ? { ...GROUP_DEFAULTS, ...item } : item;
}

function readable(json: string | undefined): unknown {
  return json === undefined ? undefined : (JSON.parse(json) as unknown);
}
