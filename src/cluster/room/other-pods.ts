import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { fieldsAt, groupOf, listAt, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { Memory } from '../../core/memory';
import { byNamespaceAndName } from '../../core/sorted-by';
import { oncePerPlan } from '../context';
import type { PlanContext } from '../context';
import { POD_KINDS } from '../context-kinds';
import type { ContextKind } from '../context-kinds';
import type { PodSet } from '../workload';
import { admittedPods } from './admission';
import { alikePools } from './alike-nodes';
import { rulesOf, runsOn } from './node-affinity';
import { nodeMakes } from './node-makes';
import type { NodeMake } from './node-makes';
import type { NodePool } from './node-pools';
import { controllingOwner } from '../ownership';
import { podFootprint } from './pod-requests';
import type { Amounts } from './pod-requests';

function countAt(object: unknown, fields: readonly string[], otherwise: number): number {
  const value = valueAt(object, ...fields);
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : otherwise;
}

/** Those with a controller count through it. */
function isOwned(object: Manifest): boolean {
  return controllingOwner(object) !== undefined;
}

function podsOfPod(pod: Manifest): number {
  const phase = valueAt(pod, 'status', 'phase');
  return isOwned(pod) || phase === 'Succeeded' || phase === 'Failed' ? 0 : 1;
}

function podsOfReplicaSet(replicaSet: Manifest): number {
  return isOwned(replicaSet) ? 0 : countAt(replicaSet, ['spec', 'replicas'], 1);
}

/**
 * The pods that a Job runs at once: as many as its parallelism, and no more than its completions still to come.
 *
 * Source: k/k pkg/controller/job/job_controller.go, `manageJob`.
 */
function podsOfJob(job: Manifest): number {
  const isOver = listAt(job, 'status', 'conditions').some(
    (condition) => ['Complete', 'Failed'].includes(valueAt(condition, 'type') as string) && valueAt(condition, 'status') === 'True',
  );
  if (isOver || valueAt(job, 'spec', 'suspend') === true) return 0;
  const toCome = countAt(job, ['spec', 'completions'], Infinity) - countAt(job, ['status', 'succeeded'], 0);
  return Math.max(0, Math.min(countAt(job, ['spec', 'parallelism'], 1), toCome));
}

function templateOf(object: Manifest): Fields {
  return fieldsAt(object, 'spec', 'template');
}

/** A kind of object besides rollouts that runs pods: how many, and of which template. */
interface PodOwner extends ContextKind {
  readonly podsOf: (object: Manifest) => number;
  readonly templateOf: (object: Manifest) => Fields;
  readonly sizePath: FieldPath;
  /** Do its pods end by themselves, and make room? @default false */
  readonly endsByItself?: boolean;
}

const POD_OWNERS: readonly PodOwner[] = [
  { ...POD_KINDS.pod, podsOf: podsOfPod, templateOf: (pod) => pod, sizePath: at`spec.containers` },
  { ...POD_KINDS.replicaSet, podsOf: podsOfReplicaSet, templateOf, sizePath: at`spec.replicas` },
  { ...POD_KINDS.job, podsOf: podsOfJob, templateOf, sizePath: at`spec.parallelism`, endsByItself: true },
];

/** The pods of an object that is no rollout. */
export interface OtherPods {
  readonly object: Manifest;
  /** Where it says how many there are, or where the pod itself stands. */
  readonly sizePath: FieldPath;
  /** Do its pods end by themselves? */
  readonly endsByItself: boolean;
  readonly podSet: PodSet;
}

function podSetOf(object: Manifest, { podsOf, templateOf: template }: PodOwner, { changedPods }: PlanContext): PodSet {
  const namespace = namespaceOf(object);
  const running = changedPods?.(object)?.running;
  return {
    ...(namespace !== undefined && { namespace }),
    replicas: podsOf(object),
    ...(running && { running: running[0] ?? 0 }),
    template: template(object),
  };
}

/** The pods that an object runs which is no rollout: a bare Pod, a ReplicaSet of its own, a Job; undefined for any other. */
export function podsWithoutRollout(object: Manifest): number | undefined {
  return POD_OWNERS.find(({ group, kind }) => groupOf(object) === group && object.kind === kind)?.podsOf(object);
}

/** The pods of the input that no rollout replaces, DaemonSets apart: bare Pods, ReplicaSets of their own, Jobs that are not over. */
export const otherPods = oncePerPlan((context): readonly OtherPods[] =>
  POD_OWNERS.flatMap((owner) =>
    // By name as rollouts are, so that nothing depends on the order of files or units.
    byNamespaceAndName(context.all(owner))
      .map((object) => ({
        object,
        sizePath: owner.sizePath,
        endsByItself: owner.endsByItself ?? false,
        podSet: admittedPods(podSetOf(object, owner, context), context),
      }))
      .filter(({ podSet: { replicas, running = replicas } }) => replicas > 0 || running > 0),
  ),
);

/** How many pods of a DaemonSet run on these nodes: one on each that would keep it, whatever has become of the node since. */
export function daemonPodsOn(daemons: PodSet, pools: readonly NodePool[], memory: Memory): number {
  return alikePools(daemons, pools, memory).reduce(
    (nodes, { pool, count }) => nodes + (runsOn(daemons, pool, 'old', memory) ? count : 0),
    0,
  );
}

/** A pool with what the daemons leave of each of its nodes. */
function withoutUse(pool: NodePool, use: Amounts): NodePool {
  const allocatable = new Map(pool.allocatable);
  for (const [resource, amount] of use) {
    const left = allocatable.get(resource);
    if (left !== undefined) allocatable.set(resource, left > amount ? left - amount : 0n);
  }
  return { ...pool, allocatable };
}

/** What one pod of each daemon uses together, by the rules of where they may go: those of the same rules are on the same nodes. */
function useByRules(daemons: readonly PodSet[], memory: Memory): { readonly member: PodSet; readonly use: Map<string, bigint> }[] {
  const byRules = new Map<string, { readonly member: PodSet; readonly use: Map<string, bigint> }>();
  for (const podSet of daemons) {
    const { key } = rulesOf(podSet, memory);
    const known = byRules.get(key) ?? { member: podSet, use: new Map<string, bigint>() };
    byRules.set(key, known);
    for (const [resource, amount] of podFootprint(podSet.template.spec)) known.use.set(resource, (known.use.get(resource) ?? 0n) + amount);
  }
  return [...byRules.values()];
}

function add(use: Map<string, bigint>, amounts: Amounts, times: bigint): void {
  for (const [resource, amount] of amounts) use.set(resource, (use.get(resource) ?? 0n) + amount * times);
}

/** What is used by whom, such as a pool, as it is added up. */
class Uses<Of extends object> {
  private readonly known = new Map<Of, Map<string, bigint>>();

  of(user: Of): Map<string, bigint> {
    const use = this.known.get(user) ?? new Map<string, bigint>();
    this.known.set(user, use);
    return use;
  }
}

/**
 * What the daemons use together of each node of a pool.
 *
 * Daemons that run on all nodes of a make but for a few are added to the make, and taken off those few.
 */
export function daemonUse(daemons: readonly PodSet[], pools: readonly NodePool[], memory: Memory): ReadonlyMap<NodePool, Amounts> {
  const { ofPlace } = nodeMakes(pools, memory);
  const ofMakes = new Uses<NodeMake>();
  const ofPools = new Uses<NodePool>();
  for (const { member, use } of useByRules(daemons, memory)) {
    const near = alikePools(member, pools, memory);
    const runs = near.filter(({ pool }) => runsOn(member, pool, 'old', memory));
    const whole = new Set(runs.flatMap(({ make }) => make ?? []));
    for (const make of whole) add(ofMakes.of(make), use, 1n);
    for (const { make, place, pool } of near) if (!make && whole.has(ofPlace[place]!)) add(ofPools.of(pool), use, -1n);
    for (const { make, pool } of runs) if (!make) add(ofPools.of(pool), use, 1n);
  }
  return new Map(
    pools.map((pool, place) => {
      const use = new Map(ofMakes.of(ofPlace[place]!));
      add(use, ofPools.of(pool), 1n);
      return [pool, use];
    }),
  );
}

/** The pools with what the daemons leave of their nodes. */
export function poolsBesideDaemons(pools: readonly NodePool[], daemons: readonly PodSet[], memory: Memory): NodePool[] {
  const uses = daemonUse(daemons, pools, memory);
  return pools.map((pool) => withoutUse(pool, uses.get(pool)!));
}
