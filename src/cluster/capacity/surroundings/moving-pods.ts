import { getFieldsAt, getListAt, getValueAt } from '../../../core/manifest';
import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet } from '../../pod-set';
import type { Workload } from '../../workload';
import { addToListed, formatAmounts } from '../amounts';
import type { Amounts } from '../amounts';
import { canRunOn, nodeRulesOf } from '../nodes/node-affinity';
import type { NodePool } from '../nodes/node-pools';
import { countPodsThatFit, listGroups } from '../nodes/placement';
import type { Nodes } from '../nodes/placement';
import { podNeedsOf } from '../nodes/pod-needs';
import { hasPortConflict, buildPortMarks } from '../nodes/scheduling';
import type { PlanLimits } from '../plan-limits';
import { computePodFootprint } from '../pod-requests';
import { assumePlaces } from './assumed-places';
import { NodeInventory } from './node-inventory';
import { PodIndex } from './pod-index';
import { listAffinityTerms, listSpreadConstraints, toShape } from './pod-shape';
import type { PodShape } from './pod-shape';
import type { RunningPod } from './running-pods';
import { addBack } from './surroundings';
import type { Surroundings } from './surroundings';

/** Reports whether the template of a set is a Pod that waits for a node. */
function isWaitingPod({ template }: PodSet): boolean {
  return getValueAt(template, 'status', 'phase') === 'Pending' && getValueAt(template, 'spec', 'nodeName') === undefined;
}

/** Reports whether an apply replaces, adds or deletes pods of a set, or whether the set is a Pod that waits for a node. */
function isMoving(podSet: PodSet): boolean {
  const { oldTemplate, isNew = false, replicas, running = replicas } = podSet;
  return oldTemplate !== undefined || isNew || running !== replicas || isWaitingPod(podSet);
}

/**
 * Reports whether the nodes count the old pods of a DaemonSet, and its new ones request more.
 *
 * With a surge, an old pod stays until the new one of its node is ready. Without one, the nodes count the new pods.
 */
function isGrowingDaemon({ oldTemplate, template, rollout }: Partial<Workload>): boolean {
  if (oldTemplate === undefined || (rollout?.surge ?? 0) === 0) return false;
  const old = computePodFootprint(oldTemplate.spec);
  return [...computePodFootprint(template?.spec)].some(([resource, amount]) => amount > (old.get(resource) ?? 0n));
}

/** Returns the pods of a set that may take a place on a node while another rollout runs. */
function countArrivingPods(podSet: PodSet): number {
  const { oldTemplate, replicas, running = replicas, isNew = false, onePerNode } = podSet;
  if (onePerNode) return isGrowingDaemon(podSet) ? replicas : 0;
  if (oldTemplate !== undefined || isNew) return replicas;
  return running === replicas ? replicas : Math.max(0, replicas - running);
}

/** Pods that may take places, with the same requests and node rules. */
interface ArrivingPods {
  readonly podSet: PodSet;
  readonly footprint: Amounts;
  /** Whether each of them replaces a pod with the same requests and node rules. */
  readonly replacesEqualPods: boolean;
  pods: number;
}

/** What may happen to the nodes while a rollout runs, by other objects of the same change and by pods that wait for a node. */
interface Movement {
  readonly sets: readonly PodSet[];
  readonly arriving: readonly ArrivingPods[];
  /** The entry of `arriving` that counts the pods of a set. */
  readonly arrivingBySet: ReadonlyMap<PodSet, ArrivingPods>;
  /** Sets whose new pods keep off others: by required anti-affinity or a host port. */
  readonly exclusive: readonly PodSet[];
  /** Returns the sets whose pods may leave their nodes. */
  readonly leaving: () => ReadonlySet<PodSet>;
  /** Returns the nodes without those pods. */
  readonly withoutLeaving: () => RemainingNodes;
}

/** Returns a pod set for each running pod of an owner that is not planned that waits for a node. */
function listWaitingPods({ unplanned = [] }: Partial<Surroundings>): PodSet[] {
  return unplanned
    .filter(
      ({ nodeName, isTerminating, spec }) => nodeName === undefined && !isTerminating && getListAt(spec, 'schedulingGates').length === 0,
    )
    .map(({ namespace, pod }) => ({ namespace, replicas: 1, template: pod }));
}

