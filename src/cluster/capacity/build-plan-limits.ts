import type { Manifest } from '../../core/manifest/manifest';
import { createOwnTest, planCacheOf } from '../context/context';
import type { PlanContext } from '../context/context';
import type { Capacity, NodePool } from '../context/capacity';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import { memoize } from '../../core/collections/memoize';
import type { PlanCache } from '../../core/collections/plan-cache';
import type { PodSet } from '../rollout/pod-set';
import { findPodSecurityRejections } from './admission/pod-security-rejection';
import type { Workload } from '../rollout/workload';
import { findLimitRangeRejections } from './admission/limit-range-rejection';
import { listQuotaLimits } from './admission/quota';
import { findQuotaRejections } from './admission/quota-rejection';
import { collectDaemonSurroundings } from './surroundings/daemon-surroundings';
import { findUndersizedNodes, subtractDaemonUse } from './nodes/daemon-use';
import type { UndersizedNodes } from './nodes/daemon-use';
import { buildResourceLimit, computeResourceUse, groupLimitsByPodSet } from './limits';
import type { Allowance, ResourceLimit } from './limits';
import { nodePoolsOf } from './input-nodes';
import { mergeNodePools } from './nodes/node-pools';
import { splitByVersion, withContainersOf } from './kept-pods';
import { hasOldPodsLikeNew } from './nodes/pod-needs';
import { placeSteadyPods } from './nodes/steady-pods';
import { listOtherPods } from './other-pods';
import type { PlanLimits } from './plan-limits';
import { computePodFootprint } from './pod-requests';
import { canPreemptFor } from './surroundings/evictions';
import {
  collectSurroundings,
  listUnplannedPodSets,
  subtractPodsOfOthers,
  subtractRunningPods,
  removeRunningPods,
} from './surroundings/surroundings';
import type { RunningPod } from './surroundings/running-pods';
import type { Surroundings } from './surroundings/surroundings';

/** Returns a DaemonSet with the requests of the old pods, if those stay until the new ones of their nodes are ready. */
function withRunningRequests(daemon: PodSet): PodSet {
  const { template, oldTemplate } = daemon;
  const { surge = 0 } = (daemon as Partial<Workload>).rollout ?? {};
  if (oldTemplate === undefined || surge === 0) return daemon;
  return { ...daemon, template: withContainersOf(template, oldTemplate) };
}

/** Returns a set with the template of its old pods, if these request other amounts than new ones, or accept other nodes. */
function findOldSet(podSet: PodSet, cache: PlanCache): PodSet | undefined {
  return hasOldPodsLikeNew(podSet, cache) ? undefined : { ...podSet, template: podSet.oldTemplate! };
}

/** Lists what refuses every new pod of a set, whatever is left: pod security, LimitRanges and quotas. */
function listRejections(podSets: readonly PodSet[], quotas: readonly Manifest[], context: PlanContext) {
  return [
    ...findPodSecurityRejections(podSets, context),
    ...findLimitRangeRejections(context.all(CONTEXT_KINDS.limitRange), podSets),
    ...findQuotaRejections(quotas, podSets),
  ];
}

/** Builds the limits that a capacity sets for all pods together, without its node pools. */
function buildCapacityLimits({ total, free }: Capacity, podSets: readonly PodSet[]): ResourceLimit[] {
  const limit = (resource: string, allowance: Allowance) =>
    buildResourceLimit(
      { kind: 'capacity', name: 'capacity', resource },
      allowance,
      computeResourceUse(podSets, ({ template }) => computePodFootprint(template.spec).get(resource) ?? 0n),
    ) ?? [];
  return [
    ...[...total].flatMap(([resource, amount]) => limit(resource, { total: amount })),
    ...[...free].flatMap(([resource, amount]) => limit(resource, { free: amount })),
  ];
}

