import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { getFieldsAt, groupOf, getListAt, namespaceOf, getValueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { PlanCache } from '../../core/plan-cache';
import { sortByNamespaceAndName } from '../../core/sort-by';
import { memoizePerPlan } from '../context';
import type { PlanContext } from '../context';
import { POD_KINDS } from '../context-kinds';
import type { ContextKind } from '../context-kinds';
import type { PodSet } from '../workload';
import { applyLimitRangeToPods } from './admission';
import { findEquivalentPools } from './equivalent-node-pools';
import { nodeRulesOf, canRunOn } from './node-affinity';
import { groupNodesByClass } from './node-classes';
import type { NodeClass } from './node-classes';
import type { NodePool } from './node-pools';
import { findControllingOwner } from '../ownership';
import { computePodFootprint } from './pod-requests';
import type { Amounts } from './pod-requests';

function readCount(object: unknown, fields: readonly string[], fallback: number): number {
  const value = getValueAt(object, ...fields);
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : fallback;
}

/** Those with a controller count through it. */
function hasController(object: Manifest): boolean {
  return findControllingOwner(object) !== undefined;
}

function countPodsOfPod(pod: Manifest): number {
  const phase = getValueAt(pod, 'status', 'phase');
  return hasController(pod) || phase === 'Succeeded' || phase === 'Failed' ? 0 : 1;
}

function countPodsOfReplicaSet(replicaSet: Manifest): number {
  return hasController(replicaSet) ? 0 : readCount(replicaSet, ['spec', 'replicas'], 1);
}

/**
 * The pods that a Job runs at once: as many as its parallelism, and no more than its completions still to come.
 *
 * Source: k/k pkg/controller/job/job_controller.go, `manageJob`.
 */
function countPodsOfJob(job: Manifest): number {
  const isOver = getListAt(job, 'status', 'conditions').some(
    (condition) => ['Complete', 'Failed'].includes(getValueAt(condition, 'type') as string) && getValueAt(condition, 'status') === 'True',
  );
  if (isOver || getValueAt(job, 'spec', 'suspend') === true) return 0;
  const remaining = readCount(job, ['spec', 'completions'], Infinity) - readCount(job, ['status', 'succeeded'], 0);
  return Math.max(0, Math.min(readCount(job, ['spec', 'parallelism'], 1), remaining));
}

function templateOf(object: Manifest): Fields {
  return getFieldsAt(object, 'spec', 'template');
}

/** A kind of object besides rollouts that runs pods: how many, and of which template. */
interface PodOwner extends ContextKind {
  readonly countPods: (object: Manifest) => number;
  readonly templateOf: (object: Manifest) => Fields;
  readonly sizePath: FieldPath;
  /** Do its pods end by themselves, and make room? @default false */
  readonly runsToCompletion?: boolean;
}

const POD_OWNERS: readonly PodOwner[] = [
  { ...POD_KINDS.pod, countPods: countPodsOfPod, templateOf: (pod) => pod, sizePath: toFieldPath`spec.containers` },
  { ...POD_KINDS.replicaSet, countPods: countPodsOfReplicaSet, templateOf, sizePath: toFieldPath`spec.replicas` },
  { ...POD_KINDS.job, countPods: countPodsOfJob, templateOf, sizePath: toFieldPath`spec.parallelism`, runsToCompletion: true },
];

/** The pods of an object that is no rollout. */
export interface OtherPods {
  readonly object: Manifest;
  /** Where it says how many there are, or where the pod itself stands. */
  readonly sizePath: FieldPath;
  /** Do its pods end by themselves? */
  readonly runsToCompletion: boolean;
  readonly podSet: PodSet;
}

function buildPodSet(object: Manifest, { countPods, templateOf: template }: PodOwner, { changedPods }: PlanContext): PodSet {
  const namespace = namespaceOf(object);
  const running = changedPods?.(object)?.running;
  return {
    ...(namespace !== undefined && { namespace }),
    replicas: countPods(object),
    ...(running && { running: running[0] ?? 0 }),
    template: template(object),
  };
}

/** The pods that an object runs which is no rollout: a bare Pod, a ReplicaSet of its own, a Job; undefined for any other. */
export function countPodsWithoutRollout(object: Manifest): number | undefined {
  return POD_OWNERS.find(({ group, kind }) => groupOf(object) === group && object.kind === kind)?.countPods(object);
}

/** The pods of the input that no rollout replaces, DaemonSets apart: bare Pods, ReplicaSets of their own, Jobs that are not over. */
export const listOtherPods = memoizePerPlan((context): readonly OtherPods[] =>
  POD_OWNERS.flatMap((owner) =>
    // By name as rollouts are, so that nothing depends on the order of files or units.
    sortByNamespaceAndName(context.all(owner))
      .map((object) => ({
        object,
        sizePath: owner.sizePath,
        runsToCompletion: owner.runsToCompletion ?? false,
        podSet: applyLimitRangeToPods(buildPodSet(object, owner, context), context),
      }))
      .filter(({ podSet: { replicas, running = replicas } }) => replicas > 0 || running > 0),
  ),
);

/** How many pods of a DaemonSet run on these nodes: one on each that would keep it, whatever has become of the node since. */
export function countDaemonPodsOn(daemons: PodSet, pools: readonly NodePool[], cache: PlanCache): number {
  return findEquivalentPools(daemons, pools, cache).reduce(
    (nodes, { pool, count }) => nodes + (canRunOn(daemons, pool, 'old', cache) ? count : 0),
    0,
  );
}

/** A pool with what the daemons leave of each of its nodes. */
function subtractUse(pool: NodePool, use: Amounts): NodePool {
  const allocatable = new Map(pool.allocatable);
  for (const [resource, amount] of use) {
    const left = allocatable.get(resource);
    if (left !== undefined) allocatable.set(resource, left > amount ? left - amount : 0n);
  }
  return { ...pool, allocatable };
}

/** What one pod of each daemon uses together, by the rules of where they may go: those of the same rules are on the same nodes. */
function sumUseByRules(daemons: readonly PodSet[], cache: PlanCache): { readonly member: PodSet; readonly use: Map<string, bigint> }[] {
  const byRules = new Map<string, { readonly member: PodSet; readonly use: Map<string, bigint> }>();
  for (const podSet of daemons) {
    const { key } = nodeRulesOf(podSet, cache);
    const known = byRules.get(key) ?? { member: podSet, use: new Map<string, bigint>() };
    byRules.set(key, known);
    for (const [resource, amount] of computePodFootprint(podSet.template.spec))
      known.use.set(resource, (known.use.get(resource) ?? 0n) + amount);
  }
  return [...byRules.values()];
}

function addUse(use: Map<string, bigint>, amounts: Amounts, times: bigint): void {
  for (const [resource, amount] of amounts) use.set(resource, (use.get(resource) ?? 0n) + amount * times);
}

/** What is used by whom, such as a pool, as it is added up. */
class UseTotals<Of extends object> {
  private readonly totals = new Map<Of, Map<string, bigint>>();

  get(user: Of): Map<string, bigint> {
    const use = this.totals.get(user) ?? new Map<string, bigint>();
    this.totals.set(user, use);
    return use;
  }
}

/**
 * What the daemons use together of each node of a pool.
 *
 * Daemons that run on all nodes of a make but for a few are added to the make, and taken off those few.
 */
export function computeDaemonUse(daemons: readonly PodSet[], pools: readonly NodePool[], cache: PlanCache): ReadonlyMap<NodePool, Amounts> {
  const { byIndex: classByIndex } = groupNodesByClass(pools, cache);
  const useByClass = new UseTotals<NodeClass>();
  const useByPool = new UseTotals<NodePool>();
  for (const { member: samplePodSet, use } of sumUseByRules(daemons, cache)) {
    const equivalentPools = findEquivalentPools(samplePodSet, pools, cache);
    const runnablePools = equivalentPools.filter(({ pool }) => canRunOn(samplePodSet, pool, 'old', cache));
    const fullClasses = new Set(runnablePools.flatMap(({ nodeClass }) => nodeClass ?? []));
    for (const nodeClass of fullClasses) addUse(useByClass.get(nodeClass), use, 1n);
    for (const { nodeClass, place: index, pool } of equivalentPools)
      if (!nodeClass && fullClasses.has(classByIndex[index]!)) addUse(useByPool.get(pool), use, -1n);
    for (const { nodeClass, pool } of runnablePools) if (!nodeClass) addUse(useByPool.get(pool), use, 1n);
  }
  return new Map(
    pools.map((pool, index) => {
      const use = new Map(useByClass.get(classByIndex[index]!));
      addUse(use, useByPool.get(pool), 1n);
      return [pool, use];
    }),
  );
}

/** The pools with what the daemons leave of their nodes. */
export function subtractDaemonUse(pools: readonly NodePool[], daemons: readonly PodSet[], cache: PlanCache): NodePool[] {
  const uses = computeDaemonUse(daemons, pools, cache);
  return pools.map((pool) => subtractUse(pool, uses.get(pool)!));
}
