import { addToGroup, groupBy } from '../../../core/collections/group-by';
import { getListAt, getValueAt } from '../../../core/manifest/manifest';
import { memoize } from '../../../core/collections/memoize';
import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import type { Workload } from '../../rollout/workload';
import { addToListed, countDisplacedByOne } from '../amounts';
import type { Amounts } from '../../../core/values/quantity';
import { canRunOn, nodeRulesOf } from '../nodes/node-affinity';
import type { NodePool } from '../../context/capacity';
import { countPodsThatFit } from '../nodes/placement';
import { hasOldPodsLikeNew, podNeedsOf } from '../nodes/pod-needs';
import { buildPortMarks } from '../nodes/scheduling';
import type { PlanLimits } from '../plan-limits';
import { computePodFootprint } from '../pod-requests';
import { AssumedPlaces } from '../surroundings/assumed-places';
import { NodeInventory } from '../surroundings/node-inventory';
import { TermIndex, ShapeIndex } from '../surroundings/label-index';
import type { SelectableIndex } from '../surroundings/pod-index';
import { listAffinityTerms, listSetTerms, listSpreadConstraints, toPodShape } from '../nodes/pod-shape';
import type { PodSelector, PodShape, SetShape, SetTerm } from '../nodes/pod-shape';
import type { RunningPod } from '../surroundings/running-pods';
import { addBack } from '../surroundings/surroundings';
import type { Surroundings } from '../surroundings/surroundings';

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
  readonly requestsKey: string;
  /** Whether each of them replaces a pod with the same requests and node rules. */
  readonly replacesEqualPods: boolean;
  pods: number;
}

/** What may happen to the nodes while a rollout runs, by other objects of the same change and by pods that wait for a node. */
interface Movement {
  readonly sets: readonly PodSet[];
  /** By the node rules of the pods. */
  readonly arriving: readonly (readonly ArrivingPods[])[];
  /** The entry of `arriving` that counts the pods of a set. */
  readonly arrivingBySet: ReadonlyMap<PodSet, ArrivingPods>;
  /** Returns what the scheduler reads of the new pods of all sets, and of the old ones if they differ. */
  readonly shapes: () => ShapeIndex<SetShape>;
  /** Returns the anti-affinity terms of the new pods of all sets. */
  readonly exclusiveTerms: () => TermIndex<SetTerm>;
  /** Returns the sets by the marks that the host ports of their new pods leave. */
  readonly setsByPort: () => ReadonlyMap<unknown, readonly PodSet[]>;
  /** Returns the sets whose pods may leave their nodes. */
  readonly leaving: () => ReadonlySet<PodSet>;
  /** Returns the nodes without those pods. */
  readonly withoutLeaving: () => NodesWithoutLeaving;
}

/** Returns a pod set for each running pod of an owner that is not planned that waits for a node. */
function listWaitingPods({ unplanned = [] }: Partial<Surroundings>): PodSet[] {
  return unplanned
    .filter(
      ({ nodeName, isTerminating, spec }) => nodeName === undefined && !isTerminating && getListAt(spec, 'schedulingGates').length === 0,
    )
    .map(({ namespace, pod }) => ({ namespace, replicas: 1, template: pod }));
}

/** Reports whether each pod of a set leaves the place that its successor takes to any pod like it. */
function replacesEqualPods(podSet: PodSet, { cache }: PlanLimits): boolean {
  const { oldTemplate, replicas, running = replicas } = podSet;
  return oldTemplate !== undefined && running === replicas && hasOldPodsLikeNew(podSet, cache);
}

