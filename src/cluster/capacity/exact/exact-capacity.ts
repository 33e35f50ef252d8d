import type { CapacityResult, Shortage } from '../../../core/capacity-result';
import type { Fields } from '../../../core/manifest';
import { getFieldsAt, nameOf } from '../../../core/manifest';
import type { DeploymentSimulation } from '../../../core/simulations/deployment';
import type { Simulation } from '../../../core/simulations/simulation';
import { truncateAtDeadlock } from '../../../core/simulations/simulation-kinds';
import { joinWords, pluralize } from '../../../core/text-format';
import type { PodSet, Workload } from '../../workload';
import { buildPodSlotShortage, buildResourceShortage } from '../rollout-capacity';
import type { CapacityEvaluation, LimitedRollout, PlanLimits } from '../rollout-capacity';
import { createEmptyNodes, hasNodesWithCapacity, schedulePods, sortLargestFirst } from '../placement';
import { computePodFootprint } from '../pod-requests';
import { buildFittingResult, formatOutcome, formatShortage } from '../shortage';
import { countAllowedPods, resolveOwnLimit } from './admitted-pods';
import type { OwnLimit } from './admitted-pods';
import { buildRolloutModel } from './build-rollout-model';
import { NodeInventory, toInventoryNodes } from './node-inventory';
import { PodIndex } from './pod-index';
import type { PodShape } from './pod-shape';
import { resolvePriority } from './pod-priority';
import { computeOutcomeBounds, computeNewPodBounds, computeRowOutcomes, computeSlack, isDecidedByNodes } from './rollout-bounds';
import type { RolloutModel, RolloutOutcomes, RolloutSizes } from './rollout-model';
import { readProcess } from './rollout-process';
import type { RolloutProcess } from './rollout-process';
import { buildRunSimulation, runRecreate, runRollingUpdate } from './rollout-run';
import type { RolloutRun, RunLimits } from './rollout-run';
import type { RunningPod } from './running-pods';
import { searchRollout } from './rollout-search';
import { addBack } from './surroundings';
import { listExclusiveClaims, listPodsOnOwnVolumes, withVolumeNodes } from './volume-nodes';
import { computeOtherUseChange, countDisplacedPods, OTHER_ROLLOUTS } from './other-rollouts';
import type { UseChange } from './other-rollouts';
import { listNodeProvisioners } from './node-provisioners';
import type { Surroundings } from './surroundings';

/** Maximum number of nodes, and of replicas, of a search. */
const MAX_SEARCHED_NODES = 64;
const MAX_SEARCHED_REPLICAS = 40;
/** Maximum number of nodes times pod sets on unknown nodes. Their placement is assumed again for each rollout. */
const MAX_ASSUMED_PLACEMENTS = 50_000;

/** Constraints that the model of a rollout decides. */
const MODELLED: ReadonlySet<string> = new Set(['topologySpreadConstraints', 'podAffinity', 'podAntiAffinity', 'resourceClaims']);

/** The reason if the nodes that the scheduler chooses, or the old pods that the controller deletes first, decide. */
export const PLACEMENT = 'the choice of nodes';
/** The reason if pods of lower priority may be evicted. */
export const PREEMPTION = 'preemption';

/** The old pods of a rollout. */
interface OldPods {
  readonly spec: Fields | undefined;
  readonly labels: Fields;
  /** Pods on known nodes. Undefined if it is not known where all of them are. */
  readonly located?: readonly RunningPod[];
}

function areAlike(pods: readonly RunningPod[]): boolean {
  const first = formatFootprint(pods[0]!.spec);
  return pods.every(({ spec }) => formatFootprint(spec) === first);
}

/** Returns the pods with these ordinals in their names, in this order. */
function selectOrdinals(pods: readonly RunningPod[], ordinals: readonly number[]): readonly RunningPod[] | undefined {
  const byOrdinal = new Map(pods.map((pod) => [/-(\d+)$/.exec(nameOf(pod.pod))?.[1], pod]));
  const selected = ordinals.flatMap((ordinal) => byOrdinal.get(`${ordinal}`) ?? []);
  return selected.length === ordinals.length ? selected : undefined;
}

/** Resolves the old pods: the live ones if all of them are known, or else those of the template before the apply. */
function resolveOldPods(podSet: PodSet, process: RolloutProcess, surroundings: Surroundings | undefined): OldPods | undefined {
  const live = surroundings?.allOwnPods.get(podSet) ?? [];
  const template = podSet.oldTemplate;
  const templateSpec = template && getFieldsAt(template, 'spec');
  const templateLabels = getFieldsAt(template ?? podSet.template, 'metadata', 'labels');
  if (live.length === 0) return { spec: templateSpec, labels: templateLabels };
  // Pods that are deleted, wait or differ are no steady state.
  if (live.length !== podSet.replicas || live.some(({ isTerminating }) => isTerminating)) return undefined;
  const replaced = process.kind === 'ordered' ? selectOrdinals(live, process.ordinals) : live;
  if (!replaced || !areAlike(replaced)) return undefined;
  const nodesAreKnown = (surroundings?.pools.length ?? 0) > 0;
  if (nodesAreKnown && surroundings?.ownPods.get(podSet)?.length !== live.length) return undefined;
  return { spec: replaced[0]!.spec, labels: replaced[0]!.labels, ...(nodesAreKnown && { located: replaced }) };
}

