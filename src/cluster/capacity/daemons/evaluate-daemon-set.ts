import { getFieldsAt } from '../../../core/manifest/manifest';
import { getDeadlockWave, UNLIMITED } from '../../rollout/limited-run';
import type { LimitedRollout, Workload } from '../../rollout/workload';
import { buildUncertainEvaluation } from '../capacity-evaluation';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { assumeDaemonPods, isOrderOfDaemonPodsRead } from './assumed-daemon-pods';
import { formatRange } from '../exact/build-evaluation';
import { buildRolloutModel } from '../exact/build-rollout-model';
import { listUnmodelledConstraints } from '../exact/count-pods';
import { listPodConstraints, withSchedulingGates } from '../exact/decide-rollout';
import type { DecidedOutcomes } from '../exact/decide-rollout';
import { formatUncertainty, formatUncompared, PLACEMENT } from '../exact/format-uncertainty';
import { NEW_REVISION, OLD_REVISION } from '../exact/modelled-rollout';
import { areAlike } from '../exact/old-pods';
import { isDecidedByNodes } from '../exact/rollout-bounds';
import type { RolloutOutcomes } from '../exact/rollout-model';
import { canRunOn } from '../nodes/node-affinity';
import { buildOwnNodesShortage } from '../nodes/node-shortage';
import { MODELLED } from '../nodes/unmodelled-constraints';
import type { PlanLimits } from '../plan-limits';
import { buildFittingResult, formatOutcome } from '../shortage';
import { canPreemptFor, PREEMPTION } from '../surroundings/evictions';
import { countDisplacedPods, hasOtherMovingPods, isConstrainedByMovingPods, mayOthersLeave } from '../moving/moving-pods';
import { nameOthers } from '../exact/other-rollouts';
import { toShape } from '../nodes/pod-shape';
import type { RunningPod } from '../surroundings/running-pods';
import { addBack } from '../surroundings/surroundings';
import { withVolumeNodes } from '../surroundings/volume-nodes';
import { findExcludedNodes, withPermittedNodes } from './daemon-bounds';
import { searchDaemonSet } from './daemon-search';
import type { DaemonModel } from './daemon-search';
import type { DaemonSurroundings } from '../surroundings/daemon-surroundings';

/** Maximum number of nodes of a DaemonSet whose pods depend on other nodes, as with anti-affinity by zone. */
const MAX_SEARCHED_NODES = 64;

/** Maximum number of DaemonSets times nodes for which the places of pods that are not in the input are assumed: each DaemonSet looks at all of them. */
const MAX_ASSUMED_PLACES = 10_000;

/** Decides a DaemonSet. If its pods depend on other nodes in too many ways to compare, any number of new pods may run. */
function decideDaemonSet(daemon: DaemonModel): DecidedOutcomes {
  const { model, isWanted } = daemon;
  if (isDecidedByNodes(model)) return decideByNode(daemon);
  const searched = isWanted.length <= MAX_SEARCHED_NODES ? searchDaemonSet(daemon) : undefined;
  if (searched) return searched;
  const permitted = withPermittedNodes(daemon);
  const outcomes = permitted ? decideByNode(permitted) : findExcludedNodes(daemon);
  return outcomes ?? { outcome: 'some', newAtLeast: 0, newAtMost: isWanted.filter(Boolean).length, uncompared: listPodConstraints(model) };
}

/** Returns the old pods of a DaemonSet, if each is on a node of its own. */
function findOldPods(own: DaemonSurroundings): readonly RunningPod[] | undefined {
  const { podSet, surroundings } = own;
  const all = surroundings.allOwnPods.get(podSet) ?? [];
  if (all.length === 0) return assumeDaemonPods(own);
  const located = surroundings.ownPods.get(podSet) ?? [];
  const isKnown = located.length > 0 && located.length === all.length && all.every(({ isTerminating }) => !isTerminating);
  const isOnePerNode = new Set(located.map(({ nodeName }) => nodeName)).size === located.length;
  return isKnown && isOnePerNode && areAlike(located) ? located : undefined;
}

interface ModelledDaemonSet {
  readonly daemon: DaemonModel;
  readonly undecided: readonly string[];
}

