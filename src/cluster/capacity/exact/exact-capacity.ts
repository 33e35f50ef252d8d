import type { CapacityResult, Shortage } from '../../../core/capacity-result';
import type { Fields } from '../../../core/manifest';
import { getFieldsAt } from '../../../core/manifest';
import type { DeploymentSimulation } from '../../../core/simulations/deployment';
import { joinWords, pluralize } from '../../../core/text-format';
import type { PodSet } from '../../workload';
import { buildPodSlotShortage, buildResourceShortage } from '../rollout-capacity';
import type { CapacityEvaluation, LimitedRollout, PlanLimits } from '../rollout-capacity';
import { createEmptyNodes, hasNodesWithCapacity, schedulePods, sortLargestFirst } from '../placement';
import { computePodFootprint } from '../pod-requests';
import { buildFittingResult, formatOutcome } from '../shortage';
import { countAllowedPods, resolveOwnLimit } from './admitted-pods';
import type { OwnLimit } from './admitted-pods';
import { buildRolloutModel } from './build-rollout-model';
import { NodeInventory } from './node-inventory';
import type { PodShape } from './pod-shape';
import { resolvePriority } from './pod-priority';
import { computeOutcomeBounds, computeNewPodBounds, isDecidedByNodes } from './rollout-bounds';
import type { RolloutModel, RolloutOutcomes, RolloutSizes } from './rollout-model';
import { buildRunSimulation, runRecreate, runRollingUpdate } from './rollout-run';
import type { RolloutRun, RunLimits } from './rollout-run';
import type { RunningPod } from './running-pods';
import { searchRollout } from './rollout-search';
import { addBack } from './surroundings';
import { listNodeProvisioners } from './node-provisioners';
import type { Surroundings } from './surroundings';

/** Maximum number of replicas of a rollout that is evaluated exactly. */
const MAX_REPLICAS = 1_000;
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

/** Returns the sizes of a Deployment that starts from a steady state. Returns undefined for any other rollout. */
function readSizes({ rollout }: LimitedRollout): (RolloutSizes & { readonly isRecreate: boolean }) | undefined {
  const { simulation } = rollout;
  if (simulation.kind !== 'deployment' || simulation.replicas === 0 || simulation.replicas > MAX_REPLICAS) return undefined;
  const { replicas, surge, unavailable, waves, peakPods, minAvailable, elided } = simulation;
  const [first] = waves;
  if (first === undefined || elided !== undefined || minAvailable !== replicas - unavailable) return undefined;
  const isRecreate = surge === 0 && unavailable === replicas && first.newReplicas === 0;
  const isSteady =
    first.oldReplicas === replicas - unavailable &&
    (isRecreate ||
      (first.newReplicas === Math.min(replicas, surge + unavailable) && peakPods === replicas + Math.min(surge, replicas - unavailable)));
  return isSteady ? { replicas, surge, unavailable, isRecreate } : undefined;
}

/** The old pods of a rollout. */
interface OldPods {
  readonly spec: Fields | undefined;
  readonly labels: Fields;
  /** Pods on known nodes. Undefined if it is not known where all of them are. */
  readonly located?: readonly RunningPod[];
}

function areAlike(pods: readonly RunningPod[]): boolean {
  const key = ({ spec }: RunningPod) => JSON.stringify([...computePodFootprint(spec)].map(([resource, amount]) => `${resource} ${amount}`));
  const first = key(pods[0]!);
  return pods.every((pod) => key(pod) === first);
}

/** Resolves the old pods: the live ones if all of them are known, or else those of the template before the apply. */
function resolveOldPods(podSet: PodSet, replicas: number, surroundings: Surroundings | undefined): OldPods | undefined {
  const live = surroundings?.allOwnPods.get(podSet) ?? [];
  const template = podSet.oldTemplate;
  const templateSpec = template && getFieldsAt(template, 'spec');
  const templateLabels = getFieldsAt(template ?? podSet.template, 'metadata', 'labels');
  if (live.length === 0) return { spec: templateSpec, labels: templateLabels };
  // Pods that are deleted, wait or differ are no steady state.
  if (live.length !== replicas || live.some(({ isTerminating }) => isTerminating) || !areAlike(live)) return undefined;
  const located = surroundings?.ownPods.get(podSet) ?? [];
  const nodesAreKnown = (surroundings?.pools.length ?? 0) > 0;
  if (nodesAreKnown && located.length !== replicas) return undefined;
  return { spec: live[0]!.spec, labels: live[0]!.labels, ...(nodesAreKnown && { located }) };
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
  return new NodeInventory(
    placement.nodes.cells.flatMap((cell) =>
      cell.flatMap(({ groups }) => groups.map(({ pool, nodes, free: left, marks }) => ({ pool, count: nodes, free: left, marks }))),
    ),
    cache,
  );
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
  readonly hasNodes: boolean;
}

