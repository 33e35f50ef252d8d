import { at, childPath, fieldPath, fieldPathParts, WHOLE_OBJECT } from '../../core/field-path';
import type { FieldPath, PathPart } from '../../core/field-path';
import { fieldsAt, isFields, listAt, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { nearestName } from '../../core/nearest-name';
import { nanosOf } from '../../core/quantity';
import { INT64, listOf, map, MAP, needed, schemaProblems, STRING, STRING_MAP, whole } from '../../core/schema';
import type { FieldSchema, ProblemOf } from '../../core/schema';
import { describeValue } from '../../core/seen';
import type { PodSet } from '../workload';
import { resourceLimit, resourceUse } from './limits';
import type { Allowance, ResourceLimit } from './limits';
import type { Taint } from './node-affinity';
import type { NodePool } from './node-pools';
import { podFootprint } from './pod-requests';
import type { Amounts } from './pod-requests';

/** What a cluster has for the workloads of a plan. Every part that is given holds; what is not named is not limited. */
export interface Capacity {
  /** In all, the pods that run now included. */
  readonly total: Amounts;
  /** Besides the pods that run now. */
  readonly free: Amounts;
  /** By node, so that a pod has to fit on one of them. */
  readonly nodePools: readonly NodePool[];
}

/** Thrown for a capacity that cannot be read; the message says what to write. */
export class CapacityError extends Error {
  override readonly name = 'CapacityError';
}

/** Labels in which clouds and Karpenter keep the name of a node's pool. */
const POOL_LABELS = [
  'karpenter.sh/nodepool',
  'cloud.google.com/gke-nodepool',
  'eks.amazonaws.com/nodegroup',
  'kubernetes.azure.com/agentpool',
];

const TAINT_EFFECTS: readonly unknown[] = ['NoSchedule', 'NoExecute', 'PreferNoSchedule'];

const TEXT = needed(STRING);
const TAINTS = listOf({ key: TEXT, value: TEXT, effect: TEXT });
const POOL = { name: TEXT, count: needed(INT64), allocatable: MAP, labels: STRING_MAP, taints: whole(TAINTS) };
const CAPACITY = { total: MAP, free: MAP, nodePools: needed(whole(listOf(POOL))) };

/** Of a Node only these are read; whatever else it holds passes. */
const NODE = map({ status: map({ allocatable: MAP }), spec: map({ taints: TAINTS }) });

const AMOUNT = 'write a quantity of at least 0, such as 4, 500m or 64Gi';
const RESOURCES = 'write a map of resources, such as { nvidia.com/gpu: 4 }';

/** What to write into a field; `[]` is for an item of a list. */
const WRITE: Readonly<Record<string, string>> = {
  total: RESOURCES,
  free: RESOURCES,
  allocatable: RESOURCES,
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

/** `count` of `nodePools[0].count`, `nodePools[]` of `nodePools[0]`. */
function roleOf(parts: readonly PathPart[]): string {
  const last = parts.at(-1);
  return typeof last === 'number' ? `${parts.at(-2)}[]` : `${last}`;
}

/** @param of whose fields these are: nothing for the capacity itself, else `Node a: ` */
function refused(of: string, path: FieldPath, value: unknown): CapacityError {
  return new CapacityError(`${of}${path} is ${describeValue(value)}: ${WRITE[roleOf(fieldPathParts(path))]}`);
}

function unknownField({ path, known }: ProblemOf<'unknown'>): CapacityError {
  const parts = fieldPathParts(path);
  const holder = fieldPath(...parts.slice(0, -1)) || 'The capacity';
  const name = `${parts.at(-1)}`;
  return new CapacityError(`${holder} has no field "${name}": write ${nearestName(name, known) ?? `one of ${known.join(', ')}`}`);
}

function wrongLabels(path: FieldPath): CapacityError {
  return new CapacityError(`${path} is not a map of strings: write the labels of the nodes, such as { gpu: a100 }`);
}

/** @throws CapacityError for the first field that is not known or has another type */
function checkTypes(value: unknown, schema: FieldSchema, of = ''): void {
  const [problem] = schemaProblems(value, schema, WHOLE_OBJECT, { takesTokens: false });
  if (!problem) return;
  if (problem.kind === 'unknown') throw unknownField(problem);
  const parts = fieldPathParts(problem.path);
  const labels = parts.indexOf('labels');
  if (labels >= 0) throw wrongLabels(fieldPath(...parts.slice(0, labels + 1)));
  throw refused(of, problem.path, problem.value);
}

function amountsAt(value: unknown, path: FieldPath, of = ''): Amounts {
  const amounts = Object.entries((value ?? {}) as Fields).map(([resource, quantity]) => {
    const amount = nanosOf(quantity);
    if (amount !== undefined && amount >= 0n) return [resource, amount] as const;
    throw new CapacityError(`${of}${childPath(path, resource)} is ${describeValue(quantity)}: ${AMOUNT}`);
  });
  return new Map(amounts);
}

function labelsAt(value: unknown, path: FieldPath): Readonly<Record<string, string>> | undefined {
  if (value === undefined || value === null) return undefined;
  // A null is left out for the schema, and no label of a node.
  if (Object.values(value).some((label) => typeof label !== 'string')) throw wrongLabels(path);
  return value as Readonly<Record<string, string>>;
}

function taintsAt(value: unknown, path: FieldPath, of = ''): Taint[] {
  return ((value ?? []) as readonly Partial<Taint>[]).map(({ key, value: own = '', effect }, index) => {
    if (key === undefined || key === '') throw refused(of, at`${path}[${index}].key`, key);
    if (!TAINT_EFFECTS.includes(effect)) throw refused(of, at`${path}[${index}].effect`, effect);
    return { key, value: own, effect: effect! };
  });
}

function nodePoolOf({ name, count, ...pool }: Fields, index: number): NodePool {
  const path = at`nodePools[${index}]`;
  if (!Number.isSafeInteger(count) || (count as number) < 0) throw refused('', at`${path}.count`, count);
  const labels = labelsAt(pool.labels, at`${path}.labels`);
  const taints = taintsAt(pool.taints, at`${path}.taints`);
  const allocatable = amountsAt(pool.allocatable, at`${path}.allocatable`);
  const known = typeof name === 'string' ? name : `pool ${index + 1}`;
  return { name: known, count: count as number, allocatable, taints, ...(labels && { labels }) };
}

/** What the node controller does to a node that is cordoned. */
const CORDONED: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** One that has just been cordoned may not have its taint yet. */
function withCordon(taints: readonly Taint[], node: Fields): readonly Taint[] {
  const isCordoned = valueAt(node, 'spec', 'unschedulable') === true && taints.every(({ key }) => key !== CORDONED.key);
  return isCordoned ? [...taints, CORDONED] : taints;
}

/** Is a Node not ready now, by its condition? */
function isDown(node: Fields): boolean {
  const ready = listAt(node, 'status', 'conditions').find((condition) => valueAt(condition, 'type') === 'Ready');
  return ready !== undefined && valueAt(ready, 'status') !== 'True';
}

/**
 * A Node of a cluster as a pool of one.
 *
 * @throws CapacityError for amounts or taints that cannot be read
 */
export function nodeOf(node: Fields): NodePool {
  const labels = fieldsAt(node, 'metadata', 'labels') as Readonly<Record<string, string>>;
  const pool = POOL_LABELS.map((label) => labels[label]).find((label) => label !== undefined);
  const ownName = valueAt(node, 'metadata', 'name');
  const nodeName = typeof ownName === 'string' ? ownName : '';
  const name = pool ?? nodeName;
  const of = `Node ${nodeName}: `;
  const allocatable = valueAt(node, 'status', 'allocatable');
  const taints = listAt(node, 'spec', 'taints').filter(isFields);
  checkTypes({ status: { allocatable }, spec: { taints } }, NODE, of);
  return {
    name,
    count: 1,
    allocatable: amountsAt(allocatable, at`status.allocatable`, of),
    labels,
    taints: withCordon(taintsAt(taints, at`spec.taints`, of), node),
    nodeName,
    ...(isDown(node) && { isDown: true }),
  };
}

/** The Nodes of `kubectl get nodes -o json`; undefined for anything else. */
function nodesOf(value: Fields): readonly Fields[] | undefined {
  if (value.kind === 'Node') return [value];
  if (value.kind !== 'List' && value.kind !== 'NodeList') return undefined;
  const items = listAt(value, 'items').filter(isFields);
  return items.every(({ kind }) => kind === 'Node' || kind === undefined) ? items : undefined;
}

/**
 * Reads what a cluster has for the workloads of a plan: amounts in all (`total`), amounts besides the pods that run now (`free`),
 * node pools, or the cluster's own Nodes as `kubectl get nodes -o json` lists them.
 *
 * @example
 * parseCapacity({ free: { 'nvidia.com/gpu': 1 } });
 * parseCapacity({ nodePools: [{ name: 'a100', count: 2, allocatable: { cpu: 32, memory: '256Gi', 'nvidia.com/gpu': 8 } }] });
 *
 * @throws CapacityError for anything else
 */
export function parseCapacity(value: unknown): Capacity {
  if (!isFields(value)) {
    throw new CapacityError(`a capacity is a map with ${Object.keys(CAPACITY).join(', ')}, and not ${describeValue(value)}`);
  }
  const nodes = nodesOf(value);
  if (nodes) return { total: new Map(), free: new Map(), nodePools: nodes.map(nodeOf) };
  checkTypes(value, whole(map(CAPACITY)));
  const pools = (value.nodePools ?? []) as readonly Fields[];
  return { total: amountsAt(value.total, at`total`), free: amountsAt(value.free, at`free`), nodePools: pools.map(nodePoolOf) };
}

/** The limits that a capacity sets for all pods together, node pools apart. */
export function capacityLimits({ total, free }: Capacity, podSets: readonly PodSet[]): ResourceLimit[] {
  const limit = (resource: string, allowance: Allowance) =>
    resourceLimit(
      { kind: 'capacity', name: 'capacity', resource },
      allowance,
      resourceUse(podSets, ({ template }) => podFootprint(template.spec).get(resource) ?? 0n),
    ) ?? [];
  return [
    ...[...total].flatMap(([resource, amount]) => limit(resource, { total: amount })),
    ...[...free].flatMap(([resource, amount]) => limit(resource, { free: amount })),
  ];
}