/** Finds the nodes that are too small for their daemons together, and the daemons that may evict pods there. */
function findUndersizedDaemons(
  daemons: readonly PodSet[],
  surroundings: Surroundings,
  context: PlanContext,
  cache: PlanCache,
): Pick<PlanLimits, 'undersizedNodes' | 'mayEvict'> {
  // A Node of the input without allocatable resources has unknown capacity.
  const known = nodePoolsOf(context).filter(({ allocatable }) => allocatable.size > 0);
  const findUndersized = (nodes: readonly NodePool[]): ReadonlyMap<PodSet, UndersizedNodes> =>
    daemons.length > 0 ? findUndersizedNodes(daemons, mergeNodePools(nodes, daemons, cache), cache) : new Map();
  const undersizedNodes = findUndersized(subtractPodsOfOthers(known, surroundings));
  // Daemons that may evict pods of lower priority lack no node that is large enough for them.
  const undersizedIfEmpty = daemons.some((daemon) => undersizedNodes.has(daemon)) ? findUndersized(known) : undersizedNodes;
  const mayEvict = new Set(
    daemons.filter((daemon) => undersizedNodes.has(daemon) && !undersizedIfEmpty.has(daemon) && canPreemptFor(daemon, surroundings)),
  );
  return { undersizedNodes, mayEvict };
}

/** Adds to the surroundings the pods that are on no node in view, and those that ask for the capacity of the nodes. */
function addDemands(
  surroundings: Surroundings,
  podSets: readonly PodSet[],
  { podSetsOnNodes, steady }: ReturnType<typeof placeSteadyPods>,
  cache: PlanCache,
): void {
  const countRunning = (podSet: PodSet) => surroundings.ownPods.get(podSet)?.length ?? 0;
  surroundings.unlocated = podSets.flatMap((podSet) => {
    const { isNew = false, replicas, running = isNew ? 0 : replicas } = podSet;
    const pods = running - countRunning(podSet);
    return pods > 0 ? { podSet, asOld: findOldSet(podSet, cache) ?? podSet, pods } : [];
  });
  // Pods that do not fit while nothing rolls out use no node.
  surroundings.demands = podSets
    .map((podSet, index) => {
      const placed = (podSetsOnNodes[index]?.replicas ?? 0) - (steady?.unplacedBySet.get(podSet) ?? 0);
      if (placed < podSet.replicas) surroundings.hasUnplacedPods = true;
      const asOld = findOldSet(podSet, cache);
      // The old pods run, whether new ones fit or not.
      if (asOld) return { podSet, asOld, pods: (podSet.running ?? podSet.replicas) - countRunning(podSet) };
      // Pods that the apply adds have no node yet.
      return { podSet, pods: Math.min(placed, podSet.running ?? placed) - countRunning(podSet) };
    })
    .filter(({ pods }) => pods > 0);
}

