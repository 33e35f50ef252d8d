import { addToGroup } from '../../../core/collections/group-by';
import { nameOf, namespaceOf } from '../../../core/manifest/manifest';
import { memoize } from '../../../core/collections/memoize';
import type { PlanCache } from '../../../core/collections/plan-cache';
import { planCacheOf } from '../../context/context';
import type { PlanContext } from '../../context/context';
import type { PodSet } from '../../rollout/pod-set';
import { addToListed, clampAmounts } from '../amounts';
import type { Amounts } from '../../../core/values/quantity';
import { splitByVersion } from '../kept-pods';
import { createEmptyGroup } from '../nodes/placement';
import type { NodePool } from '../../context/capacity';
import type { Demand, NodeGroup } from '../nodes/placement';
import { listOtherPods } from '../other-pods';
import type { OtherPods } from '../other-pods';
import { computePodFootprint } from '../pod-requests';
import { deviceInventoryOf } from './claimed-devices';
import type { DeviceInventory } from './claimed-devices';
import { NodeInventory } from './node-inventory';
import { PodIndex } from './pod-index';
import { formatWorkloadKey, listRunningPods } from './running-pods';
import type { RunningPod } from './running-pods';

/** The nodes of a plan with the pods that run on them, including those of owners that are not planned. */
export interface Surroundings {
  /** Nodes, each by itself if it has a name, without what DaemonSets of the plan use. */
  readonly pools: readonly NodePool[];
  /** Running pods by the name of their node, except those of DaemonSets of the plan. */
  readonly podsByNode: ReadonlyMap<string, readonly RunningPod[]>;
  /** Running pods of each planned set that are on known nodes. */
  readonly ownPods: ReadonlyMap<PodSet, readonly RunningPod[]>;
  /** Running pods of each planned set, on whichever node. */
  readonly allOwnPods: ReadonlyMap<PodSet, readonly RunningPod[]>;
  /** Resources that the running pods leave on each node. */
  readonly free: ReadonlyMap<NodePool, Amounts>;
  /** Whether a node is not ready. */
  readonly hasDownNodes: boolean;
  /** All pods on the nodes, by what the scheduler can select them by. */
  readonly podIndex: () => PodIndex;
  /** The nodes as the running pods leave them. */
  readonly inventory: () => NodeInventory;
  readonly devices: DeviceInventory;
  readonly context: PlanContext;
  readonly cache: PlanCache;
  /** Running pods of owners that are not planned. */
  readonly unplanned: readonly RunningPod[];
  /** All sets of the plan that are not single running pods. */
  sets: readonly PodSet[];
  /** Pods on unknown nodes, for which nodes are assumed. */
  demands: readonly UnlocatedPods[];
  /** Pods that run on unknown nodes before an apply, whether the assumed nodes have capacity for them or not. */
  unlocated: readonly UnlocatedPods[];
  /** The nodes with the pods of other sets on unknown nodes, for a rollout that is evaluated with other places of these. @default - the assumed ones */
  readonly placesOfOthers?: readonly NodeGroup[];
  /** Whether no node is found for some pods while nothing rolls out. */
  hasUnplacedPods: boolean;
  /** Sets whose evaluation rests on one placement of the pods of others on unknown nodes, because these are too many to place again. */
  readonly onOnePlacement: Set<PodSet>;
}

/** Pods of a set on unknown nodes. */
export interface UnlocatedPods extends Demand {
  /** The set as its old pods run, which an apply replaces by other ones. @default - `podSet` */
  readonly asOld?: PodSet;
}

/** Returns pods on unknown nodes as they run before an apply. */
export function toRunningPods({ podSet, pods, asOld = podSet }: UnlocatedPods): Demand {
  return { podSet: asOld, pods };
}

/** Returns the key of the owner of the running pods of a set. */
function keyOf(podSet: PodSet): string | undefined {
  const { kind, name } = podSet.owner ?? (podSet as PodSet & { readonly kind?: string; readonly name?: string });
  const { namespace } = podSet;
  return kind === undefined || name === undefined ? undefined : formatWorkloadKey(kind, namespace, name);
}

/** Returns what a running pod uses of its node, devices included. */
export function computeRunningFootprint(pod: RunningPod, devices: DeviceInventory): Amounts {
  const claimed = devices.devicesOfRunning(pod);
  const footprint = computePodFootprint(pod.spec);
  return claimed === undefined || claimed.size === 0 ? footprint : new Map([...footprint, ...claimed]);
}

/** Creates a lookup of the set that a running pod belongs to. Returns undefined for a pod of an owner that is not planned. */
function createPodSetLookup(
  podSets: readonly PodSet[],
  others: readonly OtherPods[],
  cache: PlanCache,
): (pod: RunningPod) => PodSet | undefined {
  const byKey = new Map<string, PodSet[]>();
  for (const { object, podSet } of others) {
    byKey.set(formatWorkloadKey(object.kind, namespaceOf(object), nameOf(object)), [splitByVersion(podSet, cache)[0]!]);
  }
  for (const podSet of podSets) {
    const key = keyOf(podSet);
    if (key === undefined) continue;
    const known = byKey.get(key);
    if (known && podSet.owner) known.push(podSet);
    else byKey.set(key, [podSet]);
  }
  return ({ workloadKey, indirectOwnerKey = '', labels }) =>
    (byKey.get(indirectOwnerKey) ?? byKey.get(workloadKey))?.find(({ owner }) => owner?.hasMember?.(labels) ?? true);
}

