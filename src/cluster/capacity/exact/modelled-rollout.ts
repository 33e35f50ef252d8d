import { getFieldsAt } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { BoundedMemo } from '../../../core/memoize';
import type { PodSet } from '../../pod-set';
import type { LimitedRollout } from '../../workload';
import { countNodesWithCapacity } from '../nodes/placement';
import type { PlanLimits } from '../plan-limits';
import { assumePlacesOfOthers } from '../surroundings/assumed-places';
import { canEvictOldPods, canPreempt, findEvictionPriority, listTerminatingPods } from '../surroundings/evictions';
import { getNodesWithoutLeaving, hasOtherMovingPods } from '../moving/moving-pods';
import { NodeInventory } from '../surroundings/node-inventory';
import { listOwners } from '../surroundings/pod-owners';
import { toShape } from '../nodes/pod-shape';
import type { RunningPod } from '../surroundings/running-pods';
import { addBack } from '../surroundings/surroundings';
import type { Surroundings } from '../surroundings/surroundings';
import { listExclusiveClaims, listPodsOnOwnVolumes, withVolumeNodes } from '../surroundings/volume-nodes';
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
    { newPodsBesideOld: Array.from({ length: replicas + 1 }, () => replicas), signature: '', domainlessSignature: '' },
  ]);
}