/**
 * Returns the nodes as the running pods leave them. Nodes are assumed for pods of other sets on unknown ones. Returns undefined if there are
 * too many of those.
 */
function inventoryFor(podSet: PodSet, surroundings: Surroundings): NodeInventory | undefined {
  const { pools, free, demands, cache } = surroundings;
  const others = demands.filter((demand) => demand.podSet !== podSet && demand.pods > 0);
  if (others.length === 0) return surroundings.inventory();
  if (others.length * pools.length > MAX_ASSUMED_PLACEMENTS) return undefined;
  const empty = pools.map((pool) => ({ ...pool, allocatable: free.get(pool)! }));
  const placement = schedulePods(createEmptyNodes(empty), sortLargestFirst(empty, others, cache), cache, 'old');
  return new NodeInventory(toInventoryNodes(placement), cache);
}

function toShape({ namespace = 'default', namespaceLabels }: PodSet, labels: Fields, spec: Fields): PodShape {
  return { namespace, ...(namespaceLabels && { namespaceLabels }), labels, spec };
}

/** A value for the label of a revision that no pod has. */
const NEW_REVISION = ' new';
const OLD_REVISION = ' old';

/** A model of a rollout, and what else decides. */
interface ModelledRollout {
  readonly model: RolloutModel;
  readonly undecided: readonly string[];
  readonly mayPreempt: boolean;
  /** Returns the model without the pods that new ones may evict, and the owners of those pods. Unset if old pods may be evicted too. */
  readonly withEvictions?: () => { readonly model: RolloutModel; readonly owners: readonly string[] };
  readonly hasNodes: boolean;
  /** Whether twice as many nodes have capacity as there are new pods. */
  readonly isAmple: boolean;
}

/** Returns the priority below which new pods may evict pods of others. Returns undefined if they evict none. */
function findEvictionPriority(workload: PodSet, old: OldPods, { context }: Surroundings): number | undefined {
  const spec = getFieldsAt(workload.template, 'spec');
  const { value, mayPreempt } = resolvePriority(spec, context);
  if (!mayPreempt) return undefined;
  if (value !== undefined) return value;
  // The class of the new pods is not in the input.
  const isSameClass = old.spec === undefined || old.spec.priorityClassName === spec.priorityClassName;
  return isSameClass && old.spec ? (resolvePriority(old.spec, context).value ?? Infinity) : Infinity;
}

/** Reports whether new pods may evict the old pods of their own rollout. */
function canEvictOldPods(workload: PodSet, old: OldPods, { context }: Surroundings): boolean {
  const { value, mayPreempt } = resolvePriority(getFieldsAt(workload.template, 'spec'), context);
  const oldPriority = old.spec && resolvePriority(old.spec, context).value;
  return mayPreempt && value !== undefined && oldPriority !== undefined && oldPriority < value;
}

/** Reports whether new pods may evict pods that are on the nodes. */
function canPreempt(workload: PodSet, old: OldPods, surroundings: Surroundings): boolean {
  const priority = findEvictionPriority(workload, old, surroundings);
  const mayEvictOthers = priority !== undefined && surroundings.podIndex().hasPriorityBelow(priority, old.located ?? []);
  return mayEvictOthers || canEvictOldPods(workload, old, surroundings);
}

