import { getFieldsAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { BoundedMemo } from '../../../core/collections/memoize';
import type { PodSet } from '../../rollout/pod-set';
import type { Workload } from '../../rollout/workload';
import { countNodesWithCapacity, listGroups } from '../nodes/placement';
import type { Nodes } from '../nodes/placement';
import type { PlanLimits } from '../plan-limits';
import { computePodFootprint } from '../pod-requests';
import { countDisplacedByOne } from '../amounts';
import { assumePlacesOfOthers } from '../surroundings/assumed-places';
import { assumeOthersLeaving } from '../surroundings/places-of-others';
import type { PlacesLeft } from '../nodes/placement-around';
import { canEvictOldPods, canPreempt, findEvictionPriority, listTerminatingPods } from '../surroundings/evictions';
import { getNodesWithoutLeaving, hasOtherMovingPods } from '../moving/moving-pods';
import { NodeInventory } from '../surroundings/node-inventory';
import { listOwners } from '../surroundings/pod-owners';
import { toShape } from '../nodes/pod-shape';
import type { RunningPod } from '../surroundings/running-pods';
import { addBack } from '../surroundings/surroundings';
import type { Surroundings } from '../surroundings/surroundings';
import { listPodsOnOwnVolumes, withVolumeNodes } from '../surroundings/volume-nodes';
import { buildRolloutModel } from './build-rollout-model';
import type { ModelInputs } from './rollout-constraints';
import type { BuiltModel } from './build-rollout-model';
import type { OldPods } from './old-pods';
import type { RolloutModel, RolloutSizes } from './rollout-model';
import type { RolloutProcess } from './rollout-process';

/** Maximum number of nodes times pod sets on unknown nodes. Each rollout looks at all nodes. */
const MAX_ASSUMED_PLACEMENTS = 50_000;

/**
 * Returns the nodes as the running pods leave them. Nodes are assumed for pods of other sets on unknown ones. Returns undefined if there are
 * too many of those.
 */
function inventoryFor(podSet: PodSet, surroundings: Surroundings): NodeInventory | undefined {
  const { pools, demands, cache } = surroundings;
  const others = demands.filter((demand) => demand.podSet !== podSet && demand.pods > 0);
  if (others.length === 0) return surroundings.inventory();
  if (others.length * pools.length > MAX_ASSUMED_PLACEMENTS) return undefined;
  return new NodeInventory(assumePlacesOfOthers([podSet], surroundings), cache);
}

/** Values for the label of a revision that no pod has. */
export const NEW_REVISION = ' new';
export const OLD_REVISION = ' old';

/** A model of a rollout, and what else decides. */
export interface ModelledRollout {
  readonly model: RolloutModel;
  readonly undecided: readonly string[];
  readonly mayPreempt: boolean;
  /** Returns the model without the pods that new ones may evict, and the owners of those pods. Unset if old pods may be evicted too. */
  readonly withEvictions?: () => { readonly model: RolloutModel; readonly owners: readonly string[] };
  /** Returns the model without the pods of others that are being deleted. Unset if there are none. */
  readonly withoutTerminating?: () => RolloutModel;
  /** Returns the model without the pods of others that may leave their nodes meanwhile. Unset if there are none. */
  readonly withoutMoving?: () => RolloutModel;
  /** Returns the model with other places of the pods of others on unknown nodes. Returns undefined if they have none. */
  readonly withOthersLeaving: (places: PlacesLeft) => RolloutModel | undefined;
  readonly hasNodes: boolean;
  /** Whether the requests and node rules of the pods alone decide how many of them each node takes. */
  readonly isCountedBySlots: boolean;
}

/** Reports whether a pod has a constraint that concerns other pods, or devices. */
function hasPodConstraints(podSpec: Fields): boolean {
  const affinity = getFieldsAt(podSpec, 'affinity');
  return (
    affinity.podAffinity !== undefined ||
    affinity.podAntiAffinity !== undefined ||
    podSpec.topologySpreadConstraints !== undefined ||
    podSpec.resourceClaims !== undefined
  );
}

/** Reports whether the requests and node rules of the pods alone decide how many of them each node takes. */
function areCountedBySlots(workload: PodSet, old: OldPods, surroundings: Surroundings, { steady }: PlanLimits): boolean {
  const spec = getFieldsAt(workload.template, 'spec');
  if (!steady || surroundings.hasDownNodes || hasPodConstraints(spec) || (old.spec && hasPodConstraints(old.spec))) return false;
  const shape = toShape(workload, getFieldsAt(workload.template, 'metadata', 'labels'), spec);
  return !surroundings.podIndex().mayExclude(shape);
}

const AMPLE_NODES = new BoundedMemo<RolloutModel['nodes']>();

/** Returns one node with capacity for all pods. */
function getAmpleNodes(replicas: number): RolloutModel['nodes'] {
  return AMPLE_NODES.getOrCompute(`${replicas}`, () => [
    { newPodsBesideOld: Array.from({ length: replicas + 1 }, () => replicas), signature: '' },
  ]);
}

/** Builds a model in which nodes have capacity for all pods, so that only quotas decide. */
export function withAmpleNodes(
  { replicas, surge, unavailable, running = replicas, addsNewPods = false }: RolloutSizes,
  admitted: readonly number[],
): RolloutModel {
  return {
    replicas,
    surge,
    unavailable,
    running,
    addsNewPods,
    nodes: getAmpleNodes(replicas),
    oldByNode: [replicas],
    oldLimitByNode: [replicas],
    spreads: [],
    antiAffinities: [],
    newPodsAdmitted: admitted,
  };
}

/** Models of the workload that was modelled last, by what they depend on in addition to it. */
interface LastModels {
  readonly workload: PodSet;
  readonly byKey: Map<string, ModelledRollout | undefined>;
}

const LAST_MODELS = new WeakMap<PlanLimits, LastModels>();

function withSizes(modelled: ModelledRollout, sizes: RolloutSizes, { skipsSearch = false }: PlanLimits): ModelledRollout {
  const { model, withEvictions, withoutTerminating, withoutMoving, withOthersLeaving } = modelled;
  const resize = (other: RolloutModel): RolloutModel => ({
    ...other,
    surge: sizes.surge,
    unavailable: sizes.unavailable,
    running: sizes.running ?? sizes.replicas,
    addsNewPods: sizes.addsNewPods ?? false,
    ...(skipsSearch && { skipsSearch }),
  });
  const evict =
    withEvictions &&
    (() => {
      const evicted = withEvictions();
      return { ...evicted, model: resize(evicted.model) };
    });
  return {
    ...modelled,
    model: resize(model),
    ...(evict && { withEvictions: evict }),
    ...(withoutTerminating && { withoutTerminating: () => resize(withoutTerminating()) }),
    ...(withoutMoving && { withoutMoving: () => resize(withoutMoving()) }),
    withOthersLeaving: (places) => {
      const elsewhere = withOthersLeaving(places);
      return elsewhere && resize(elsewhere);
    },
  };
}

/**
 * Builds the model of a rollout. The models of one workload are kept until another one is modelled, because advice runs it with thousands of
 * limits, which the nodes do not depend on.
 *
 * Returns undefined if old pods on unknown nodes find no place, or if too many pods of others do.
 */
export function buildModelledRollout(pods: ModelledPods, limits: PlanLimits): ModelledRollout | undefined {
  const { workload, process, admitted } = pods;
  let last = LAST_MODELS.get(limits);
  if (last?.workload !== workload) {
    last = { workload, byKey: new Map() };
    LAST_MODELS.set(limits, last);
  }
  const { kind, replicas, running = replicas } = process;
  const ordinals = kind === 'ordered' ? process.ordinals : [];
  const key = `${kind} ${replicas} ${running} ${ordinals.join(',')} ${admitted.join(',')}`;
  if (!last.byKey.has(key)) last.byKey.set(key, buildModelOf(pods, limits));
  const known = last.byKey.get(key);
  return known && withSizes(known, process, limits);
}

/** What the model of a rollout is built from. */
interface ModelledPods {
  readonly workload: Workload;
  readonly process: RolloutProcess;
  readonly old: OldPods;
  readonly admitted: readonly number[];
  /** Old pods that no new one replaces. */
  readonly kept: number;
}

/** Returns how many places are enough for the new pods next to any places of the old ones, if nothing but places decides. */
function countEnoughPlaces({ workload, process: { replicas }, old, kept }: ModelledPods): number {
  const footprint = computePodFootprint(workload.template.spec);
  const takenByOne = old.spec ? countDisplacedByOne(footprint, computePodFootprint(old.spec)) : 1;
  return replicas + (replicas + kept) * Math.max(1, takenByOne);
}

/** Builds the model of a rollout, on one node with capacity for all pods if the nodes decide nothing. */
function buildModelOf(pods: ModelledPods, limits: PlanLimits): ModelledRollout | undefined {
  const { workload, process, old, admitted, kept } = pods;
  const { replicas } = process;
  const { surroundings } = limits;
  const hasNoNodes =
    surroundings === undefined || surroundings.pools.length === 0 || workload.countOnly === true || workload.onePerNode === true;
  const ample = {
    model: withAmpleNodes(process, admitted),
    undecided: [],
    mayPreempt: false,
    withOthersLeaving: () => undefined,
  };
  if (hasNoNodes) return { ...ample, hasNodes: false, isCountedBySlots: false };
  const onVolumes = withVolumeNodes(workload, surroundings.context);
  const mayBePinned = workload.exclusiveClaims !== undefined || (workload.claimTemplates?.length ?? 0) > 0;
  const isCountedBySlots = !mayBePinned && areCountedBySlots(onVolumes, old, surroundings, limits);
  // R + K old pods are on at most as many nodes, so that with capacity on 2R + K nodes there are R others.
  const enough = 2 * replicas + kept;
  const hasEnough = (nodes: Nodes) => countNodesWithCapacity(nodes, onVolumes, limits.cache, enough) >= enough;
  if (isCountedBySlots && hasEnough(limits.steady!.nodes)) {
    const fewest = assumeOthersLeaving('fewest', onVolumes, [workload], surroundings, countEnoughPlaces(pods));
    if (!fewest || hasEnough(fewest)) return { ...ample, hasNodes: true, isCountedBySlots };
  }
  const inventory = inventoryFor(workload, surroundings);
  const onNodes = inventory && buildModelOnNodes(pods, inventory, createBuilder(pods, onVolumes, surroundings), isCountedBySlots, limits);
  return onNodes && { ...onNodes, hasNodes: true, isCountedBySlots };
}

/** Nodes with the pods on them. */
type ModelNodes = Pick<ModelInputs, 'inventory' | 'pods' | 'podsOn' | 'freeWithout'>;

/** Reports whether nodes have places for all old pods, if these are on unknown nodes. */
function hasPlacesForOld({ model }: BuiltModel, { process: { replicas, running = replicas }, old, kept }: ModelledPods): boolean {
  return old.located !== undefined || sumCapped(model.oldLimitByNode, running + kept) >= running + kept;
}

/** Creates the function that builds the model of a rollout on some nodes. */
function createBuilder(pods: ModelledPods, onVolumes: Workload, { context, devices }: Surroundings): (nodes: ModelNodes) => BuiltModel {
  const { workload, process, old, admitted, kept } = pods;
  const { replicas, surge, unavailable } = process;
  const { revisionLabel = '' } = workload;
  const newSpec = getFieldsAt(workload.template, 'spec');
  const oldSpec = old.spec ?? newSpec;
  const newLabels = { ...getFieldsAt(workload.template, 'metadata', 'labels'), [revisionLabel]: NEW_REVISION };
  const oldPodSet = { ...workload, template: { ...workload.template, spec: oldSpec } };
  const common = {
    sizes: { replicas, surge, unavailable },
    old: {
      shape: toShape(workload, { [revisionLabel]: OLD_REVISION, ...old.labels }, oldSpec),
      podSet: oldPodSet,
      onVolumes: withVolumeNodes(oldPodSet, context),
    },
    next: { shape: toShape(workload, newLabels, newSpec), podSet: workload, onVolumes },
    ...(old.located ? { located: old.located } : { keptOld: kept }),
    deletedInOrder: process.kind === 'ordered',
    createsBeforeDeletion: process.kind === 'rolling',
    ...(process.kind === 'ordered' && { onOwnVolumes: listPodsOnOwnVolumes(onVolumes, process.ordinals, context) }),
    newPodsAdmitted: admitted,
    devices,
  };
  return (nodes) => {
    const built = buildRolloutModel({ ...common, ...nodes });
    // Pods of others on assumed nodes may leave none.
    return hasPlacesForOld(built, pods) ? built : buildRolloutModel({ ...common, ...nodes, placesOldAnywhere: true });
  };
}

/** Creates a function that builds the model on nodes without some running pods. */
function createBuilderWithout(inventory: NodeInventory, buildOn: (nodes: ModelNodes) => BuiltModel, surroundings: Surroundings) {
  const { devices, podsByNode } = surroundings;
  const podsOn = (nodeName: string | undefined) => podsByNode.get(nodeName ?? '') ?? [];
  return (gone: ReadonlySet<RunningPod>, on = inventory): BuiltModel => {
    const nodes = on.nodes.map((node) => {
      const leaving = podsOn(node.pool.nodeName).filter((pod) => gone.has(pod));
      return leaving.length === 0 ? node : { ...node, free: addBack(node.free, leaving, devices) };
    });
    return buildOn({
      inventory: gone.size === 0 ? on : new NodeInventory(nodes, surroundings.cache),
      pods: surroundings.podIndex().without(gone),
      podsOn: (nodeName) => podsOn(nodeName).filter((pod) => !gone.has(pod)),
      freeWithout: (free, leaving) => addBack(free, leaving, devices),
    });
  };
}

/** Builds the model of a rollout on nodes, and what else decides. Returns undefined if old pods on unknown nodes find no place. */
function buildModelOnNodes(
  pods: ModelledPods,
  inventory: NodeInventory,
  buildOn: (nodes: ModelNodes) => BuiltModel,
  isCountedBySlots: boolean,
  limits: PlanLimits,
): Omit<ModelledRollout, 'hasNodes' | 'isCountedBySlots'> | undefined {
  const { workload, old } = pods;
  const surroundings = limits.surroundings!;
  const buildWithout = createBuilderWithout(inventory, buildOn, surroundings);
  const built = buildWithout(new Set());
  if (!hasPlacesForOld(built, pods)) return undefined;
  const withEvictions = () => {
    const priority = findEvictionPriority(workload, old, surroundings)!;
    const own = new Set(old.located);
    const evicted = new Set(surroundings.podIndex().pods.filter((pod) => pod.priority < priority && !own.has(pod)));
    return { model: buildWithout(evicted).model, owners: listOwners([...evicted]) };
  };
  const withoutMoving = () => {
    const { inventory: nodes, pods: others, podsOn: othersOn } = getNodesWithoutLeaving(workload, limits);
    // The old pods of the rollout are not on these nodes.
    return buildOn({ inventory: nodes, pods: others, podsOn: othersOn, freeWithout: (free) => free }).model;
  };
  const withOthersLeaving = (places: PlacesLeft) => {
    const onVolumes = withVolumeNodes(workload, surroundings.context);
    const enough = isCountedBySlots ? countEnoughPlaces(pods) : Infinity;
    const elsewhere = assumeOthersLeaving(places, onVolumes, [workload], surroundings, enough);
    const rebuilt = elsewhere && buildWithout(new Set(), new NodeInventory(listGroups(elsewhere), surroundings.cache));
    return rebuilt && hasPlacesForOld(rebuilt, pods) ? rebuilt.model : undefined;
  };
  const terminating = listTerminatingPods(surroundings, workload);
  return {
    model: built.model,
    undecided: built.undecided,
    mayPreempt: canPreempt(workload, old, surroundings),
    ...(!canEvictOldPods(workload, old, surroundings) && { withEvictions }),
    ...(terminating.length > 0 && { withoutTerminating: () => buildWithout(new Set(terminating)).model }),
    ...(hasOtherMovingPods(workload, limits) && { withoutMoving }),
    withOthersLeaving,
  };
}

function sumCapped(counts: readonly number[], enough: number): number {
  let total = 0;
  for (const count of counts) if ((total += count) >= enough) return enough;
  return total;
}
