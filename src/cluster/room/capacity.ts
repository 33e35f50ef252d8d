import { at, childPath } from '../../core/field-path';
import { nearestName } from '../../core/nearest-name';
import { fieldsAt, isFields, listAt, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { nanosOf } from '../../core/quantity';
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

const KEYS = ['total', 'free', 'nodePools'];
const POOL_KEYS = ['name', 'count', 'allocatable', 'labels', 'taints'];
const TAINT_KEYS = ['key', 'value', 'effect'];
const TAINT_EFFECTS: readonly unknown[] = ['NoSchedule', 'NoExecute', 'PreferNoSchedule'];

function checkKeys(value: Fields, known: readonly string[], path: string): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const nearest = nearestName(key, known);
    throw new CapacityError(`${path} has no field "${key}": write ${nearest ?? `one of ${known.join(', ')}`}`);
  }
}

function amountsAt(value: unknown, path: string): Amounts {
  if (value === undefined || value === null) return new Map();
  if (!isFields(value))
    throw new CapacityError(`${path} is ${describeValue(value)}: write a map of resources, such as { nvidia.com/gpu: 4 }`);
  return new Map(
    Object.entries(value).map(([resource, quantity]) => {
      const amount = nanosOf(quantity);
      if (amount !== undefined && amount >= 0n) return [resource, amount];
      throw new CapacityError(
        `${childPath(path, resource)} is ${describeValue(quantity)}: write a quantity of at least 0, such as 4, 500m or 64Gi`,
      );
    }),
  );
}

function labelsAt(value: unknown, path: string): Readonly<Record<string, string>> | undefined {
  if (value === undefined || value === null) return undefined;
  if (isFields(value) && Object.values(value).every((label) => typeof label === 'string')) return value as Readonly<Record<string, string>>;
  throw new CapacityError(`${path} is not a map of strings: write the labels of the nodes, such as { gpu: a100 }`);
}

function taintOf(value: unknown, path: string): Taint {
  if (!isFields(value)) throw new CapacityError(`${path} is ${describeValue(value)}: write a map with key, value and effect`);
  checkKeys(value, TAINT_KEYS, path);
  const { key, value: own = '', effect } = value;
  if (typeof key !== 'string' || key === '')
    throw new CapacityError(`${at`${path}.key`} is ${describeValue(key)}: write the key of the taint`);
  if (typeof own !== 'string') throw new CapacityError(`${at`${path}.value`} is ${describeValue(own)}: write a string`);
  if (TAINT_EFFECTS.includes(effect)) return { key, value: own, effect: effect as Taint['effect'] };
  throw new CapacityError(`${at`${path}.effect`} is ${describeValue(effect)}: write one of ${TAINT_EFFECTS.join(', ')}`);
}

function taintsAt(value: unknown, path: string): Taint[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((taint, index) => taintOf(taint, childPath(path, index)));
  throw new CapacityError(`${path} is ${describeValue(value)}: write a list of taints, such as [{ key: gpu, effect: NoSchedule }]`);
}

function nodePoolOf(value: unknown, index: number): NodePool {
  const path = at`nodePools[${index}]`;
  if (!isFields(value)) throw new CapacityError(`${path} is ${describeValue(value)}: write a map with name, count and allocatable`);
  checkKeys(value, POOL_KEYS, path);
  const { name = `pool ${index + 1}`, count } = value;
  if (typeof name !== 'string') throw new CapacityError(`${at`${path}.name`} is ${describeValue(name)}: write a string`);
  if (!Number.isSafeInteger(count) || (count as number) < 0)
    throw new CapacityError(`${at`${path}.count`} is ${describeValue(count)}: write a number of nodes of at least 0`);
  const labels = labelsAt(value.labels, at`${path}.labels`);
  const taints = taintsAt(value.taints, at`${path}.taints`);
  const allocatable = amountsAt(value.allocatable, at`${path}.allocatable`);
  return { name, count: count as number, allocatable, taints, ...(labels && { labels }) };
}

/** What the node controller does to a node that is cordoned. */
const CORDONED: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** The taints of a Node; one that has just been cordoned may not have its taint yet. */
function nodeTaints(node: Fields, name: string): Taint[] {
  const listed = listAt(node, 'spec', 'taints').filter(isFields);
  const taints = listed.map(({ key, value, effect }, index) => taintOf({ key, value, effect }, `Node ${name}: spec.taints[${index}]`));
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
  const allocatable = amountsAt(valueAt(node, 'status', 'allocatable'), `Node ${nodeName}: status.allocatable`);
  return { name, count: 1, allocatable, labels, taints: nodeTaints(node, nodeName), nodeName, ...(isDown(node) && { isDown: true }) };
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
  if (!isFields(value)) throw new CapacityError(`a capacity is a map with ${KEYS.join(', ')}, and not ${describeValue(value)}`);
  const nodes = nodesOf(value);
  if (nodes) return { total: new Map(), free: new Map(), nodePools: nodes.map(nodeOf) };
  checkKeys(value, KEYS, 'The capacity');
  const { nodePools = [] } = value;
  if (!Array.isArray(nodePools)) throw new CapacityError(`nodePools is ${describeValue(nodePools)}: write a list`);
  return { total: amountsAt(value.total, 'total'), free: amountsAt(value.free, 'free'), nodePools: nodePools.map(nodePoolOf) };
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