function hasExclusivePods({ template }: PodSet): boolean {
  const terms = getListAt(template.spec, 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  return terms.length > 0 || buildPortMarks(template.spec).avoids.length > 0;
}

/** Reports whether each pod of a set leaves the place that its successor takes to any pod like it. */
function replacesEqualPods(podSet: PodSet, footprint: Amounts, { cache }: PlanLimits): boolean {
  const { oldTemplate, replicas, running = replicas } = podSet;
  if (oldTemplate === undefined || running !== replicas) return false;
  const old = { ...podSet, template: oldTemplate };
  return (
    nodeRulesOf(old, cache).key === nodeRulesOf(podSet, cache).key &&
    formatAmounts(computePodFootprint(oldTemplate.spec)) === formatAmounts(footprint)
  );
}

function groupArrivingPods(sets: readonly PodSet[], limits: PlanLimits): Pick<Movement, 'arriving' | 'arrivingBySet'> {
  const byShape = [new Map<unknown, ArrivingPods>(), new Map<unknown, ArrivingPods>()] as const;
  const arrivingBySet = new Map<PodSet, ArrivingPods>();
  for (const podSet of sets) {
    const pods = countArrivingPods(podSet);
    if (pods === 0) continue;
    const { footprint, shape } = podNeedsOf(podSet, limits.cache);
    const isEqual = replacesEqualPods(podSet, footprint, limits);
    const known = byShape[isEqual ? 1 : 0].get(shape) ?? { podSet, footprint, replacesEqualPods: isEqual, pods: 0 };
    byShape[isEqual ? 1 : 0].set(shape, known);
    known.pods += pods;
    arrivingBySet.set(podSet, known);
  }
  return { arriving: byShape.flatMap((arriving) => [...arriving.values()]), arrivingBySet };
}

/** Adds what the pods of DaemonSets use of a node, before or after their own rollouts. */
function addDaemons(free: Amounts, daemons: readonly PodSet[], pool: NodePool, cache: PlanCache): Amounts {
  const onNode = daemons.filter((daemon) => canRunOn(daemon, pool, 'old', cache));
  if (onNode.length === 0) return free;
  const left = new Map(free);
  for (const { template, oldTemplate = template } of onNode) {
    for (const { spec } of [template, oldTemplate]) addToListed(left, computePodFootprint(spec));
  }
  return left;
}

/** Nodes as a rollout sees them, with the pods on them. */
export type RemainingNodes = Pick<Surroundings, 'inventory' | 'podIndex' | 'podsByNode'>;

/** Returns the nodes without the pods of some sets. Nodes are assumed for the pods of other sets on unknown ones. */
function placeWithout(leaving: ReadonlySet<PodSet>, { surroundings, daemons, cache }: PlanLimits): Nodes {
  const { free, demands, devices, podsByNode, ownPods } = surroundings!;
  const gone = new Set<RunningPod>([...leaving].flatMap((podSet) => ownPods.get(podSet) ?? []));
  const leavingDaemons = daemons.filter((daemon) => leaving.has(daemon));
  const others = demands.filter(({ podSet, pods }) => pods > 0 && !leaving.has(podSet));
  return assumePlaces(surroundings!, others, (pool) => {
    const pods = (podsByNode.get(pool.nodeName ?? '') ?? []).filter((pod) => gone.has(pod));
    return addDaemons(addBack(free.get(pool)!, pods, devices), leavingDaemons, pool, cache);
  }).nodes;
}

function buildNodesWithout(leaving: ReadonlySet<PodSet>, limits: PlanLimits): RemainingNodes {
  const { podIndex, podsByNode, ownPods } = limits.surroundings!;
  const gone = new Set<RunningPod>([...leaving].flatMap((podSet) => ownPods.get(podSet) ?? []));
  const inventory = new NodeInventory(listGroups(placeWithout(leaving, limits)), limits.cache);
  const index = new PodIndex(podIndex().pods.filter((pod) => !gone.has(pod)));
  const left = new Map([...podsByNode].map(([name, pods]) => [name, pods.filter((pod) => !gone.has(pod))]));
  return { inventory: () => inventory, podIndex: () => index, podsByNode: left };
}

/** Reports whether pods of a set may be missing before a place for others is found: it deletes pods first, or its pods are yet to come. */
function mayBeMissing(podSet: PodSet): boolean {
  const { oldTemplate, replicas, running = replicas, onePerNode } = podSet;
  const { rollout } = podSet as Partial<Workload>;
  return oldTemplate === undefined || running !== replicas || onePerNode === true || (rollout?.unavailable ?? 1) > 0;
}

/** Maximum number of rounds in which further sets are found that may leave their nodes. */
const MAX_ROUNDS = 3;

/**
 * Returns the sets whose pods may leave their nodes: those whose pods may be missing, and those that find a place for a new one without them.
 *
 * Two rollouts that create pods first fill a node. Neither finds a place, so that no pod of them ever leaves it.
 */
function findLeavingSets(sets: readonly PodSet[], limits: PlanLimits): ReadonlySet<PodSet> {
  const leaving = new Set(sets.filter(mayBeMissing));
  let rest = sets.filter((podSet) => !leaving.has(podSet));
  for (let round = 0; rest.length > 0; round++) {
    if (round === MAX_ROUNDS) return new Set([...leaving, ...rest]);
    const nodes = placeWithout(leaving, limits);
    const found = rest.filter((podSet) => countPodsThatFit(nodes, podSet, 1, limits.cache) > 0);
    if (found.length === 0) break;
    for (const podSet of found) leaving.add(podSet);
    rest = rest.filter((podSet) => !leaving.has(podSet));
  }
  return leaving;
}

const movementByLimits = () => new WeakMap<PlanLimits, Movement>();

function movementOf(limits: PlanLimits): Movement {
  const known = limits.cache.getOrCreate(movementByLimits);
  const existing = known.get(limits);
  if (existing) return existing;
  const sets = [...[...limits.podSetsOnNodes, ...limits.daemons].filter(isMoving), ...listWaitingPods(limits.surroundings ?? {})];
  let leaving: ReadonlySet<PodSet> | undefined;
  let without: RemainingNodes | undefined;
  const movement: Movement = {
    sets,
    ...groupArrivingPods(sets, limits),
    exclusive: sets.filter(hasExclusivePods),
    leaving: () => (leaving ??= findLeavingSets(sets, limits)),
    withoutLeaving: () => (without ??= buildNodesWithout(movement.leaving(), limits)),
  };
  known.set(limits, movement);
  return movement;
}

function toShapes(podSet: PodSet): readonly PodShape[] {
  return [podSet.template, ...(podSet.oldTemplate ? [podSet.oldTemplate] : [])].map((template) =>
    toShape(podSet, getFieldsAt(template, 'metadata', 'labels'), getFieldsAt(template, 'spec')),
  );
}

const shapesBySet = () => new WeakMap<PodSet, readonly PodShape[]>();

/** Returns what the scheduler reads of the new pods of a set, and of its old ones if they differ. */
function shapesOf(podSet: PodSet, { cache }: PlanLimits): readonly PodShape[] {
  const known = cache.getOrCreate(shapesBySet);
  const shapes = known.get(podSet) ?? toShapes(podSet);
  known.set(podSet, shapes);
  return shapes;
}

/**
 * Reports whether a constraint of the new pods concerns pods of other sets that may take or leave places: their affinity or a spread constraint
 * selects such pods, or one side keeps the other off.
 */
export function isConstrainedByMovingPods(podSet: PodSet, limits: PlanLimits): boolean {
  const { sets, exclusive } = movementOf(limits);
  const [own] = shapesOf(podSet, limits);
  const isSelected = (selects: (other: PodShape) => boolean) =>
    sets.some((other) => other !== podSet && shapesOf(other, limits).some(selects));
  const affinity = listAffinityTerms(own!, 'podAffinity');
  const antiAffinity = listAffinityTerms(own!, 'podAntiAffinity');
  const spreads = listSpreadConstraints(own!);
  if (
    affinity.length + antiAffinity.length > 0 &&
    isSelected((other) => [...affinity, ...antiAffinity].some((term) => term.matches(other)))
  ) {
    return true;
  }
  if (spreads.length > 0 && isSelected((other) => spreads.some((spread) => spread.counts(other)))) return true;
  return exclusive.some((other) => {
    if (other === podSet) return false;
    const [shape] = shapesOf(other, limits);
    return hasPortConflict(shape!.spec, own!.spec) || listAffinityTerms(shape!, 'podAntiAffinity').some((term) => term.matches(own!));
  });
}

const overlapByInventory = () => new WeakMap<NodeInventory, Map<string, boolean>>();

/** Reports whether new pods of two sets may run on a common node. */
export function canShareNodes(a: PodSet, b: PodSet, { surroundings, cache }: PlanLimits): boolean {
  const inventory = surroundings!.inventory();
  const known = cache.getOrCreate(overlapByInventory);
  const byRules = known.get(inventory) ?? new Map<string, boolean>();
  known.set(inventory, byRules);
  const key = [nodeRulesOf(a, cache).key, nodeRulesOf(b, cache).key].toSorted().join(' ');
  const existing = byRules.get(key);
  if (existing !== undefined) return existing;
  const [first, second] = [a, b].map((podSet) => inventory.eligibleNodes(podSet, 'new').indexes);
  const [fewer, more] = first!.size < second!.size ? [first!, second!] : [second!, first!];
  let isShared = false;
  for (const index of fewer) {
    if (!more.has(index)) continue;
    isShared = true;
    break;
  }
  byRules.set(key, isShared);
  return isShared;
}

/** Returns how many pods of one footprint a pod of another one displaces at most. */
export function countDisplacedByOne(own: Amounts, other: Amounts): number {
  let most = 0;
  for (const [resource, request] of own) {
    const amount = other.get(resource) ?? 0n;
    if (resource === 'pods' || amount === 0n || request === 0n) continue;
    most = Math.max(most, Number((amount + request - 1n) / request));
  }
  return most;
}

/**
 * Returns the most pods of a set that pods of other sets may displace: those that the same apply replaces or adds, and those that wait for a
 * node. A pod of 3 CPU displaces at most 2 pods of 2 CPU.
 *
 * @param ownSets all sets of the rollout
 */
export function countDisplacedPods(podSet: PodSet, limits: PlanLimits, ownSets: readonly PodSet[] = [podSet]): number {
  const { arriving, arrivingBySet } = movementOf(limits);
  const footprint = computePodFootprint(podSet.template.spec);
  const { key } = nodeRulesOf(podSet, limits.cache);
  let total = 0;
  for (const other of arriving) {
    const ownPods = ownSets.reduce((sum, own) => sum + (arrivingBySet.get(own) === other ? countArrivingPods(own) : 0), 0);
    const pods = other.pods - ownPods;
    const displaced = pods === 0 ? 0 : countDisplacedByOne(footprint, other.footprint);
    if (displaced === 0 || !canShareNodes(podSet, other.podSet, limits)) continue;
    const takesEqualPlaces =
      other.replacesEqualPods &&
      nodeRulesOf(other.podSet, limits.cache).key === key &&
      formatAmounts(other.footprint) === formatAmounts(footprint);
    if (!takesEqualPlaces) total += displaced * pods;
  }
  return total;
}

/** Reports whether pods of other sets than a given one may take or leave places on nodes. */
export function hasOtherMovingPods(podSet: PodSet, limits: PlanLimits): boolean {
  return movementOf(limits).sets.some((other) => other !== podSet);
}

/** Returns the nodes without the pods of other sets that may leave them, and without those of the rollout itself. */
export function getNodesWithoutLeaving(podSet: PodSet, limits: PlanLimits): RemainingNodes {
  const { leaving, withoutLeaving } = movementOf(limits);
  return leaving().has(podSet) ? withoutLeaving() : buildNodesWithout(new Set([...leaving(), podSet]), limits);
}

/** Returns the sets with rollouts whose new pods take other places than the old ones, on nodes that pods of some sets may use. */
export function findReshapedSets(podSets: readonly PodSet[], limits: PlanLimits): readonly PodSet[] {
  return movementOf(limits).sets.filter(
    (other) =>
      other.oldTemplate !== undefined &&
      !podSets.includes(other) &&
      !replacesEqualPods(other, computePodFootprint(other.template.spec), limits) &&
      podSets.some((podSet) => canShareNodes(podSet, other, limits)),
  );
}

/** Reports whether pods of other sets than those of a rollout may leave nodes that its new pods may use. */
export function mayOthersLeave(ownSets: readonly PodSet[], limits: PlanLimits): boolean {
  for (const other of movementOf(limits).leaving()) {
    if (!ownSets.includes(other) && ownSets.some((podSet) => canShareNodes(podSet, other, limits))) return true;
  }
  return false;
}
