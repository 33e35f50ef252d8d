import { isBeingDeleted } from '../../appliers/live-object';
import { findClosestName } from '../../core/errors/did-you-mean';
import { describeValue } from '../../core/text/display-value';
import { toFieldPath, appendToPath, buildFieldPath, parseFieldPath, ROOT_PATH } from '../../core/manifest/field-path';
import type { FieldPath, PathPart } from '../../core/manifest/field-path';
import { getFieldsAt, isFields, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { parseQuantityNanos } from '../../core/values/quantity';
import type { Amounts } from '../../core/values/quantity';
import {
  INT64,
  defineList,
  defineMap,
  MAP,
  requireNonNull,
  findSchemaProblems,
  STRING,
  STRING_MAP,
  closeSchema,
} from '../../core/values/schema';
import type { FieldSchema, ProblemOf } from '../../core/values/schema';
import type { Capacity, NodePool, Taint } from '../context/capacity';

/** Thrown for a capacity that cannot be read. The message says what to write. */
export class CapacityError extends Error {
  override readonly name = 'CapacityError';
}

/** Labels in which clouds and Karpenter store the name of a node's pool. */
const POOL_LABELS = [
  'karpenter.sh/nodepool',
  'cloud.google.com/gke-nodepool',
  'eks.amazonaws.com/nodegroup',
  'kubernetes.azure.com/agentpool',
];

const TAINT_EFFECTS: readonly string[] = ['NoSchedule', 'NoExecute', 'PreferNoSchedule'];

const REQUIRED_STRING = requireNonNull(STRING);
const TAINTS_SCHEMA = defineList({ key: REQUIRED_STRING, value: REQUIRED_STRING, effect: REQUIRED_STRING });
const NODE_POOL_SCHEMA = {
  name: REQUIRED_STRING,
  count: requireNonNull(INT64),
  allocatable: MAP,
  labels: STRING_MAP,
  taints: closeSchema(TAINTS_SCHEMA),
};
const CAPACITY_SCHEMA = { total: MAP, free: MAP, nodePools: requireNonNull(closeSchema(defineList(NODE_POOL_SCHEMA))) };

/** The fields of a Node that are read. Other fields are ignored. */
const NODE_SCHEMA = defineMap({ status: defineMap({ allocatable: MAP }), spec: defineMap({ taints: TAINTS_SCHEMA }) });

const QUANTITY_HINT = 'write a quantity of at least 0, such as 4, 500m or 64Gi';
const RESOURCE_MAP_HINT = 'write a map of resources, such as { nvidia.com/gpu: 4 }';

/** Hints for what to write in a field. `[]` is an item of a list. */
const FIELD_HINTS: Readonly<Record<string, string>> = {
  total: RESOURCE_MAP_HINT,
  free: RESOURCE_MAP_HINT,
  allocatable: RESOURCE_MAP_HINT,
  nodePools: 'write a list',
  'nodePools[]': 'write a map with name, count and allocatable',
  name: 'write a string',
  count: 'write a number of nodes of at least 0',
  taints: 'write a list of taints, such as [{ key: gpu, effect: NoSchedule }]',
  'taints[]': 'write a map with key, value and effect',
  key: 'write the key of the taint',
  value: 'write a string',
  effect: `write one of ${TAINT_EFFECTS.join(', ')}`,
};

/** Returns the key of a field in the hints: `count` for `nodePools[0].count`, `nodePools[]` for `nodePools[0]`. */
function fieldKeyOf(parts: readonly PathPart[]): string {
  const last = parts.at(-1);
  return typeof last === 'number' ? `${parts.at(-2)}[]` : `${last}`;
}

/** @param prefix the owner of the field: empty for the capacity itself, or `Node a: ` */
function buildCapacityError(prefix: string, path: FieldPath, value: unknown): CapacityError {
  return new CapacityError(`${prefix}${path} is ${describeValue(value)}: ${FIELD_HINTS[fieldKeyOf(parseFieldPath(path))]}`);
}

function buildUnknownFieldError({ path, knownFields }: ProblemOf<'unknown'>): CapacityError {
  const parts = parseFieldPath(path);
  const parent = buildFieldPath(...parts.slice(0, -1)) || 'The capacity';
  const name = `${parts.at(-1)}`;
  return new CapacityError(
    `${parent} has no field "${name}": write ${findClosestName(name, knownFields) ?? `one of ${knownFields.join(', ')}`}`,
  );
}

function buildLabelsError(path: FieldPath): CapacityError {
  return new CapacityError(`${path} is not a map of strings: write the labels of the nodes, such as { gpu: a100 }`);
}

/** @throws CapacityError for the first field that is unknown or has another type */
function checkTypes(value: unknown, schema: FieldSchema, prefix = ''): void {
  const [problem] = findSchemaProblems(value, schema, ROOT_PATH, { allowsTokens: false });
  if (!problem) return;
  if (problem.kind === 'unknown') throw buildUnknownFieldError(problem);
  const parts = parseFieldPath(problem.path);
  const labels = parts.indexOf('labels');
  if (labels >= 0) throw buildLabelsError(buildFieldPath(...parts.slice(0, labels + 1)));
  throw buildCapacityError(prefix, problem.path, problem.value);
}

function parseAmounts(value: unknown, path: FieldPath, prefix = ''): Amounts {
  const amounts = Object.entries((value ?? {}) as Fields).map(([resource, quantity]) => {
    const amount = parseQuantityNanos(quantity);
    if (amount !== undefined && amount >= 0n) return [resource, amount] as const;
    throw new CapacityError(`${prefix}${appendToPath(path, resource)} is ${describeValue(quantity)}: ${QUANTITY_HINT}`);
  });
  return new Map(amounts);
}

function parseLabels(value: unknown, path: FieldPath): Readonly<Record<string, string>> | undefined {
  if (value === undefined || value === null) return undefined;
  // The schema ignores a null, but it is not a valid label.
  if (Object.values(value).some((label) => typeof label !== 'string')) throw buildLabelsError(path);
  return value as Readonly<Record<string, string>>;
}

function parseTaints(value: unknown, path: FieldPath, prefix = ''): Taint[] {
  return ((value ?? []) as readonly Partial<Taint>[]).map(({ key, value: own = '', effect }, index) => {
    if (key === undefined || key === '') throw buildCapacityError(prefix, toFieldPath`${path}[${index}].key`, key);
    if (!TAINT_EFFECTS.some((name) => name === effect)) throw buildCapacityError(prefix, toFieldPath`${path}[${index}].effect`, effect);
    return { key, value: own, effect: effect! };
  });
}

function parseNodePool({ name, count, ...pool }: Fields, index: number): NodePool {
  const path = toFieldPath`nodePools[${index}]`;
  if (!Number.isSafeInteger(count) || (count as number) < 0) throw buildCapacityError('', toFieldPath`${path}.count`, count);
  const labels = parseLabels(pool.labels, toFieldPath`${path}.labels`);
  const taints = parseTaints(pool.taints, toFieldPath`${path}.taints`);
  const allocatable = parseAmounts(pool.allocatable, toFieldPath`${path}.allocatable`);
  const poolName = typeof name === 'string' ? name : `pool ${index + 1}`;
  return { name: poolName, count: count as number, allocatable, taints, ...(labels && { labels }) };
}

/** The taint that the node controller adds to a cordoned node. */
const CORDON_TAINT: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Adds the taint of a cordoned node, which may not have it yet. A node that is being deleted counts as cordoned, since it takes its pods with it. */
function withCordon(taints: readonly Taint[], node: Fields): readonly Taint[] {
  const isLeaving = getValueAt(node, 'spec', 'unschedulable') === true || isBeingDeleted(node);
  return isLeaving && taints.every(({ key }) => key !== CORDON_TAINT.key) ? [...taints, CORDON_TAINT] : taints;
}

/** Reports whether the Ready condition of a Node is not True. */
function isNodeDown(node: Fields): boolean {
  const ready = getListAt(node, 'status', 'conditions').find((condition) => getValueAt(condition, 'type') === 'Ready');
  return ready !== undefined && getValueAt(ready, 'status') !== 'True';
}

/**
 * Parses a Node of a cluster as a pool of one.
 *
 * @throws CapacityError for amounts or taints that cannot be read
 */
export function parseClusterNode(node: Fields): NodePool {
  const labels = getFieldsAt(node, 'metadata', 'labels') as Readonly<Record<string, string>>;
  const pool = POOL_LABELS.map((label) => labels[label]).find((label) => label !== undefined);
  const ownName = getValueAt(node, 'metadata', 'name');
  const nodeName = typeof ownName === 'string' ? ownName : '';
  const name = pool ?? nodeName;
  const prefix = `Node ${nodeName}: `;
  const allocatable = getValueAt(node, 'status', 'allocatable');
  const taints = getListAt(node, 'spec', 'taints').filter(isFields);
  checkTypes({ status: { allocatable }, spec: { taints } }, NODE_SCHEMA, prefix);
  return {
    name,
    count: 1,
    allocatable: parseAmounts(allocatable, toFieldPath`status.allocatable`, prefix),
    labels,
    taints: withCordon(parseTaints(taints, toFieldPath`spec.taints`, prefix), node),
    nodeName,
    ...(isNodeDown(node) && { isDown: true }),
  };
}

/** Returns the Nodes of `kubectl get nodes -o json`. Returns undefined for anything else. */
function listNodes(value: Fields): readonly Fields[] | undefined {
  if (value.kind === 'Node') return [value];
  if (value.kind !== 'List' && value.kind !== 'NodeList') return undefined;
  const items = getListAt(value, 'items').filter(isFields);
  return items.every(({ kind }) => kind === 'Node' || kind === undefined) ? items : undefined;
}

/**
 * Parses what a cluster has for the workloads of a plan: amounts in total (`total`), amounts in addition to the running pods (`free`), node
 * pools, or the cluster's own Nodes as `kubectl get nodes -o json` lists them.
 *
 * @example
 * parseCapacity({ free: { 'nvidia.com/gpu': 1 } });
 * parseCapacity({ nodePools: [{ name: 'a100', count: 2, allocatable: { cpu: 32, memory: '256Gi', 'nvidia.com/gpu': 8 } }] });
 *
 * @throws CapacityError for anything else
 */
export function parseCapacity(value: unknown): Capacity {
  if (!isFields(value)) {
    throw new CapacityError(`a capacity is a map with ${Object.keys(CAPACITY_SCHEMA).join(', ')}, and not ${describeValue(value)}`);
  }
  const nodes = listNodes(value);
  if (nodes) return { total: new Map(), free: new Map(), nodePools: nodes.map(parseClusterNode) };
  checkTypes(value, closeSchema(defineMap(CAPACITY_SCHEMA)));
  const pools = (value.nodePools ?? []) as readonly Fields[];
  return {
    total: parseAmounts(value.total, toFieldPath`total`),
    free: parseAmounts(value.free, toFieldPath`free`),
    nodePools: pools.map(parseNodePool),
  };
}