/** The running pods of a plan, by what they belong to and where they run. */
interface LocatedPods extends Pick<Surroundings, 'podsByNode' | 'ownPods' | 'allOwnPods' | 'unplanned'> {
  /** Pods of DaemonSets. What they request is already subtracted from the nodes, and they still match the constraints of others. */
  readonly daemonPods: readonly RunningPod[];
}

/** Groups the running pods of a plan by pod set and node. */
function groupRunningPods(pools: readonly NodePool[], podSets: readonly PodSet[], context: PlanContext): LocatedPods {
  const named = new Set(pools.map(({ nodeName }) => nodeName));
  const podsByNode = new Map<string, RunningPod[]>();
  const ownPods = new Map<PodSet, RunningPod[]>();
  const allOwnPods = new Map<PodSet, RunningPod[]>();
  const daemonPods: RunningPod[] = [];
  const unplanned: RunningPod[] = [];
  const running = listRunningPods(context);
  // An index of thousands of rollouts is only built if pods of the input may belong to them.
  const findPodSet = running.length > 0 ? createPodSetLookup(podSets, listOtherPods(context), planCacheOf(context)) : () => undefined;
  for (const pod of running) {
    const podSet = findPodSet(pod);
    if (podSet === undefined) unplanned.push(pod);
    if (podSet) addToGroup(allOwnPods, podSet, pod);
    if (!pod.nodeName || !named.has(pod.nodeName)) continue;
    if (podSet?.onePerNode) {
      daemonPods.push(pod);
      continue;
    }
    if (podSet) addToGroup(ownPods, podSet, pod);
    addToGroup(podsByNode, pod.nodeName, pod);
  }
  return { podsByNode, ownPods, allOwnPods, daemonPods, unplanned };
}

/** Returns what the running pods leave on each node. */
function computeFreeAmounts(
  pools: readonly NodePool[],
  podsByNode: LocatedPods['podsByNode'],
  devices: Surroundings['devices'],
): Map<NodePool, Amounts> {
  const free = new Map<NodePool, Amounts>();
  for (const pool of pools) {
    const pods = podsByNode.get(pool.nodeName ?? '') ?? [];
    const ownDevices = devices.devicesOn(pool.nodeName ?? '');
    if (pods.length === 0 && ownDevices.size === 0) {
      free.set(pool, pool.allocatable);
      continue;
    }
    const left = new Map([...pool.allocatable, ...ownDevices]);
    for (const pod of pods) addToListed(left, computeRunningFootprint(pod, devices), -1n);
    free.set(pool, left);
  }
  return free;
}

/** Collects the running pods of a plan, and what they leave on each node. */
export function collectSurroundings(
  pools: readonly NodePool[],
  podSets: readonly PodSet[],
  context: PlanContext,
  cache: PlanCache,
): Surroundings {
  const devices = deviceInventoryOf(context);
  const { daemonPods, ...grouped } = groupRunningPods(pools, podSets, context);
  const free = computeFreeAmounts(pools, grouped.podsByNode, devices);
  return {
    ...grouped,
    pools,
    free,
    hasDownNodes: pools.some(({ isDown }) => isDown),
    podIndex: memoize(() => new PodIndex([...[...grouped.podsByNode.values()].flat(), ...daemonPods])),
    inventory: memoize(
      () =>
        new NodeInventory(
          pools.map((pool) => ({ ...createEmptyGroup(pool), free: free.get(pool)! })),
          cache,
        ),
    ),
    devices,
    context,
    cache,
    sets: [],
    demands: [],
    unlocated: [],
    hasUnplacedPods: false,
    onOnePlacement: new Set(),
  };
}

/** Returns the pods of owners that are not planned, one set for each pod, for limits that count all pods. */
export function listUnplannedPodSets({ unplanned }: Surroundings): PodSet[] {
  return unplanned.map(({ namespace, pod }) => ({ namespace, replicas: 1, template: pod }));
}

/** Returns the nodes without what the running pods use, for a placement of other pods. A node has no less than nothing left. */
export function subtractRunningPods({ pools, free }: Surroundings): NodePool[] {
  return pools.map((pool) => {
    const left = free.get(pool)!;
    if (left === pool.allocatable) return pool;
    return { ...pool, allocatable: clampAmounts(left) };
  });
}

/** Returns the nodes as if some of their running pods were gone. A node has no less than nothing left. */
export function removeRunningPods({ pools, free, podsByNode, devices }: Surroundings, isGone: (pod: RunningPod) => boolean): NodePool[] {
  return pools.map((pool) => {
    const gone = (podsByNode.get(pool.nodeName ?? '') ?? []).filter(isGone);
    const left = addBack(free.get(pool)!, gone, devices);
    return left === pool.allocatable ? pool : { ...pool, allocatable: clampAmounts(left) };
  });
}

/** Returns nodes without what the running pods of others than DaemonSets use, for the pods of DaemonSets. */
export function subtractPodsOfOthers(pools: readonly NodePool[], { podsByNode, devices }: Surroundings): NodePool[] {
  return pools.map((pool) => {
    const pods = podsByNode.get(pool.nodeName ?? '') ?? [];
    if (pods.length === 0) return pool;
    const left = new Map(pool.allocatable);
    for (const pod of pods) addToListed(left, computeRunningFootprint(pod, devices), -1n);
    return { ...pool, allocatable: clampAmounts(left) };
  });
}

/** Returns what pods of a rollout leave again on the node that they are on. */
export function addBack(free: Amounts, pods: readonly RunningPod[], devices: DeviceInventory): Amounts {
  if (pods.length === 0) return free;
  const left = new Map(free);
  for (const pod of pods) addToListed(left, computeRunningFootprint(pod, devices), 1n);
  return left;
}