function groupArrivingPods(sets: readonly PodSet[], limits: PlanLimits): Pick<Movement, 'arriving' | 'arrivingBySet'> {
  const byKey = new Map<string, ArrivingPods>();
  const arrivingBySet = new Map<PodSet, ArrivingPods>();
  for (const podSet of sets) {
    const pods = countArrivingPods(podSet);
    if (pods === 0) continue;
    const { footprint, requestsKey } = podNeedsOf(podSet, limits.cache);
    const isEqual = replacesEqualPods(podSet, limits);
    const key = `${isEqual}${requestsKey}`;
    const known = byKey.get(key) ?? { podSet, footprint, requestsKey, replacesEqualPods: isEqual, pods: 0 };
    byKey.set(key, known);
    known.pods += pods;
    arrivingBySet.set(podSet, known);
  }
  return { arriving: [...groupBy(byKey.values(), ({ podSet }) => nodeRulesOf(podSet, limits.cache).key).values()], arrivingBySet };
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
export interface RemainingNodes {
  readonly inventory: NodeInventory;
  readonly pods: SelectableIndex;
  readonly podsOn: (nodeName: string) => readonly RunningPod[];
}

/** Places the pods of sets on unknown nodes, next to the running pods, without those of some sets. */
function placeWithout(leaving: ReadonlySet<PodSet>, { surroundings, daemons, cache }: PlanLimits): AssumedPlaces {
  const { free, demands, devices, ownPods } = surroundings!;
  const goneByNode = groupBy(
    [...leaving].flatMap((podSet) => ownPods.get(podSet) ?? []),
    ({ nodeName }) => nodeName,
  );
  const leavingDaemons = daemons.filter((daemon) => leaving.has(daemon));
  const others = demands.filter(({ podSet }) => !leaving.has(podSet));
  const freeOf = (pool: NodePool) =>
    addDaemons(addBack(free.get(pool)!, goneByNode.get(pool.nodeName) ?? [], devices), leavingDaemons, pool, cache);
  return new AssumedPlaces(surroundings!, others, freeOf);
}

/** The nodes without the pods of the sets that may leave them. */
class NodesWithoutLeaving implements RemainingNodes {
  private readonly places: AssumedPlaces;
  private readonly gone: ReadonlySet<RunningPod>;
  readonly inventory: NodeInventory;
  readonly pods: SelectableIndex;

  constructor(
    leaving: ReadonlySet<PodSet>,
    private readonly limits: PlanLimits,
  ) {
    const { ownPods, podIndex } = limits.surroundings!;
    this.places = placeWithout(leaving, limits);
    this.gone = new Set([...leaving].flatMap((podSet) => ownPods.get(podSet) ?? []));
    this.inventory = new NodeInventory(this.places.groups, limits.cache);
    this.pods = podIndex().without(this.gone);
  }

  readonly podsOn = (nodeName: string): readonly RunningPod[] =>
    (this.limits.surroundings!.podsByNode.get(nodeName) ?? []).filter((pod) => !this.gone.has(pod));

  /** Returns the nodes without the pods of another set. */
  without(podSet: PodSet): RemainingNodes {
    const { ownPods, devices } = this.limits.surroundings!;
    const own = new Set(ownPods.get(podSet));
    const byNode = groupBy(own, ({ nodeName }) => nodeName);
    const groups = this.places.without([podSet]).map((group) => {
      const pods = byNode.get(group.pool.nodeName);
      return pods ? { ...group, free: addBack(group.free, pods, devices) } : group;
    });
    return {
      inventory: new NodeInventory(groups, this.limits.cache),
      pods: this.pods.without(own),
      podsOn: (nodeName) => this.podsOn(nodeName).filter((pod) => !own.has(pod)),
    };
  }
}

/** Reports whether pods of a set may be missing before a place for others is found: it deletes pods first, or its pods are yet to come. */
function mayBeMissing(podSet: PodSet): boolean {
  const { oldTemplate, replicas, running = replicas, onePerNode } = podSet;
  const { rollout } = podSet as Partial<Workload>;
  return oldTemplate === undefined || running !== replicas || onePerNode === true || (rollout?.unavailable ?? 1) > 0;
}

function listShapes(podSet: PodSet): SetShape[] {
  const { oldTemplate } = podSet;
  const old = oldTemplate && toPodShape({ ...podSet, template: oldTemplate });
  return [{ podSet, shape: toPodShape(podSet) }, ...(old ? [{ podSet, shape: old }] : [])];
}

function groupByPort(sets: readonly PodSet[]): ReadonlyMap<unknown, readonly PodSet[]> {
  const byMark = new Map<unknown, PodSet[]>();
  for (const podSet of sets) for (const mark of buildPortMarks(podSet.template.spec).leaves) addToGroup(byMark, mark, podSet);
  return byMark;
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
    const { nodes } = placeWithout(leaving, limits);
    const found = rest.filter((podSet) => countPodsThatFit(nodes, podSet, 1, limits.cache) > 0);
    if (found.length === 0) break;
    for (const podSet of found) leaving.add(podSet);
    rest = rest.filter((podSet) => !leaving.has(podSet));
  }
  return leaving;
}

function buildMovement(limits: PlanLimits): Movement {
  const sets = [...[...limits.podSetsOnNodes, ...limits.daemons].filter(isMoving), ...listWaitingPods(limits.surroundings ?? {})];
  const movement: Movement = {
    sets,
    ...groupArrivingPods(sets, limits),
    shapes: memoize(() => new ShapeIndex(sets.flatMap(listShapes), ({ shape }) => shape)),
    exclusiveTerms: memoize(() => new TermIndex(sets.flatMap((podSet) => listSetTerms({ podSet, shape: toPodShape(podSet) })))),
    setsByPort: memoize(() => groupByPort(sets)),
    leaving: memoize(() => findLeavingSets(sets, limits)),
    withoutLeaving: memoize(() => new NodesWithoutLeaving(movement.leaving(), limits)),
  };
  return movement;
}

