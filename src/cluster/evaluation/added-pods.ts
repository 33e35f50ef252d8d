import type { Finding } from '../../core/findings/finding';
import { nameOf, namespaceOf } from '../../core/manifest/manifest';
import { describeResource, toResourceRef } from '../../core/document/rollout';
import type { PlannedRollout } from '../../core/document/rollout';
import { MAX_LISTED_NAMES } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';
import { joinLists } from '../../core/text/join-lists';
import { planCacheOf } from '../context/context';
import type { PlanContext } from '../context/context';
import type { CapacityEvaluation } from '../capacity/capacity-evaluation';
import type { PlanLimits } from '../capacity/plan-limits';
import { listOtherPods } from '../capacity/other-pods';
import type { OtherPods } from '../capacity/other-pods';
import { evaluateWithOtherUnits } from '../capacity/plan-limits';
import { splitByVersion } from '../capacity/kept-pods';
import { countKeptPods } from '../capacity/limits';
import { withPlacementNote } from '../capacity/surroundings/places-of-others';
import { evaluateScaleUp } from '../capacity/scale-up-capacity';
import type { AddedPods, ScaleUpEvaluation } from '../capacity/scale-up-capacity';
import { checkInsufficientCapacityForAddedPods } from '../rules/insufficient-capacity-for-added-pods';
import type { PodAddition } from '../rules/insufficient-capacity-for-added-pods';
import { podSetsOf, workloadOf } from '../rollout/system-rollout';
import type { PodSet, PodSetNames } from '../rollout/pod-set';
import type { SystemRollout } from '../rollout/system-rollout';

function hasAddedPods({ replicas, running = replicas }: PodSet): boolean {
  return running < replicas;
}

/** Reports whether nothing of it rolls out, so that an apply at most adds pods. */
function isSteady({ pods }: SystemRollout): boolean {
  if (pods === undefined) return false;
  if (pods.kind === 'workload') return pods.workload.rollout === undefined;
  return pods.kind === 'groups' ? pods.groups.rows.length === 0 : pods.clusters.rows.length <= 1;
}

/**
 * Returns the pods that an apply adds to an object that does not roll out. In a plan without an apply, it is all desired pods of such an
 * object, for example a paused Deployment. Returns undefined if none is added.
 */
function findAddedPods(rollout: SystemRollout, { changedPods }: PlanContext, { cache }: PlanLimits): AddedPods | undefined {
  if (!isSteady(rollout)) return undefined;
  const podSets = podSetsOf(rollout).flatMap((podSet) => splitByVersion(podSet, cache));
  if (changedPods) return podSets.some(hasAddedPods) ? { podSets, staying: podSets.map(countKeptPods) } : undefined;
  if (rollout.pods?.kind !== 'workload' || podSets.every(({ replicas }) => replicas === 0)) return undefined;
  return { podSets, staying: podSets.map(() => 0) };
}

/** Returns the pods of the rollouts that may never finish. */
export function listUnfinishedSets(evaluations: ReadonlyMap<SystemRollout, CapacityEvaluation>): ReadonlySet<PodSet> {
  return new Set(
    [...evaluations].flatMap(([rollout, { verdict }]) => (['fits', 'slower'].includes(verdict.verdict) ? [] : podSetsOf(rollout))),
  );
}

/**
 * Evaluates the capacity for the pods that are added to each object. Pods without limits are left out.
 *
 * @param unfinished the pods of rollouts that may never finish
 */
export function evaluateAddedPods(
  planned: readonly SystemRollout[],
  unfinished: ReadonlySet<PodSet>,
  limits: PlanLimits,
  context: PlanContext,
): ReadonlyMap<SystemRollout, ScaleUpEvaluation> {
  const evaluations = new Map<SystemRollout, ScaleUpEvaluation>();
  for (const rollout of planned) {
    context.deadline?.check();
    const added = findAddedPods(rollout, context, limits);
    const onNodes = added && evaluateWithOtherUnits(evaluateScaleUp, { ...added, unfinished }, limits);
    const evaluation = withPlacementNote(onNodes, podSetsOf(rollout), limits.surroundings);
    // Without an apply it is not known whether pods that a quota refuses already run.
    if (evaluation && (context.changedPods || !evaluation.rejection)) evaluations.set(rollout, evaluation);
  }
  return evaluations;
}

function formatOtherPodsName({ object }: OtherPods): string {
  return describeResource(toResourceRef(object, nameOf(object), namespaceOf(object)));
}