/** Builds the limits on the pods of the rollouts. They share them with all other pods of the unit, and with pods of other units. */
function buildLimits(
  rolloutPodSets: readonly PodSet[],
  quotas: readonly Manifest[],
  context: PlanContext,
  otherUnits: readonly PodSet[] = [],
): PlanLimits {
  const cache = planCacheOf(context);
  const pools = nodePoolsOf(context).filter(({ allocatable, nodeName }) => allocatable.size > 0 || nodeName === undefined);
  const daemons = rolloutPodSets.filter(({ onePerNode }) => onePerNode);
  const ownOthers = listOtherPods(context).flatMap(({ podSet }) => splitByVersion(podSet, cache));
  const others = [...ownOthers, ...otherUnits];
  const emptyNodes = subtractDaemonUse(pools, daemons.map(withRunningRequests), cache);
  const surroundings = collectSurroundings(emptyNodes, rolloutPodSets, context, cache);
  const all = [...rolloutPodSets, ...others, ...listUnplannedPodSets(surroundings)];
  const resources = [
    ...listRejections([...rolloutPodSets, ...ownOthers], quotas, context),
    ...listQuotaLimits(quotas, all, surroundings.devices),
    ...(context.capacity ? buildCapacityLimits(context.capacity, all) : []),
  ];
  const byPodSet = groupLimitsByPodSet(resources);
  // Daemons are placed on every node before any other pod.
  const placeable = rolloutPodSets.filter(({ countOnly, onePerNode }) => !countOnly && !onePerNode);
  const merge = (nodes: readonly NodePool[]) => mergeNodePools(nodes, [...placeable, ...others, ...daemons], cache);
  const nodePools = merge(subtractRunningPods(surroundings));
  const mergeWithout = (isGone: (pod: RunningPod) => boolean) =>
    memoize(() => (surroundings.podsByNode.size === 0 ? nodePools : merge(removeRunningPods(surroundings, isGone))));
  const unplanned = new Set(surroundings.unplanned);
  const undersized = findUndersizedDaemons(daemons, surroundings, context, cache);
  const countRunning = (podSet: PodSet) => surroundings.ownPods.get(podSet)?.length ?? 0;
  const steady = placeSteadyPods(placeable, others, nodePools, cache, countRunning);
  surroundings.sets = [...rolloutPodSets, ...others];
  addDemands(surroundings, [...placeable, ...others], steady, cache);
  return {
    ...steady,
    ...(pools.length > 0 && { surroundings }),
    surroundingsOf: (daemon) =>
      pools.length > 0 ? collectDaemonSurroundings(daemon, pools, rolloutPodSets, surroundings, context, cache) : undefined,
    nodePools,
    emptyPools: mergeWithout(() => true),
    poolsWithoutPlanned: mergeWithout((pod) => !unplanned.has(pod)),
    daemons,
    ...undersized,
    cache,
    resources,
    resourcesOf: (podSet) => byPodSet.get(podSet) ?? [],
  };
}

/** Kinds that limit pods: how many run, where they run, or which ones are created. */
const LIMITING_KINDS = [
  CONTEXT_KINDS.resourceQuota,
  CONTEXT_KINDS.limitRange,
  CONTEXT_KINDS.namespace,
  CONTEXT_KINDS.node,
  CONTEXT_KINDS.nodePool,
] as const;

/** Reports whether anything in view limits pods. */
export function hasPodLimits(context: PlanContext): boolean {
  return context.capacity !== undefined || LIMITING_KINDS.some((kind) => context.all(kind).length > 0);
}

/** Returns the limits of a plan in which nothing limits pods. */
export function buildNoLimits(context: PlanContext): PlanLimits {
  return {
    nodePools: [],
    emptyPools: () => [],
    poolsWithoutPlanned: () => [],
    daemons: [],
    undersizedNodes: new Map(),
    mayEvict: new Set(),
    cache: planCacheOf(context),
    resources: [],
    podSetsOnNodes: [],
    resourcesOf: () => [],
    surroundingsOf: () => undefined,
  };
}

/** Builds the limits of a unit, and what other units leave of shared limits: a capacity, and quotas outside the unit. */
export function buildUnitLimits(planned: readonly PodSet[], otherUnits: readonly PodSet[], context: PlanContext): PlanLimits {
  const rolloutPodSets = planned.flatMap((podSet) => splitByVersion(podSet, planCacheOf(context)));
  const quotas = context.all(CONTEXT_KINDS.resourceQuota);
  const limits = buildLimits(rolloutPodSets, quotas, context);
  if (otherUnits.length === 0) return limits;
  const isOwn = createOwnTest(context, CONTEXT_KINDS.resourceQuota);
  const shared = quotas.filter((quota) => !isOwn(quota));
  if (shared.length === 0 && context.capacity === undefined) return limits;
  const placeable = otherUnits.filter(({ countOnly, onePerNode }) => !countOnly && !onePerNode);
  return { ...limits, withOtherUnits: buildLimits(rolloutPodSets, shared, context, placeable) };
}