/** Builds a model in which nodes have capacity for all pods, so that only quotas decide. */
export function withAmpleNodes(sizes: RolloutSizes, admitted: readonly number[]): RolloutModel {
  const { replicas } = sizes;
  return {
    ...sizes,
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
  const { model, withEvictions, withoutTerminating, withoutMoving } = modelled;
  const resize = (other: RolloutModel): RolloutModel => ({
    ...other,
    surge: sizes.surge,
    unavailable: sizes.unavailable,
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
  };
}

/**
 * Builds the model of a rollout. The models of one workload are kept until another one is modelled, because advice runs it with thousands of
 * limits, which the nodes do not depend on.
 *
 * Returns undefined if old pods on unknown nodes find no place, or if too many pods of others do.
 *
 * @param kept old pods that no new one replaces
 */
export function buildModelledRollout(
  workload: LimitedRollout['workload'],
  process: RolloutProcess,
  old: OldPods,
  admitted: readonly number[],
  kept: number,
  limits: PlanLimits,
): ModelledRollout | undefined {
  let last = LAST_MODELS.get(limits);
  if (last?.workload !== workload) {
    last = { workload, byKey: new Map() };
    LAST_MODELS.set(limits, last);
  }
  const { kind, replicas, surge, unavailable } = process;
  const ordinals = kind === 'ordered' ? process.ordinals : [];
  const key = `${kind} ${replicas} ${ordinals.join(',')} ${admitted.join(',')}`;
  if (!last.byKey.has(key)) last.byKey.set(key, buildModelOf(workload, process, old, admitted, kept, limits));
  const known = last.byKey.get(key);
  return known && withSizes(known, { replicas, surge, unavailable }, limits);
}

function buildModelOf(
  workload: LimitedRollout['workload'],
  process: RolloutProcess,
  old: OldPods,
  admitted: readonly number[],
  kept: number,
  limits: PlanLimits,
): ModelledRollout | undefined {
  const { replicas, surge, unavailable } = process;
  const sizes = { replicas, surge, unavailable };
  const { surroundings } = limits;
  const hasNoNodes =
    surroundings === undefined || surroundings.pools.length === 0 || workload.countOnly === true || workload.onePerNode === true;
  const onVolumes = surroundings ? withVolumeNodes(workload, surroundings.context) : workload;
  const onOwnVolumes =
    surroundings && process.kind === 'ordered' ? listPodsOnOwnVolumes(onVolumes, process.ordinals, surroundings.context) : undefined;
  const exclusiveClaims = surroundings ? listExclusiveClaims(workload, surroundings.context) : [];
  const mayBePinned = exclusiveClaims.length > 0 || (workload.claimTemplates?.length ?? 0) > 0;
  const isCountedBySlots = !hasNoNodes && !mayBePinned && areCountedBySlots(onVolumes, old, surroundings, limits);
  // R + K old pods are on at most as many nodes, so that with capacity on 2R + K nodes there are R others.
  const enough = 2 * replicas + kept;
  const hasEnough = () => countNodesWithCapacity(limits.steady!.nodes, onVolumes, limits.cache, enough) >= enough;
  if (hasNoNodes || (isCountedBySlots && hasEnough())) {
    return { model: withAmpleNodes(sizes, admitted), undecided: [], mayPreempt: false, hasNodes: !hasNoNodes, isCountedBySlots };
  }
  const { context } = surroundings;
  const inventory = inventoryFor(workload, surroundings);
  if (inventory === undefined) return undefined;
  const { devices, podsByNode } = surroundings;
  const { revisionLabel = '' } = workload;
  const newSpec = getFieldsAt(workload.template, 'spec');
  const oldSpec = old.spec ?? newSpec;
  const newLabels = { ...getFieldsAt(workload.template, 'metadata', 'labels'), [revisionLabel]: NEW_REVISION };
  const oldPodSet = { ...workload, template: { ...workload.template, spec: oldSpec } };
  const { located } = old;
  const placesNoOld = ({ model }: BuiltModel) => !located && sumCapped(model.oldLimitByNode, replicas + kept) < replicas + kept;
  const buildOn = (nodes: Pick<ModelInputs, 'inventory' | 'pods' | 'podsOn' | 'freeWithout'>): BuiltModel => {
    const inputs: ModelInputs = {
      sizes,
      old: {
        shape: toShape(workload, { [revisionLabel]: OLD_REVISION, ...old.labels }, oldSpec),
        podSet: oldPodSet,
        onVolumes: withVolumeNodes(oldPodSet, context),
      },
      next: { shape: toShape(workload, newLabels, newSpec), podSet: workload, onVolumes },
      ...nodes,
      ...(located ? { located } : { keptOld: kept }),
      deletedInOrder: process.kind === 'ordered',
      createsBeforeDeletion: process.kind === 'rolling',
      exclusiveClaims,
      ...(onOwnVolumes && { onOwnVolumes }),
      newPodsAdmitted: admitted,
      devices,
    };
    const built = buildRolloutModel(inputs);
    // Pods of others on assumed nodes may leave none.
    return placesNoOld(built) ? buildRolloutModel({ ...inputs, placesOldAnywhere: true }) : built;
  };
  const build = (nodes: NodeInventory, gone: ReadonlySet<RunningPod>) =>
    buildOn({
      inventory: nodes,
      pods: surroundings.podIndex().without(gone),
      podsOn: (nodeName) => (podsByNode.get(nodeName) ?? []).filter((pod) => !gone.has(pod)),
      freeWithout: (free, pods) => addBack(free, pods, devices),
    });
  const buildWithoutMoving = () => {
    const { inventory: nodes, pods, podsOn } = getNodesWithoutLeaving(workload, limits);
    // The old pods of the rollout are not on these nodes.
    return buildOn({ inventory: nodes, pods, podsOn, freeWithout: (free) => free }).model;
  };
  const built = build(inventory, new Set());
  if (placesNoOld(built)) return undefined;
  const { model, undecided } = built;
  const buildWithout = (gone: ReadonlySet<RunningPod>) => {
    const nodes = inventory.nodes.map((node) => {
      const pods = (podsByNode.get(node.pool.nodeName ?? '') ?? []).filter((pod) => gone.has(pod));
      return pods.length === 0 ? node : { ...node, free: addBack(node.free, pods, devices) };
    });
    return build(new NodeInventory(nodes, surroundings.cache), gone).model;
  };
  const withEvictions = () => {
    const priority = findEvictionPriority(workload, old, surroundings)!;
    const own = new Set(located);
    const evicted = new Set(surroundings.podIndex().pods.filter((pod) => pod.priority < priority && !own.has(pod)));
    return { model: buildWithout(evicted), owners: listOwners([...evicted]) };
  };
  const terminating = listTerminatingPods(surroundings, workload);
  return {
    model,
    undecided,
    mayPreempt: canPreempt(workload, old, surroundings),
    ...(!canEvictOldPods(workload, old, surroundings) && { withEvictions }),
    ...(terminating.length > 0 && { withoutTerminating: () => buildWithout(new Set(terminating)) }),
    ...(hasOtherMovingPods(workload, limits) && { withoutMoving: buildWithoutMoving }),
    hasNodes: true,
    isCountedBySlots,
  };
}

function sumCapped(counts: readonly number[], enough: number): number {
  let total = 0;
  for (const count of counts) if ((total += count) >= enough) return enough;
  return total;
}