/** Creates a lookup of object names by pod set. The names are computed on first use, and once per list of pod sets. */
export function createPodSetNames(planned: readonly SystemRollout[], context: PlanContext): PodSetNames {
  let byPodSet: ReadonlyMap<PodSet, string> | undefined;
  const all = () => [
    ...planned.flatMap((rollout) =>
      podSetsOf(rollout)
        .flatMap((podSet) => splitByVersion(podSet, planCacheOf(context)))
        .map((podSet) => [podSet, describeResource(rollout.resource)] as const),
    ),
    ...listOtherPods(context).flatMap((other) =>
      splitByVersion(other.podSet, planCacheOf(context)).map((podSet) => [podSet, formatOtherPodsName(other)] as const),
    ),
  ];
  const known = new Map<readonly PodSet[], ReadonlySet<string>>();
  return (podSets, own) => {
    byPodSet ??= new Map(all());
    const names = known.get(podSets) ?? new Set(podSets.flatMap((podSet) => byPodSet!.get(podSet) ?? []));
    known.set(podSets, names);
    return listFirstOthers(names, own);
  };
}

function listFirstOthers(names: ReadonlySet<string>, own: string): TruncatedNames | undefined {
  const first: string[] = [];
  for (const name of names) {
    if (name !== own) first.push(name);
    if (first.length === MAX_LISTED_NAMES) break;
  }
  const omitted = names.size - (names.has(own) ? 1 : 0) - first.length;
  if (first.length === 0) return undefined;
  return omitted > 0 ? { names: first, omitted } : { names: first };
}

/** Reports pods that an apply adds to objects that are not rollouts: Jobs, standalone ReplicaSets, bare Pods. */
export function checkOtherAddedPods(
  unfinished: ReadonlySet<PodSet>,
  limits: PlanLimits,
  context: PlanContext,
  names: PodSetNames,
): Finding[] {
  if (!context.changedPods) return [];
  return listOtherPods(context).flatMap((other) => {
    const { object, podSet, sizePath: path } = other;
    if (!hasAddedPods(podSet)) return [];
    context.deadline?.check();
    const podSets = splitByVersion(podSet, limits.cache);
    const evaluation = evaluateWithOtherUnits(evaluateScaleUp, { podSets, staying: podSets.map(countKeptPods), unfinished }, limits);
    if (!evaluation) return [];
    const source = context.locate(object, path);
    const objectName = formatOtherPodsName(other);
    const addition = {
      path,
      object: objectName,
      pods: podSet.replicas,
      running: countKeptPods(podSet),
      startsInOrder: false,
      endsByItself: other.runsToCompletion,
      ...(source && { source }),
    };
    return checkInsufficientCapacityForAddedPods(addition, evaluation, names(evaluation.others, objectName));
  });
}

function describePodAddition(rollout: SystemRollout): Pick<PodAddition, 'path' | 'startsInOrder' | 'groupSize'> | undefined {
  const { pods } = rollout;
  const workload = workloadOf(rollout);
  if (workload) return { path: workload.replicasPath ?? workload.sizePath, startsInOrder: workload.startsInOrder ?? false };
  if (pods?.kind === 'clusters') return { path: pods.clusters.path, startsInOrder: false };
  if (pods?.kind !== 'groups') return undefined;
  const { path, fewer } = pods.groups;
  return { path, startsInOrder: false, ...(fewer && { groupSize: fewer.perGroup.reduce((size, podsOfSet) => size + podsOfSet, 0) }) };
}

/** Adds the evaluation of added pods to an object that does not roll out. */
export function withAddedPods(
  own: PlannedRollout,
  rollout: SystemRollout,
  evaluation: ScaleUpEvaluation | undefined,
  names: PodSetNames,
): PlannedRollout {
  const addition = describePodAddition(rollout);
  const podSets = podSetsOf(rollout);
  // If only the number of pods is known, it cannot be said that they fit.
  const isKnown = evaluation?.verdict.shortage !== undefined || podSets.every(({ countOnly }) => !countOnly);
  if (!evaluation || !addition || !isKnown) return own;
  const pods = podSets.reduce((sum, { replicas }) => sum + replicas, 0);
  const running = podSets.reduce((sum, podSet) => sum + countKeptPods(podSet), 0);
  const findings = checkInsufficientCapacityForAddedPods(
    { ...addition, pods, running },
    evaluation,
    names(evaluation.others, describeResource(rollout.resource)),
  );
  return { ...own, capacity: evaluation.verdict, findings: joinLists(own.findings, findings) };
}