/** Reports whether new pods may evict pods that are on the nodes. */
function canPreempt(workload: PodSet, old: OldPods, surroundings: Surroundings): boolean {
  const { context } = surroundings;
  const spec = getFieldsAt(workload.template, 'spec');
  const own = resolvePriority(spec, context);
  if (!own.mayPreempt) return false;
  const oldPriority = old.spec && resolvePriority(old.spec, context).value;
  const others = old.located ?? [];
  if (own.value === undefined) {
    const isSameClass = old.spec === undefined || old.spec.priorityClassName === spec.priorityClassName;
    const highest = isSameClass ? (oldPriority ?? Infinity) : Infinity;
    return surroundings.podIndex().hasPriorityBelow(highest, others);
  }
  return (oldPriority !== undefined && oldPriority < own.value) || surroundings.podIndex().hasPriorityBelow(own.value, others);
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
  const isExcluded = surroundings
    .podIndex()
    .exclusiveTowards(shape.namespace)
    .some(({ terms }) => terms.some((term) => term.matches(shape) || term.mayMatch(shape)));
  return !isExcluded && hasNodesWithCapacity(steady.nodes, workload, 2 * replicas, cache);
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
  sizes: RolloutSizes,
  old: OldPods,
  admitted: readonly number[],
  limits: PlanLimits,
): ModelledRollout | undefined {
  const { replicas } = sizes;
  const { surroundings } = limits;
  const hasNoNodes = surroundings === undefined || surroundings.pools.length === 0 || workload.countOnly === true;
  if (hasNoNodes || hasAmpleNodes(workload, old, replicas, surroundings, limits)) {
    return { model: withAmpleNodes(sizes, admitted), undecided: [], mayPreempt: false, hasNodes: !hasNoNodes };
  }
  const inventory = inventoryFor(workload, surroundings);
  if (inventory === undefined) return undefined;
  const { devices, podsByNode } = surroundings;
  const { revisionLabel = '' } = workload;
  const newSpec = getFieldsAt(workload.template, 'spec');
  const oldSpec = old.spec ?? newSpec;
  const newLabels = { ...getFieldsAt(workload.template, 'metadata', 'labels'), [revisionLabel]: NEW_REVISION };
  const oldPodSet = { ...workload, template: { ...workload.template, spec: oldSpec } };
  const { located } = old;
  const { model, undecided } = buildRolloutModel({
    sizes,
    old: { shape: toShape(workload, { [revisionLabel]: OLD_REVISION, ...old.labels }, oldSpec), podSet: oldPodSet },
    next: { shape: toShape(workload, newLabels, newSpec), podSet: workload },
    inventory,
    pods: surroundings.podIndex(),
    podsOn: (nodeName) => podsByNode.get(nodeName) ?? [],
    ...(located && { located }),
    freeWithout: (free, pods) => addBack(free, pods, devices),
    newPodsAdmitted: admitted,
    devices,
  });
  if (!located && sumCapped(model.oldLimitByNode, replicas) < replicas) return undefined;
  return { model, undecided, mayPreempt: canPreempt(workload, old, surroundings), hasNodes: true };
}

function sumCapped(counts: readonly number[], enough: number): number {
  let total = 0;
  for (const count of counts) if ((total += count) >= enough) return enough;
  return total;
}

/** The outcomes of a rollout, and whether each of them really happens. */
interface DecidedOutcomes extends RolloutOutcomes {
  readonly isExact: boolean;
}

function decide(model: RolloutModel): DecidedOutcomes {
  const bounds = computeOutcomeBounds(model)!;
  if (bounds.outcome === 'every') return { ...bounds, isExact: true };
  const isSmall = model.nodes.length <= MAX_SEARCHED_NODES && model.replicas <= MAX_SEARCHED_REPLICAS;
  const searched = isSmall ? searchRollout(model) : undefined;
  if (searched) return { ...searched, isExact: true };
  return { ...bounds, isExact: bounds.outcome === 'none' };
}