/** Builds the model of a DaemonSet. Returns undefined if the numbers of nodes do not agree, or an old pod stays without a new one. */
function modelDaemonSet(
  { workload, rollout }: LimitedRollout,
  { podSet, surroundings }: DaemonSurroundings,
  located: readonly RunningPod[],
): ModelledDaemonSet | undefined {
  const { simulation } = rollout;
  if (simulation.kind !== 'daemonset') return undefined;
  const { nodes, surge, unavailable } = simulation;
  const { context, cache, devices, podsByNode } = surroundings;
  const inventory = surroundings.inventory();
  const wanted = inventory.eligibleNodes(podSet, 'new').indexes;
  const { revisionLabel = '' } = workload;
  const [oldPod] = located;
  if (oldPod === undefined) return undefined;
  const newSpec = getFieldsAt(podSet.template, 'spec');
  const oldPodSet = { ...podSet, template: { ...podSet.template, spec: oldPod.spec } };
  const newLabels = { ...getFieldsAt(podSet.template, 'metadata', 'labels'), [revisionLabel]: NEW_REVISION };
  const isKept = ({ nodeName }: RunningPod) => {
    const node = inventory.indexOf(nodeName!)!;
    return !wanted.has(node) && canRunOn(podSet, inventory.nodes[node]!.pool, 'old', cache);
  };
  if (wanted.size !== nodes || located.some(isKept)) return undefined;
  const { model, undecided, nodeIndexes } = buildRolloutModel({
    sizes: { replicas: Math.max(nodes, located.length), surge, unavailable: surge > 0 ? 0 : unavailable },
    old: {
      shape: toShape(podSet, { ...oldPod.labels, [revisionLabel]: OLD_REVISION }, oldPod.spec),
      podSet: oldPodSet,
      onVolumes: oldPodSet,
    },
    next: { shape: toShape(podSet, newLabels, newSpec), podSet, onVolumes: withVolumeNodes(podSet, context) },
    inventory,
    pods: surroundings.podIndex(),
    podsOn: (nodeName) => podsByNode.get(nodeName) ?? [],
    located,
    isPinned: true,
    // Pods that are assumed use nothing of the nodes yet.
    freeWithout: (free, pods) => (surroundings.ownPods.has(podSet) ? addBack(free, pods, devices) : free),
    newPodsAdmitted: [],
    devices,
  });
  const isWanted = nodeIndexes.map((index) => wanted.has(index));
  return { daemon: { model, isWanted, stuck: nodes - isWanted.filter(Boolean).length }, undecided };
}

/**
 * Decides a DaemonSet node by node, for any order of nodes. A new pod without capacity uses up one of maxUnavailable or maxSurge until capacity is added.
 *
 * 5 nodes, 2 of them without capacity, maxUnavailable 2: the rollout stops once both are tried, after 0 to 3 of the others.
 */
function decideByNode({ model, isWanted, stuck }: DaemonModel): RolloutOutcomes {
  const { nodes, surge, unavailable, oldByNode } = model;
  const count = (isCounted: (hasOld: boolean, fits: boolean) => boolean) =>
    nodes.filter(({ newPodsBesideOld }, node) => {
      const old = oldByNode![node]!;
      return isWanted[node]! && isCounted(old > 0, newPodsBesideOld[surge > 0 ? old : 0]! > 0);
    }).length;
  const added = count((hasOld, fits) => !hasOld && fits);
  const replaced = count((hasOld, fits) => hasOld && fits);
  const blocked = count((hasOld, fits) => hasOld && !fits);
  const neverRun = stuck + count((hasOld, fits) => !hasOld && !fits);
  if (neverRun + blocked === 0) return { outcome: 'every', newAtLeast: added + replaced, newAtMost: added + replaced };
  // With a surge, only a new pod next to an old one uses up the limit.
  const left = surge > 0 ? surge : unavailable - neverRun;
  const [newAtLeast, newAtMost] = left > blocked ? [replaced, replaced] : left <= 0 ? [0, 0] : [0, replaced];
  return { outcome: 'none', newAtLeast: added + newAtLeast, newAtMost: added + newAtMost };
}

/** Counts the old and new pods that fit at once. */
function countPodsAtOnce({ model: { nodes, oldByNode }, isWanted }: DaemonModel): number {
  return nodes.reduce((pods, { newPodsBesideOld }, node) => {
    const old = oldByNode![node]!;
    return pods + old + (isWanted[node] && newPodsBesideOld[old]! > 0 ? 1 : 0);
  }, 0);
}

function buildOpenVerdict(peakPods: number, outcomes: RolloutOutcomes, because: readonly string[], nodes: number): CapacityEvaluation {
  return buildUncertainEvaluation({
    peakPods,
    podsThatFit: Math.min(peakPods, outcomes.newAtLeast),
    because,
    ...formatRange(outcomes),
    message: formatUncertainty({ outcomes, because, replicas: nodes }),
  });
}

/**
 * Builds the evaluation of a DaemonSet that never finishes, with the rows that happen.
 *
 * @param known the evaluation by numbers of nodes, which says what the nodes lack
 * @param hasOldPods whether each node has an old pod, as the rows assume
 */