/** Reports whether new pods of a set may evict running pods. */
export function canPreemptFor(podSet: PodSet, surroundings: Surroundings): boolean {
  const spec = podSet.oldTemplate && getFieldsAt(podSet.oldTemplate, 'spec');
  return canPreempt(podSet, { spec, labels: {}, located: surroundings.ownPods.get(podSet) ?? [] }, surroundings);
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

/**
 * Reports whether nodes have capacity for all new pods in every placement. R old pods are on at most R nodes, so that with capacity on 2R
 * nodes there are R others. This decides most rollouts without a model of each node.
 */
function hasAmpleNodes(workload: PodSet, old: OldPods, replicas: number, surroundings: Surroundings, limits: PlanLimits): boolean {
  const { steady, cache } = limits;
  const spec = getFieldsAt(workload.template, 'spec');
  if (!steady || surroundings.hasDownNodes || hasPodConstraints(spec) || (old.spec && hasPodConstraints(old.spec))) return false;
  const shape = toShape(workload, getFieldsAt(workload.template, 'metadata', 'labels'), spec);
  return !surroundings.podIndex().mayExclude(shape) && hasNodesWithCapacity(steady.nodes, workload, 2 * replicas, cache);
}

/** Builds a model in which nodes have capacity for all pods, so that only quotas decide. */
function withAmpleNodes(sizes: RolloutSizes, admitted: readonly number[]): RolloutModel {
  const { replicas } = sizes;
  const node = { newPodsBesideOld: Array.from({ length: replicas + 1 }, () => replicas), signature: '' };
  return {
    ...sizes,
    nodes: [node],
    oldByNode: [replicas],
    oldLimitByNode: [replicas],
    spreads: [],
    antiAffinities: [],
    newPodsAdmitted: admitted,
  };
}

function buildModel(
  workload: LimitedRollout['workload'],
  process: RolloutProcess,
  old: OldPods,
  admitted: readonly number[],
  limits: PlanLimits,
): ModelledRollout | undefined {
  const { replicas, surge, unavailable } = process;
  const sizes = { replicas, surge, unavailable };
  const { surroundings } = limits;
  const hasNoNodes = surroundings === undefined || surroundings.pools.length === 0 || workload.countOnly === true;
  const onVolumes = surroundings ? withVolumeNodes(workload, surroundings.context) : workload;
  const onOwnVolumes =
    surroundings && process.kind === 'ordered' ? listPodsOnOwnVolumes(onVolumes, old.located ?? [], surroundings.context) : undefined;
  const exclusiveClaims = surroundings ? listExclusiveClaims(workload, surroundings.context) : [];
  const mayBePinned =
    exclusiveClaims.length > 0 || onOwnVolumes !== undefined || (process.kind === 'ordered' && (workload.claims?.length ?? 0) > 0);
  if (hasNoNodes || (!mayBePinned && hasAmpleNodes(onVolumes, old, replicas, surroundings, limits))) {
    return { model: withAmpleNodes(sizes, admitted), undecided: [], mayPreempt: false, hasNodes: !hasNoNodes, isAmple: true };
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
  const build = (nodes: NodeInventory, evicted: ReadonlySet<RunningPod>) =>
    buildRolloutModel({
      sizes,
      old: {
        shape: toShape(workload, { [revisionLabel]: OLD_REVISION, ...old.labels }, oldSpec),
        podSet: oldPodSet,
        onVolumes: withVolumeNodes(oldPodSet, context),
      },
      next: { shape: toShape(workload, newLabels, newSpec), podSet: workload, onVolumes },
      inventory: nodes,
      pods: evicted.size === 0 ? surroundings.podIndex() : new PodIndex(surroundings.podIndex().pods.filter((pod) => !evicted.has(pod))),
      podsOn: (nodeName) => (podsByNode.get(nodeName) ?? []).filter((pod) => !evicted.has(pod)),
      ...(located && { located }),
      deletedInOrder: process.kind === 'ordered',
      createsBeforeDeletion: process.kind === 'rolling',
      exclusiveClaims,
      ...(onOwnVolumes && { onOwnVolumes }),
      freeWithout: (free, pods) => addBack(free, pods, devices),
      newPodsAdmitted: admitted,
      devices,
    });
  const { model, undecided } = build(inventory, new Set());
  if (!located && sumCapped(model.oldLimitByNode, replicas) < replicas) return undefined;
  const withEvictions = () => {
    const priority = findEvictionPriority(workload, old, surroundings)!;
    const own = new Set(located);
    const evicted = new Set(surroundings.podIndex().pods.filter((pod) => pod.priority < priority && !own.has(pod)));
    const nodes = inventory.nodes.map((node) => {
      const pods = (podsByNode.get(node.pool.nodeName ?? '') ?? []).filter((pod) => evicted.has(pod));
      return pods.length === 0 ? node : { ...node, free: addBack(node.free, pods, devices) };
    });
    const { cache } = surroundings;
    return { model: build(new NodeInventory(nodes, cache), evicted).model, owners: listOwners([...evicted]) };
  };
  return {
    model,
    undecided,
    mayPreempt: canPreempt(workload, old, surroundings),
    ...(!canEvictOldPods(workload, old, surroundings) && { withEvictions }),
    hasNodes: true,
    isAmple: false,
  };
}

function sumCapped(counts: readonly number[], enough: number): number {
  let total = 0;
  for (const count of counts) if ((total += count) >= enough) return enough;
  return total;
}

/** The outcomes of a rollout. */
interface DecidedOutcomes extends RolloutOutcomes {
  /** Row at which a rollout through given rows stops. */
  readonly row?: number;
}

/** Decides a rollout. Returns undefined if it may go through other rows than the given ones. */
function decide(model: RolloutModel, process: RolloutProcess): DecidedOutcomes | undefined {
  if (process.kind === 'rows') return computeRowOutcomes(model, process.rows, process.waitsForAllNew);
  const bounds = computeOutcomeBounds(model);
  if (bounds.outcome === 'every') return bounds;
  const isSmall = model.nodes.length <= MAX_SEARCHED_NODES && model.replicas <= MAX_SEARCHED_REPLICAS;
  // Which pods of unknown nodes are deleted first is not known either.
  const isInOrder = process.kind !== 'ordered' || model.deletionOrder !== undefined;
  return (isSmall && isInOrder ? searchRollout(model) : undefined) ?? bounds;
}

/** Returns the new pods that limits allow next to each number of old ones. */
function countAdmittedPods(ownLimits: readonly OwnLimit[], replicas: number, kept: number): number[] {
  return Array.from({ length: replicas + 1 }, (_, oldPods) =>
    ownLimits.reduce((fewest, limit) => Math.min(fewest, countAllowedPods(limit, oldPods + kept)), replicas),
  );
}

/** Returns the limits of the run that is shown: the best one if none finishes, or else the worst one by capacity of nodes. */
function resolveRunLimits(
  model: RolloutModel,
  { outcome, newAtMost }: RolloutOutcomes,
  ownLimits: readonly OwnLimit[],
  kept: number,
): RunLimits {
  const bounds = computeNewPodBounds(model);
  const counts = outcome === 'every' && isDecidedByNodes(model) ? bounds.least : bounds.most;
  const limit = outcome === 'none' ? newAtMost : model.replicas;
  return {
    // Pods beyond any other limit exist and wait.
    admitted: countAdmittedPods(
      ownLimits.filter(({ limit: { refusesPods } }) => refusesPods),
      model.replicas,
      kept,
    ),
    placed: (oldPods) => Math.min(limit, model.newPodsAdmitted[oldPods]!, Math.max(0, counts[oldPods] ?? 0)),
  };
}

/** Returns the limit that the next new pod exceeds. */
function findShortage(ready: number, old: number, ownLimits: readonly OwnLimit[]): Shortage {
  const exceeded = ownLimits.find((limit) => countAllowedPods(limit, old) <= ready);
  if (!exceeded) return buildPodSlotShortage(old + ready + 1, old + ready);
  return buildResourceShortage(exceeded.limit, exceeded.old * BigInt(old) + exceeded.next * BigInt(ready + 1), exceeded.left);
}

/** Names the owners of running pods, with the number of pods, most pods first. */
function listOwners(pods: readonly RunningPod[]): string[] {
  const counts = new Map<string, number>();
  for (const { workloadName } of pods) counts.set(workloadName, (counts.get(workloadName) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, 3).map(([name, count]) => (name.startsWith('Pod ') ? name : `${pluralize(count, 'pod')} of ${name}`));
  return sorted.length > 3 ? [...shown, `${sorted.length - 3} more`] : shown;
}

function listUnplannedOwners({ unplanned, inventory }: Surroundings): string[] {
  return listOwners(unplanned.filter(({ nodeName }) => nodeName !== undefined && inventory().indexOf(nodeName) !== undefined));
}

const ownersBySurroundings = () => new WeakMap<Surroundings, readonly string[]>();

function getUnplannedOwners(surroundings: Surroundings): readonly string[] {
  const known = surroundings.cache.getOrCreate(ownersBySurroundings);
  const owners = known.get(surroundings) ?? listUnplannedOwners(surroundings);
  known.set(surroundings, owners);
  return owners;
}

/** Formats the range of new pods that run: `between 1 and 3 of 4 new pods run`. */
function formatNewPods({ outcome, newAtLeast, newAtMost }: RolloutOutcomes, replicas: number): string {
  if (outcome === 'every') return `there is capacity for ${pluralize(replicas, 'new pod')} now`;
  if (newAtLeast === newAtMost) return `${newAtLeast} of ${pluralize(replicas, 'new pod')} ${newAtLeast === 1 ? 'runs' : 'run'}`;
  return `between ${newAtLeast} and ${newAtMost} of ${pluralize(replicas, 'new pod')} run`;
}

/** Reasons with a sentence of their own. */
const EXPLAINED: ReadonlySet<string> = new Set([PLACEMENT, PREEMPTION, OTHER_ROLLOUTS]);

function formatUncertainty(outcomes: RolloutOutcomes, because: readonly string[], replicas: number, evicts: readonly string[]): string {
  if (evicts.length > 0 && because.length === 1) {
    return `May not fit: it fits only by evicting pods of lower priority, such as ${joinWords(evicts)}. Without that, ${formatNewPods(outcomes, replicas)}.`;
  }
  const provisioners = because.filter((reason) => reason.startsWith('NodePool '));
  const reasons = because.filter((reason) => !EXPLAINED.has(reason) && !provisioners.includes(reason));
  const parts = [
    ...(because.includes(PLACEMENT) ? ['which nodes the scheduler chooses'] : []),
    ...(because.includes(OTHER_ROLLOUTS) ? ['when the other rollouts of the change use or free capacity'] : []),
    ...(because.includes(PREEMPTION) ? ['whether pods of lower priority are evicted'] : []),
    ...(provisioners.length > 0 ? [`whether ${joinWords(provisioners, 'or')} makes another node`] : []),
    ...(reasons.length > 0 ? [`${joinWords(reasons)}, which the input does not decide`] : []),
  ];
  // What the others leave decides how many run.
  if (because.includes(OTHER_ROLLOUTS) && outcomes.outcome === 'none') return `May not fit: this depends on ${joinWords(parts)}.`;
  return `May not fit: ${formatNewPods(outcomes, replicas)}. This depends on ${joinWords(parts)}.`;
}

/** The reason if old pods differ from new ones and only numbers of pods were compared. */
const OLD_REQUESTS = 'old pods with other requests';
const OLD_CONSTRAINTS = 'old pods with other node constraints';

function formatFootprint(podSpec: unknown): string {
  return JSON.stringify([...computePodFootprint(podSpec)].map(([resource, amount]) => `${resource} ${amount}`).toSorted());
}

function formatConstraints({ nodeSelector, affinity, tolerations }: Fields): string {
  return JSON.stringify([nodeSelector, affinity, tolerations]);
}

/**
 * Returns an evaluation that takes old pods for new ones, as uncertain if they differ in what decides.
 *
 * 4 old pods of 1 GPU and 5 new ones of 2 GPUs deadlock at a quota of 11 if the old pods request 2 GPUs too, and fit as they are.
 *
 * @param exceedsLimit whether the new pods alone exceed a limit, so that the rollout deadlocks whatever the old ones request
 */
export function withUndecidedOldPods(
  { template, oldTemplate }: PodSet,
  base: CapacityEvaluation,
  exceedsLimit: () => boolean,
): CapacityEvaluation {
  if (oldTemplate === undefined) return base;
  const [old, next] = [getFieldsAt(oldTemplate, 'spec'), getFieldsAt(template, 'spec')];
  const { verdict, peakPods, podsThatFit, shortage } = base.verdict;
  const isByLimit = shortage?.kind === 'quota' || shortage?.kind === 'capacity';
  const isWithoutNode = shortage?.kind === 'labels' || shortage?.kind === 'taints';
  const because = [
    ...(!isWithoutNode && formatFootprint(old) !== formatFootprint(next) ? [OLD_REQUESTS] : []),
    ...(!isByLimit && formatConstraints(old) !== formatConstraints(next) ? [OLD_CONSTRAINTS] : []),
  ];
  if (because.length === 0 || verdict === 'may-not-fit' || (verdict === 'deadlocks' && exceedsLimit())) return base;
  const fitting = buildFittingResult(peakPods, podsThatFit, because);
  const reason = shortage && formatShortage(shortage, 'with old pods like the new ones it peaks at');
  return {
    verdict: reason ? { ...fitting, message: `May not fit: ${reason}, and plans do not model ${joinWords(because)}.` } : fitting,
    delay: { deadlocks: false, podsWithRoom: peakPods, podsAdmitted: Infinity },
  };
}

/** Returns the evaluation of a rollout that deadlocks unless pods of lower priority are evicted. */
export function toPossibleEviction({ verdict: { peakPods, podsThatFit } }: CapacityEvaluation): CapacityEvaluation {
  return {
    verdict: {
      verdict: 'may-not-fit',
      peakPods,
      podsThatFit,
      because: [PREEMPTION],
      message: 'May not fit: this depends on whether pods of lower priority are evicted.',
    },
    delay: { deadlocks: false, podsWithRoom: peakPods, podsAdmitted: Infinity },
  };
}

/** Reports whether a new pod of a StatefulSet may need another node than the old one, to which its volume may not be able to move. */
function mayMoveClaims(
  { claims = [], template }: Workload,
  process: RolloutProcess,
  oldSpec: Fields | undefined,
  model: RolloutModel,
): boolean {
  if (process.kind !== 'ordered' || claims.length === 0) return false;
  const { nodes, oldByNode, deletionOrder } = model;
  if (oldByNode && deletionOrder) {
    return deletionOrder.some((node) => (nodes[node]!.newPodsBesideOld[oldByNode[node]! - 1] ?? 0) === 0);
  }
  if (oldSpec === undefined) return false;
  const newSpec = getFieldsAt(template, 'spec');
  const oldFootprint = computePodFootprint(oldSpec);
  const grows = [...computePodFootprint(newSpec)].some(([resource, amount]) => amount > (oldFootprint.get(resource) ?? 0n));
  return grows || formatConstraints(oldSpec) !== formatConstraints(newSpec);
}

/** Returns the evaluation of a rollout by all placements that the scheduler may choose. Returns the given one if it is not decided so. */
export function evaluateExactly(
  limited: LimitedRollout,
  base: CapacityEvaluation,
  limits: PlanLimits,
  unmodelled: readonly string[],
): CapacityEvaluation {
  const { workload } = limited;
  const process = readProcess(limited);
  const ownLimitSources = limits.resourcesOf(workload);
  const isScaled = workload.running !== undefined && workload.running !== workload.replicas;
  // An old pod of a DaemonSet is deleted before its successor needs the node, or stays there.
  if (workload.onePerNode || ownLimitSources.some(({ rejection }) => rejection)) return base;
  const exceedsLimit = () => {
    const oldSpec = workload.oldTemplate && getFieldsAt(workload.oldTemplate, 'spec');
    return ownLimitSources.some((limit) => {
      const otherChange = computeOtherUseChange(limit, [workload], limits.cache);
      const ownLimit = resolveOwnLimit(limit, workload, oldSpec, otherChange);
      return countAllowedPods({ ...ownLimit, left: ownLimit.left + otherChange.decrease }, 0) < workload.replicas;
    });
  };
  const undecidedBase = () => withUndecidedOldPods(workload, base, exceedsLimit);
  if (!process || isScaled) return undecidedBase();
  const { replicas } = process;
  const hasLivePods = (limits.surroundings?.allOwnPods.get(workload)?.length ?? 0) > 0;
  const kept = process.kind === 'ordered' ? workload.replicas - replicas : 0;
  if (replicas + kept !== workload.replicas && hasLivePods) return undecidedBase();
  const old = resolveOldPods(workload, process, limits.surroundings);
  if (!old || (kept > 0 && limits.surroundings !== undefined && !old.located)) return undecidedBase();
  const otherUse = ownLimitSources.map((limit) => computeOtherUseChange(limit, [workload], limits.cache));
  const ownLimits = ownLimitSources.map((limit, index) => resolveOwnLimit(limit, workload, old.spec, otherUse[index]!));
  const admitted = countAdmittedPods(ownLimits, replicas, kept);
  const modelled = buildModel(workload, process, old, admitted, limits);
  const outcomes = modelled && decide(modelled.model, process);
  if (!modelled || !outcomes) return undecidedBase();
  const { model, hasNodes } = modelled;
  if (process.kind === 'rows' && outcomes.outcome === 'none') {
    // What a controller does with fewer pods depends on its kind.
    if (base.verdict.verdict === 'deadlocks') return base;
    const row = outcomes.row! - 1;
    const isRejected = admitted[process.rows[row]!.old]! <= outcomes.newAtMost;
    const outcome = limited.rollout.outcome(process.rows[row]!.old + outcomes.newAtMost, isRejected);
    if (outcome.verdict !== 'deadlocks') return undecidedBase();
  }
  const isUndecided = (name: string) => !hasNodes || !MODELLED.has(name) || modelled.undecided.includes(name);
  const undecided = [
    ...new Set([
      ...unmodelled.filter(isUndecided),
      ...modelled.undecided,
      ...(hasNodes && mayMoveClaims(workload, process, old.spec, model) ? ['volumes'] : []),
    ]),
  ];
  // Neither an eviction nor another node helps against a quota.
  const dependsOnNodes =
    hasNodes && outcomes.outcome !== 'every' && decide(withAmpleNodes(process, admitted), process)?.outcome === 'every';
  const evictions = dependsOnNodes && modelled.mayPreempt ? modelled.withEvictions?.() : undefined;
  const ifEvicted = evictions && decide(evictions.model, process)?.outcome;
  const mayPreempt = dependsOnNodes && modelled.mayPreempt && ifEvicted !== 'none';
  const decideWithOthers = (leftOf: (limit: OwnLimit, change: UseChange) => bigint) => {
    const changed = ownLimits.map((limit, index) => ({ ...limit, left: leftOf(limit, otherUse[index]!) }));
    return decide({ ...model, newPodsAdmitted: countAdmittedPods(changed, replicas, kept) }, process)?.outcome;
  };
  const hasOtherUse = otherUse.some(({ increase, decrease }) => increase > 0n || decrease > 0n);
  const dependsOnOthers =
    (outcomes.outcome === 'every' &&
      hasNodes &&
      countDisplacedPods(workload, limits) > (modelled.isAmple ? replicas : computeSlack(model))) ||
    (hasOtherUse &&
      (outcomes.outcome === 'none'
        ? decideWithOthers(({ left }, { decrease }) => left + decrease) !== 'none'
        : decideWithOthers(({ left }, { increase }) => (left > increase ? left - increase : 0n)) !== 'every'));
  const because = [
    ...(outcomes.outcome === 'some' ? [PLACEMENT] : []),
    ...(dependsOnOthers ? [OTHER_ROLLOUTS] : []),
    ...(mayPreempt ? [PREEMPTION] : []),
    ...(dependsOnNodes ? listNodeProvisioners(workload, limits.surroundings!.context, limits.cache) : []),
    ...(outcomes.outcome === 'none' ? [] : undecided),
  ];
  const owners = hasNodes ? getUnplannedOwners(limits.surroundings!) : [];
  const run = process.kind === 'rows' ? undefined : runProcess(process, resolveRunLimits(model, outcomes, ownLimits, kept));
  const evicts = mayPreempt && evictions ? evictions.owners : [];
  return buildEvaluation({ limited, base, process, outcomes, run, because, ownLimits, owners, evicts, kept });
}

function runProcess(process: RolloutProcess, runLimits: RunLimits): RolloutRun {
  return process.kind === 'recreate' ? runRecreate(process, runLimits) : runRollingUpdate(process, runLimits);
}

interface EvaluationParts {
  readonly limited: LimitedRollout;
  readonly base: CapacityEvaluation;
  readonly process: RolloutProcess;
  readonly outcomes: DecidedOutcomes;
  /** Undefined for a rollout through given rows. */
  readonly run: RolloutRun | undefined;
  readonly because: readonly string[];
  readonly ownLimits: readonly OwnLimit[];
  readonly owners: readonly string[];
  /** Owners of pods that new ones may evict. */
  readonly evicts: readonly string[];
  /** Old pods that no new one replaces. */
  readonly kept: number;
}

/** Reports whether a run has the rows of the rollout without limits. */
function isIdealRun(run: RolloutRun | undefined, process: RolloutProcess, { simulation }: LimitedRollout['rollout']): boolean {
  if (run === undefined) return true;
  if (run.hasWaitingPods) return false;
  if (process.kind === 'ordered') return run.startingWaves === Math.ceil(process.replicas / process.unavailable);
  const { waves } = simulation as DeploymentSimulation;
  return (
    run.waves.length === waves.length &&
    run.waves.every(
      ({ newReplicas, oldReplicas }, index) => newReplicas === waves[index]!.newReplicas && oldReplicas === waves[index]!.oldReplicas,
    )
  );
}

/** Returns the row, counted from 1, at which a rollout stops. */
function findDeadlockRow({ process, outcomes, run }: EvaluationParts): number {
  if (process.kind === 'rows') return outcomes.row!;
  if (process.kind === 'recreate') return 2;
  if (process.kind === 'ordered') return Math.floor(outcomes.newAtMost / process.unavailable) + 1;
  return Math.max(1, run!.waves.length);
}

/** Builds the rows of a rollout under its limits. Returns undefined if they follow from its delay. */
function buildShownSimulation({ process, run, limited }: EvaluationParts, deadlockRow?: number): Simulation | undefined {
  const { simulation } = limited.rollout;
  if (run && simulation.kind === 'deployment') return buildRunSimulation(process, run);
  return process.kind === 'ordered' && deadlockRow !== undefined ? truncateAtDeadlock(simulation, deadlockRow) : undefined;
}

/** Builds the evaluation of a rollout that finishes with fewer pods at once. It may not fit if constraints are not modelled. */
function buildSlowerEvaluation(parts: EvaluationParts): CapacityEvaluation {
  const { base, process, run, because, ownLimits, limited, kept } = parts;
  const { peakPods } = limited.rollout;
  const iterations = run!.startingWaves;
  const mostPods = run!.waves.reduce((most, { total }) => Math.max(most, total), process.replicas) + kept;
  const podsThatFit = base.verdict.shortage ? base.verdict.podsThatFit : Math.min(peakPods, mostPods);
  const shortage = base.verdict.shortage ?? findPeakShortage(process, ownLimits, podsThatFit);
  const outcome = `takes ${pluralize(iterations, 'wave')} that create pods, with fewer pods at once`;
  const { moreNodes } = base.verdict;
  const isOpen = because.length > 0;
  const message = isOpen
    ? `May not fit: it ${outcome}, because ${formatShortage(shortage, 'it peaks at')}, and plans do not model ${joinWords(because)}.`
    : formatOutcome(outcome, shortage, moreNodes);
  const verdict: CapacityResult = {
    verdict: isOpen ? 'may-not-fit' : 'slower',
    iterations,
    peakPods,
    podsThatFit,
    shortage,
    ...(isOpen && { because }),
    ...(moreNodes && !isOpen && { moreNodes }),
    message,
  };
  const isKnown = base.verdict.verdict === 'slower';
  const podsWithRoom = isKnown ? base.delay.podsWithRoom : podsThatFit;
  const shown = buildShownSimulation(parts);
  return { verdict, delay: { ...base.delay, deadlocks: false, podsWithRoom, iterations }, ...(shown && { simulation: shown }) };
}

function buildEvaluation(parts: EvaluationParts): CapacityEvaluation {
  const { base, process, outcomes, run, because, ownLimits, owners, evicts, limited, kept } = parts;
  const { rollout } = limited;
  const { replicas, unavailable } = process;
  const { peakPods, unit } = rollout;
  // The rows show a number that is certain.
  const isRange = outcomes.newAtLeast !== outcomes.newAtMost;
  const newPods = isRange ? { newPodsAtLeast: outcomes.newAtLeast, newPodsAtMost: outcomes.newAtMost } : {};
  const usedBy = owners.length > 0 ? { usedBy: owners } : {};
  if (because.length > 0) {
    const isUnresolved = outcomes.outcome === 'every' && !because.includes(OTHER_ROLLOUTS);
    const delay = base.delay.deadlocks ? { deadlocks: false, podsWithRoom: peakPods, podsAdmitted: Infinity } : base.delay;
    if (isUnresolved && isIdealRun(run, process, rollout)) return { verdict: buildFittingResult(peakPods, peakPods, because), delay };
    if (isUnresolved) return buildSlowerEvaluation(parts);
    const fewest = kept + outcomes.newAtLeast + Math.max(0, replicas - unavailable - outcomes.newAtLeast);
    const verdict: CapacityResult = {
      verdict: 'may-not-fit',
      peakPods,
      podsThatFit: Math.min(peakPods, fewest),
      because,
      ...newPods,
      ...usedBy,
      message: formatUncertainty(outcomes, because, replicas, evicts),
    };
    return { verdict, delay };
  }
  if (outcomes.outcome === 'every') {
    if (isIdealRun(run, process, rollout)) {
      if (base.verdict.verdict === 'fits') return base;
      return {
        verdict: buildFittingResult(peakPods, peakPods, []),
        delay: { deadlocks: false, podsWithRoom: peakPods, podsAdmitted: Infinity },
      };
    }
    return buildSlowerEvaluation(parts);
  }
  const deadlockWave = findDeadlockRow(parts);
  const isKnown = base.verdict.verdict === 'deadlocks';
  const ready = run?.ready ?? outcomes.newAtMost;
  const remaining = run?.old ?? (process.kind === 'rows' ? process.rows[deadlockWave - 1]!.old : 0);
  const shortage = isKnown ? base.verdict.shortage! : findShortage(ready, remaining + kept, ownLimits);
  const podsThatFit = isKnown ? base.verdict.podsThatFit : Math.min(peakPods, ready + remaining + kept);
  const exceeded = ownLimits.find((limit) => countAllowedPods(limit, remaining + kept) <= ready);
  const moreNodes = isKnown ? base.verdict.moreNodes : undefined;
  const users =
    owners.length > 0 && shortage.kind !== 'quota' ? ` The nodes also run pods that are not planned: ${joinWords(owners)}.` : '';
  const verdict: CapacityResult = {
    verdict: 'deadlocks',
    peakPods,
    podsThatFit,
    ...(isKnown && base.verdict.mostPodsThatFit !== undefined && { mostPodsThatFit: base.verdict.mostPodsThatFit }),
    ...newPods,
    ...usedBy,
    shortage,
    deadlockWave,
    ...(moreNodes && { moreNodes }),
    message: `${formatOutcome(`deadlocks at ${unit} ${deadlockWave}`, shortage, moreNodes)}${users}`,
  };
  const delay = {
    deadlocks: true,
    podsWithRoom: podsThatFit,
    podsAdmitted: isKnown ? base.delay.podsAdmitted : (exceeded?.limit.refusesPods ?? false) ? podsThatFit : Infinity,
  };
  const simulation = buildShownSimulation(parts, deadlockWave);
  return { verdict, delay, ...(simulation && { simulation }), ...(isKnown && base.rivals && { rivals: base.rivals }) };
}

/** Returns the limit that the peak of the ideal rollout exceeds. */
function findPeakShortage({ replicas, surge, unavailable }: RolloutSizes, ownLimits: readonly OwnLimit[], podsThatFit: number): Shortage {
  const oldPods = replicas - unavailable;
  const newPods = Math.min(replicas, surge + unavailable);
  const exceeded = ownLimits.find((limit) => countAllowedPods(limit, oldPods) < newPods);
  if (!exceeded) return buildPodSlotShortage(oldPods + newPods, podsThatFit);
  return buildResourceShortage(exceeded.limit, exceeded.old * BigInt(oldPods) + exceeded.next * BigInt(newPods), exceeded.left);
}