/** Returns the new pods that limits allow next to each number of old ones. */
function countAdmittedPods(ownLimits: readonly OwnLimit[], replicas: number): number[] {
  return Array.from({ length: replicas + 1 }, (_, oldPods) =>
    ownLimits.reduce((fewest, limit) => Math.min(fewest, countAllowedPods(limit, oldPods)), replicas),
  );
}

/** Returns the limits of the run that is shown: the best one if none finishes, or else the worst one by capacity of nodes. */
function resolveRunLimits(model: RolloutModel, { outcome, newAtMost }: RolloutOutcomes, ownLimits: readonly OwnLimit[]): RunLimits {
  const bounds = computeNewPodBounds(model);
  const counts = outcome === 'every' && isDecidedByNodes(model) ? bounds.least : bounds.most;
  const limit = outcome === 'none' ? newAtMost : model.replicas;
  return {
    // Pods beyond any other limit exist and wait.
    admitted: countAdmittedPods(
      ownLimits.filter(({ limit: { refusesPods } }) => refusesPods),
      model.replicas,
    ),
    placed: (oldPods) => Math.min(limit, model.newPodsAdmitted[oldPods]!, Math.max(0, counts[oldPods] ?? 0)),
  };
}

/** Returns the limit that the next new pod exceeds. */
function findShortage({ ready, old }: RolloutRun, ownLimits: readonly OwnLimit[]): Shortage {
  const exceeded = ownLimits.find((limit) => countAllowedPods(limit, old) <= ready);
  if (!exceeded) return buildPodSlotShortage(old + ready + 1, old + ready);
  return buildResourceShortage(exceeded.limit, exceeded.old * BigInt(old) + exceeded.next * BigInt(ready + 1), exceeded.left);
}