function buildDeadlock(
  { rollout }: LimitedRollout,
  outcomes: RolloutOutcomes,
  known: CapacityEvaluation | undefined,
  hasOldPods: boolean,
): CapacityEvaluation {
  const { newAtMost } = outcomes;
  const { replicas, peakPods, unit } = rollout;
  const run = hasOldPods ? rollout.runWithin?.({ admitted: () => Infinity, placed: () => newAtMost }) : undefined;
  const deadlockWave = run ? getDeadlockWave(run) : 1;
  const shortage = known?.verdict.shortage ?? buildOwnNodesShortage(replicas, newAtMost);
  const podsThatFit = Math.min(peakPods, newAtMost + (run?.old ?? 0));
  const { nodesTooSmall } = known?.delay ?? {};
  return {
    verdict: {
      verdict: 'deadlocks',
      peakPods,
      podsThatFit,
      ...formatRange(outcomes),
      shortage,
      deadlockWave,
      message: formatOutcome(`deadlocks at ${unit} ${deadlockWave}`, shortage, undefined),
    },
    delay: { deadlocks: true, podsWithRoom: podsThatFit, podsAdmitted: Infinity, ...(nodesTooSmall !== undefined && { nodesTooSmall }) },
    ...(run && { simulation: run.simulation }),
  };
}

/** Reports whether pods of others that take or leave places on the nodes meanwhile may change the outcome. */
function dependsOnMovingPods(
  { model, isWanted }: DaemonModel,
  { outcome }: RolloutOutcomes,
  workload: Workload,
  limits: PlanLimits,
): boolean {
  if (!hasOtherMovingPods(workload, limits)) return false;
  if (isConstrainedByMovingPods(workload, limits)) return true;
  if (outcome !== 'every') return mayOthersLeave([workload], limits);
  const displaced = countDisplacedPods(workload, limits);
  if (displaced === 0) return false;
  const { surge, nodes, oldByNode } = model;
  return nodes.some(({ newPodsBesideOld }, node) => isWanted[node]! && newPodsBesideOld[surge > 0 ? oldByNode![node]! : 0]! <= displaced);
}

/**
 * Evaluates a DaemonSet over every order of nodes, from the live pods on their nodes. Returns undefined if its pods are not known.
 * Quotas are left out.
 *
 * @param byPodCount evaluates it by numbers of nodes, which says what they lack
 */
export function evaluateDaemonSet(
  limited: LimitedRollout,
  limits: PlanLimits,
  byPodCount: () => CapacityEvaluation | undefined,
): CapacityEvaluation | undefined {
  const { workload, rollout } = limited;
  const { surroundings: all } = limits;
  const hasNodes = all !== undefined && all.pools.length > 0 && !all.hasDownNodes;
  if (!hasNodes || all.demands.length > 0) return undefined;
  if (rollout.runWithin?.(UNLIMITED)?.isUnlimited !== true) return undefined;
  if (!all.allOwnPods.has(workload) && limits.daemons.length * all.pools.length > MAX_ASSUMED_PLACES) return undefined;
  const own = limits.surroundingsOf(workload);
  const located = own && findOldPods(own);
  if (!located) return undefined;
  if (!all.allOwnPods.has(workload) && byPodCount() && isOrderOfDaemonPodsRead(own)) return undefined;
  const modelled = modelDaemonSet(limited, own, located);
  const decided = modelled && decideDaemonSet(modelled.daemon);
  if (!decided) return undefined;
  const outcomes = withSchedulingGates(decided, workload.template.spec);
  const { daemon, undecided } = modelled;
  const nodes = daemon.stuck + daemon.isWanted.filter(Boolean).length;
  const isUndecided = (name: string) => !MODELLED.has(name) || undecided.includes(name);
  const unmodelled = [...new Set([...listUnmodelledConstraints(limited, limits).filter(isUndecided), ...undecided])];
  const { peakPods } = rollout;
  const others = dependsOnMovingPods(daemon, outcomes, workload, limits) ? [nameOthers([workload], limits)] : [];
  if (outcomes.outcome === 'every' && others.length === 0) {
    return {
      verdict: buildFittingResult(peakPods, peakPods, unmodelled),
      delay: { deadlocks: false, podsWithRoom: Math.max(peakPods, countPodsAtOnce(daemon)), podsAdmitted: Infinity },
    };
  }
  const because = [
    ...(outcomes.outcome === 'some' ? [PLACEMENT] : []),
    ...(outcomes.uncompared ? [formatUncompared(outcomes.uncompared)] : []),
    ...others,
    ...(outcomes.outcome === 'none' ? [] : unmodelled),
    ...(outcomes.outcome !== 'every' && canPreemptFor(own.podSet, own.surroundings) ? [PREEMPTION] : []),
  ];
  if (because.length > 0) return buildOpenVerdict(peakPods, outcomes, because, nodes);
  const known = byPodCount();
  const stops = known?.verdict.verdict === 'deadlocks' ? known : undefined;
  // The rows by numbers of nodes are those of nodes without capacity that are tried first, some of them without an old pod.
  const isKnownByNumbers = outcomes.newAtMost > 0 || (located.length < nodes && !all.allOwnPods.has(workload));
  return stops && isKnownByNumbers
    ? { ...stops, verdict: { ...stops.verdict, ...formatRange(outcomes) } }
    : buildDeadlock(limited, outcomes, stops, located.length === nodes);
}