function movementOf(limits: PlanLimits): Movement {
  return limits.cache.derive(limits, buildMovement);
}

/**
 * Reports whether a constraint of the new pods concerns pods of other sets that may take or leave places: their affinity or a spread constraint
 * selects such pods, or one side keeps the other off.
 */
export function isConstrainedByMovingPods(podSet: PodSet, limits: PlanLimits): boolean {
  const { shapes, exclusiveTerms, setsByPort } = movementOf(limits);
  const own = toPodShape(podSet);
  const isSelected = (selector: PodSelector, selects: (shape: PodShape) => boolean) =>
    shapes()
      .findSelectable(selector, own.namespace)
      .some((other) => other.podSet !== podSet && selects(other.shape));
  const terms = [...listAffinityTerms(own, 'podAffinity'), ...listAffinityTerms(own, 'podAntiAffinity')];
  if (terms.some((term) => isSelected(term, (shape) => term.matches(shape)))) return true;
  if (listSpreadConstraints(own).some((spread) => isSelected(spread, (shape) => spread.counts(shape)))) return true;
  const { avoids } = buildPortMarks(own.spec);
  if (
    avoids.some((mark) =>
      setsByPort()
        .get(mark)
        ?.some((other) => other !== podSet),
    )
  )
    return true;
  return exclusiveTerms()
    .find(own)
    .some((other) => other.podSet !== podSet && other.term.matches(own));
}

/** Creates the answers of an inventory by the node rules of two sets. */
const createOverlaps = (_inventory: NodeInventory) => new Map<string, boolean>();

/** Reports whether new pods of two sets may run on a common node. */
export function canShareNodes(a: PodSet, b: PodSet, { surroundings, cache }: PlanLimits): boolean {
  const inventory = surroundings!.inventory();
  const byRules = cache.derive(inventory, createOverlaps);
  const key = [nodeRulesOf(a, cache).key, nodeRulesOf(b, cache).key].toSorted().join(' ');
  const existing = byRules.get(key);
  if (existing !== undefined) return existing;
  const [first, second] = [a, b].map((podSet) => inventory.eligibleNodes(podSet, 'new').indexes);
  const [fewer, more] = first!.size < second!.size ? [first!, second!] : [second!, first!];
  const isShared = [...fewer].some((index) => more.has(index));
  byRules.set(key, isShared);
  return isShared;
}

/**
 * Returns the most pods of a set that pods of other sets may displace: those that the same apply replaces or adds, and those that wait for a
 * node. A pod of 3 CPU displaces at most 2 pods of 2 CPU.
 *
 * @param ownSets all sets of the rollout
 */
export function countDisplacedPods(podSet: PodSet, limits: PlanLimits, ownSets: readonly PodSet[] = [podSet]): number {
  const { arriving, arrivingBySet } = movementOf(limits);
  const { footprint, requestsKey } = podNeedsOf(podSet, limits.cache);
  let total = 0;
  const onSharedNodes = arriving.filter(([first]) => canShareNodes(podSet, first!.podSet, limits)).flat();
  for (const other of onSharedNodes) {
    const ownPods = ownSets.reduce((sum, own) => sum + (arrivingBySet.get(own) === other ? countArrivingPods(own) : 0), 0);
    const pods = other.pods - ownPods;
    const takesEqualPlaces = other.replacesEqualPods && other.requestsKey === requestsKey;
    if (pods > 0 && !takesEqualPlaces) total += countDisplacedByOne(footprint, other.footprint) * pods;
  }
  return total;
}

/** Reports whether pods of other sets than a given one may take or leave places on nodes. */
export function hasOtherMovingPods(podSet: PodSet, limits: PlanLimits): boolean {
  return movementOf(limits).sets.some((other) => other !== podSet);
}

/** Reports whether the pods of other sets that may take places on nodes are single Pods that wait for one. */
export function areOthersWaitingPods(ownSets: readonly PodSet[], limits: PlanLimits): boolean {
  const others = movementOf(limits).sets.filter((other) => !ownSets.includes(other));
  return others.length > 0 && others.every(isWaitingPod);
}

/** Returns the nodes without the pods of other sets that may leave them, and without those of the rollout itself. */
export function getNodesWithoutLeaving(podSet: PodSet, limits: PlanLimits): RemainingNodes {
  const { leaving, withoutLeaving } = movementOf(limits);
  return leaving().has(podSet) ? withoutLeaving() : withoutLeaving().without(podSet);
}

/** Returns the sets with rollouts whose new pods take other places than the old ones, on nodes that pods of some sets may use. */
export function findReshapedSets(podSets: readonly PodSet[], limits: PlanLimits): readonly PodSet[] {
  return movementOf(limits).sets.filter(
    (other) =>
      other.oldTemplate !== undefined &&
      !podSets.includes(other) &&
      !replacesEqualPods(other, limits) &&
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