/** Names the owners of running pods that are not planned, with the number of pods, most pods first. */
function listUnplannedOwners({ unplanned, inventory }: Surroundings): string[] {
  const counts = new Map<string, number>();
  for (const { nodeName, workloadName } of unplanned) {
    if (nodeName === undefined || inventory().indexOf(nodeName) === undefined) continue;
    counts.set(workloadName, (counts.get(workloadName) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, 3).map(([name, pods]) => (name.startsWith('Pod ') ? name : `${pluralize(pods, 'pod')} of ${name}`));
  return sorted.length > 3 ? [...shown, `${sorted.length - 3} more`] : shown;
}

const ownersBySurroundings = () => new WeakMap<Surroundings, readonly string[]>();

function unplannedOwnersOf(surroundings: Surroundings): readonly string[] {
  const known = surroundings.cache.getOrCreate(ownersBySurroundings);
  const owners = known.get(surroundings) ?? listUnplannedOwners(surroundings);
  known.set(surroundings, owners);
  return owners;
}

/** Formats the range of new pods that run: `between 1 and 3 of 4 new pods run`. */
function formatNewPods({ newAtLeast, newAtMost }: RolloutOutcomes, replicas: number): string {
  if (newAtLeast === newAtMost) return `${newAtLeast} of ${pluralize(replicas, 'new pod')} ${newAtLeast === 1 ? 'runs' : 'run'}`;
  return `between ${newAtLeast} and ${newAtMost} of ${pluralize(replicas, 'new pod')} run`;
}

function formatUncertainty(outcomes: RolloutOutcomes, because: readonly string[], replicas: number): string {
  const provisioners = because.filter((reason) => reason.startsWith('NodePool '));
  const reasons = because.filter((reason) => reason !== PLACEMENT && reason !== PREEMPTION && !provisioners.includes(reason));
  const parts = [
    ...(because.includes(PLACEMENT) ? ['which nodes the scheduler chooses'] : []),
    ...(because.includes(PREEMPTION) ? ['whether pods of lower priority are evicted'] : []),
    ...(provisioners.length > 0 ? [`whether ${joinWords(provisioners, 'or')} makes another node`] : []),
    ...(reasons.length > 0 ? [`${joinWords(reasons)}, which the input does not decide`] : []),
  ];
  return `May not fit: ${formatNewPods(outcomes, replicas)}. This depends on ${joinWords(parts)}.`;
}

/** The reason if old pods differ from new ones and only numbers of pods were compared. */
const OLD_REQUESTS = 'old pods with other requests';
const OLD_CONSTRAINTS = 'old pods with other node constraints';

function formatFootprint(podSpec: unknown): string {
  return JSON.stringify([...computePodFootprint(podSpec)].map(([resource, amount]) => `${resource} ${amount}`).toSorted());
}

/** Returns an evaluation that takes old pods for new ones, as uncertain if they differ in what decides. */
function withUndecidedOldPods({ template, oldTemplate }: PodSet, base: CapacityEvaluation): CapacityEvaluation {
  if (oldTemplate === undefined) return base;
  const [old, next] = [getFieldsAt(oldTemplate, 'spec'), getFieldsAt(template, 'spec')];
  const constraintsOf = ({ nodeSelector, affinity, tolerations }: Fields) => JSON.stringify([nodeSelector, affinity, tolerations]);
  const { verdict, peakPods, podsThatFit, shortage } = base.verdict;
  const isByQuota = shortage?.kind === 'quota' || shortage?.kind === 'capacity';
  const because = [
    ...(verdict !== 'deadlocks' && formatFootprint(old) !== formatFootprint(next) ? [OLD_REQUESTS] : []),
    ...(!isByQuota && constraintsOf(old) !== constraintsOf(next) ? [OLD_CONSTRAINTS] : []),
  ];
  if (because.length === 0 || verdict === 'may-not-fit') return base;
  return {
    verdict: buildFittingResult(peakPods, podsThatFit, because),
    delay: { deadlocks: false, podsWithRoom: peakPods, podsAdmitted: Infinity },
  };
}

/** Returns the evaluation of a rollout by all placements that the scheduler may choose. Returns the given one if it is not decided so. */
export function evaluateExactly(
  limited: LimitedRollout,
  base: CapacityEvaluation,
  limits: PlanLimits,
  unmodelled: readonly string[],
): CapacityEvaluation {
  const { workload, rollout } = limited;
  const sizes = readSizes(limited);
  const ownLimitSources = limits.resources.filter(({ perPod }) => perPod.has(workload));
  const isScaled = workload.running !== undefined && workload.running !== workload.replicas;
  if (ownLimitSources.some(({ rejection }) => rejection)) return base;
  const undecidedBase = () => withUndecidedOldPods(workload, base);
  if (!sizes || workload.onePerNode || isScaled) return undecidedBase();
  const { replicas } = sizes;
  if (replicas !== workload.replicas && (limits.surroundings?.allOwnPods.get(workload)?.length ?? 0) > 0) return undecidedBase();
  const old = resolveOldPods(workload, replicas, limits.surroundings);
  if (!old) return undecidedBase();
  const ownLimits = ownLimitSources.map((limit) => resolveOwnLimit(limit, workload, old.spec));
  const admitted = countAdmittedPods(ownLimits, replicas);
  const modelled = buildModel(workload, sizes, old, admitted, limits);
  if (!modelled) return undecidedBase();
  const { model, hasNodes } = modelled;
  const outcomes = decide(model);
  const run = (sizes.isRecreate ? runRecreate : runRollingUpdate)(sizes, resolveRunLimits(model, outcomes, ownLimits));
  const isUndecided = (name: string) => !hasNodes || !MODELLED.has(name) || modelled.undecided.includes(name);
  const undecided = [...new Set([...unmodelled.filter(isUndecided), ...modelled.undecided])];
  // Neither an eviction nor another node helps against a quota.
  const dependsOnNodes =
    hasNodes && outcomes.outcome !== 'every' && computeOutcomeBounds(withAmpleNodes(sizes, admitted))?.outcome === 'every';
  const because = [
    ...(outcomes.outcome === 'some' ? [PLACEMENT] : []),
    ...(dependsOnNodes && modelled.mayPreempt ? [PREEMPTION] : []),
    ...(dependsOnNodes ? listNodeProvisioners(workload, limits.surroundings!.context, limits.cache) : []),
    ...(outcomes.outcome === 'none' ? [] : undecided),
  ];
  const owners = hasNodes ? unplannedOwnersOf(limits.surroundings!) : [];
  return buildEvaluation({ limited, base, sizes, outcomes, run, because, ownLimits, owners, rollout });
}

interface EvaluationParts {
  readonly limited: LimitedRollout;
  readonly base: CapacityEvaluation;
  readonly sizes: RolloutSizes & { readonly isRecreate: boolean };
  readonly outcomes: RolloutOutcomes;
  readonly run: RolloutRun;
  readonly because: readonly string[];
  readonly ownLimits: readonly OwnLimit[];
  readonly owners: readonly string[];
  readonly rollout: LimitedRollout['rollout'];
}

function isIdealRun(run: RolloutRun, simulation: DeploymentSimulation): boolean {
  return (
    !run.hasWaitingPods &&
    run.waves.length === simulation.waves.length &&
    run.waves.every(({ newReplicas, oldReplicas }, index) => {
      const ideal = simulation.waves[index]!;
      return newReplicas === ideal.newReplicas && oldReplicas === ideal.oldReplicas;
    })
  );
}

function buildEvaluation({ base, sizes, outcomes, run, because, ownLimits, owners, rollout }: EvaluationParts): CapacityEvaluation {
  const { replicas, unavailable } = sizes;
  const { peakPods, unit } = rollout;
  const simulation = rollout.simulation as DeploymentSimulation;
  // The rows show a number that is certain.
  const isRange = outcomes.newAtLeast !== outcomes.newAtMost;
  const newPods = isRange ? { newPodsAtLeast: outcomes.newAtLeast, newPodsAtMost: outcomes.newAtMost } : {};
  const usedBy = owners.length > 0 ? { usedBy: owners } : {};
  if (because.length > 0) {
    const unresolvedBase = outcomes.outcome === 'every' ? buildFittingResult(peakPods, peakPods, because) : undefined;
    const fewest = outcomes.newAtLeast + Math.max(0, replicas - unavailable - outcomes.newAtLeast);
    const verdict: CapacityResult = unresolvedBase ?? {
      verdict: 'may-not-fit',
      peakPods,
      podsThatFit: Math.min(peakPods, fewest),
      because,
      ...newPods,
      ...usedBy,
      message: formatUncertainty(outcomes, because, replicas),
    };
    return { verdict, delay: { deadlocks: false, podsWithRoom: peakPods, podsAdmitted: Infinity } };
  }
  const shown = buildRunSimulation(sizes, run);
  if (outcomes.outcome === 'every') {
    if (isIdealRun(run, simulation)) {
      if (base.verdict.verdict === 'fits') return base;
      return {
        verdict: buildFittingResult(peakPods, peakPods, []),
        delay: { deadlocks: false, podsWithRoom: peakPods, podsAdmitted: Infinity },
      };
    }
    const iterations = run.startingWaves;
    const podsThatFit = base.verdict.shortage ? base.verdict.podsThatFit : Math.min(peakPods, Math.max(replicas, shown.peakPods));
    const shortage = base.verdict.shortage ?? findPeakShortage(sizes, ownLimits, podsThatFit);
    const verdict: CapacityResult = {
      verdict: 'slower',
      iterations,
      peakPods,
      podsThatFit,
      shortage,
      ...(base.verdict.moreNodes && { moreNodes: base.verdict.moreNodes }),
      message: formatOutcome(
        `takes ${pluralize(iterations, 'wave')} that create pods, with fewer pods at once`,
        shortage,
        base.verdict.moreNodes,
      ),
    };
    const isKnown = base.verdict.verdict === 'slower';
    const podsWithRoom = isKnown ? base.delay.podsWithRoom : podsThatFit;
    return { verdict, delay: { ...base.delay, deadlocks: false, podsWithRoom, iterations }, simulation: shown };
  }
  const deadlockWave = sizes.isRecreate ? 2 : Math.max(1, run.waves.length);
  const isKnown = base.verdict.verdict === 'deadlocks';
  const shortage = isKnown ? base.verdict.shortage! : findShortage(run, ownLimits);
  const podsThatFit = isKnown ? base.verdict.podsThatFit : Math.min(peakPods, run.ready + run.old);
  const exceeded = ownLimits.find((limit) => countAllowedPods(limit, run.old) <= run.ready);
  const moreNodes = isKnown ? base.verdict.moreNodes : undefined;
  const users = owners.length > 0 && shortage.kind !== 'quota' ? ` The nodes also run ${joinWords(owners)}, which are not planned.` : '';
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
  return { verdict, delay, simulation: shown, ...(isKnown && base.rivals && { rivals: base.rivals }) };
}

/** Returns the limit that the peak of the ideal rollout exceeds. */
function findPeakShortage({ replicas, surge, unavailable }: RolloutSizes, ownLimits: readonly OwnLimit[], podsThatFit: number): Shortage {
  const oldPods = replicas - unavailable;
  const newPods = Math.min(replicas, surge + unavailable);
  const exceeded = ownLimits.find((limit) => countAllowedPods(limit, oldPods) < newPods);
  if (!exceeded) return buildPodSlotShortage(oldPods + newPods, podsThatFit);
  return buildResourceShortage(exceeded.limit, exceeded.old * BigInt(oldPods) + exceeded.next * BigInt(newPods), exceeded.left);
}
