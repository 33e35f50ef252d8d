import type { LimitedRollout } from '../../rollout/workload';
import { countPodsThatFit } from '../nodes/placement';
import { EXCLUSIVE_VOLUMES, MODELLED } from '../nodes/unmodelled-constraints';
import { isGrowing } from '../limits';
import type { PlanLimits } from '../plan-limits';
import { computePodFootprint } from '../pod-requests';
import { countDisplacedByOne } from '../amounts';
import { ATTACH_LIMITS, mayExceedAttachLimits } from '../surroundings/attach-limits';
import { PREEMPTION, computeTerminatingUse, TERMINATING_PODS } from '../surroundings/evictions';
import { countDisplacedPods, hasOtherMovingPods, isConstrainedByMovingPods } from '../moving/moving-pods';
import { listExtendedResourceClasses, listNodeProvisioners } from '../surroundings/node-providers';
import { computeMomentaryDecrease, computeOtherUseChange, nameOthers, OTHER_ROLLOUTS } from './other-rollouts';
import { isKeptApartFromUnlocated } from '../surroundings/exclusive-others';
import { areVolumesInUse } from '../surroundings/uncounted-constraints';
import { withVolumeNodes } from '../surroundings/volume-nodes';
import { mayMoveClaims } from './claim-moves';
import type { OwnLimit } from './admitted-pods';
import { listUnmodelledConstraints } from './count-pods';
import type { DecidedOutcomes } from './decide-rollout';
import { CREATION_ORDER, formatUncompared, PLACEMENT, CHANGED_NODES } from './format-uncertainty';
import { withAmpleNodes } from './modelled-rollout';
import type { ModelledRollout } from './modelled-rollout';
import type { OldPods } from './old-pods';
import { computeSlack } from './rollout-bounds';
import { dropChangedNodes } from './rollout-model';
import type { RolloutModel, RolloutOutcomes } from './rollout-model';
import type { RolloutProcess } from './rollout-process';
import { buildAdmittedCounts } from './run-limits';

/** A rollout with everything that its outcome follows from. */
export interface ExactRollout {
  readonly limited: LimitedRollout;
  readonly limits: PlanLimits;
  readonly process: RolloutProcess;
  readonly old: OldPods;
  readonly ownLimits: readonly OwnLimit[];
  /** Old pods that no new one replaces. */
  readonly kept: number;
  readonly admitted: readonly number[];
  readonly modelled: ModelledRollout;
  readonly outcomes: DecidedOutcomes;
  /** Decides the rollout on another model. */
  readonly decide: (model: RolloutModel) => DecidedOutcomes | undefined;
}

/** Returns the most new pods of outcomes. Returns undefined if none of them finishes. */
function findMostIfPossible(outcomes: RolloutOutcomes | undefined, { replicas }: RolloutProcess): number | undefined {
  return outcomes?.outcome === 'none' ? undefined : (outcomes?.newAtMost ?? replicas);
}

/** Returns how many pods more than those of the rollout find a place on the nodes in every placement, up to a number. */
function countSpareSlots({ limited, limits, process, old, kept, modelled }: ExactRollout, enough: number): number {
  const { steady, surroundings, cache } = limits;
  const slack = process.kind === 'rows' ? 0 : Math.max(0, computeSlack(modelled.model));
  if (slack >= enough || !modelled.isCountedBySlots || !steady || !surroundings) return slack;
  const footprint = computePodFootprint(limited.workload.template.spec);
  // Old pods on unknown nodes may be on other nodes than those that are assumed.
  const misplaced =
    old.located || !old.spec ? 0 : (process.replicas + kept) * countDisplacedByOne(footprint, computePodFootprint(old.spec));
  const needed = process.replicas + misplaced;
  const podSet = withVolumeNodes(limited.workload, surroundings.context);
  return Math.max(slack, countPodsThatFit(steady.nodes, podSet, needed + enough, cache) - needed);
}

/**
 * Returns the most new pods that run if pods of others take or leave places on the nodes meanwhile. Returns undefined if that does not change
 * the outcome.
 */
function findMostWithMovingPods(exact: ExactRollout): number | undefined {
  const { limited, limits, process, admitted, modelled, outcomes } = exact;
  const { workload } = limited;
  if (!modelled.hasNodes || outcomes.outcome === 'some' || !hasOtherMovingPods(workload, limits)) return undefined;
  const isNone = outcomes.outcome === 'none';
  if (isNone && exact.decide(withAmpleNodes(process, admitted))?.outcome === 'none') return undefined;
  if (isConstrainedByMovingPods(workload, limits)) return process.replicas;
  if (isNone) return findMostIfPossible(modelled.withoutMoving && exact.decide(modelled.withoutMoving()), process);
  const displaced = countDisplacedPods(workload, limits);
  return displaced > 0 && displaced > countSpareSlots(exact, displaced) ? process.replicas : undefined;
}

/**
 * Returns the most new pods that run if other rollouts of the same change use more or less of a quota. Returns undefined if that does not change
 * the outcome.
 */
function findMostWithUseOfOthers(exact: ExactRollout): number | undefined {
  const { limited, limits, process, ownLimits, kept, modelled, outcomes, decide } = exact;
  const { workload } = limited;
  const isNone = outcomes.outcome === 'none';
  const changed = ownLimits.map((ownLimit) => {
    const { limit, left } = ownLimit;
    const { increase, decrease } = computeOtherUseChange(limit, [workload]);
    if (isNone) return { ...ownLimit, left: left + decrease + computeMomentaryDecrease(limit, [workload], limits.cache) };
    return { ...ownLimit, left: left > increase ? left - increase : 0n };
  });
  if (changed.every(({ left }, index) => left === ownLimits[index]!.left)) return undefined;
  const withOthers = decide({ ...modelled.model, ...buildAdmittedCounts(changed, process.replicas, kept) });
  if (isNone) return findMostIfPossible(withOthers, process);
  return withOthers?.outcome === 'every' ? undefined : process.replicas;
}

/** Returns the outcomes once the pods that are being deleted are gone. Returns undefined if the rollout does not finish then either. */
function decideWithoutTerminating({
  limits,
  process,
  ownLimits,
  kept,
  admitted,
  modelled,
  outcomes,
  decide,
}: ExactRollout): RolloutOutcomes | undefined {
  if (outcomes.outcome !== 'none') return undefined;
  const uses = ownLimits.map(({ limit }) => limits.cache.derive(limit, computeTerminatingUse));
  const isQuotaUsed = uses.some((use) => use > 0n);
  if (!isQuotaUsed && !modelled.withoutTerminating) return undefined;
  const later = ownLimits.map((limit, index) => ({ ...limit, left: limit.left + uses[index]! }));
  const model = modelled.withoutTerminating?.() ?? modelled.model;
  const afterwards = decide({
    ...model,
    ...(isQuotaUsed ? buildAdmittedCounts(later, process.replicas, kept) : { newPodsAdmitted: admitted }),
  });
  return afterwards?.outcome === 'none' ? undefined : afterwards;
}

/** Why the outcome of a rollout is not certain, and the owners of pods that it may evict. */
export interface Uncertainty {
  readonly because: readonly string[];
  readonly evicts: readonly string[];
  /** The most new pods that may run in the end. */
  readonly newAtMost: number;
  /** The outcomes once the pods that are being deleted are gone, if they decide. */
  readonly afterTermination?: RolloutOutcomes;
}

/** Lists the constraints of the pods that the input does not decide. */
function listUndecidedConstraints({ limited, limits, process, old, modelled }: ExactRollout): ReadonlySet<string> {
  const { model, hasNodes } = modelled;
  const context = hasNodes ? limits.surroundings?.context : undefined;
  const isInUse = limits.surroundings !== undefined && areVolumesInUse([limited.workload], limits.surroundings);
  const isKeptApart = hasNodes && isKeptApartFromUnlocated([limited.workload], limits.surroundings!);
  const isUndecided = (name: string) => !hasNodes || !MODELLED.has(name) || modelled.undecided.includes(name);
  return new Set([
    ...listUnmodelledConstraints(limited, limits).filter(isUndecided),
    ...modelled.undecided,
    ...(isKeptApart ? ['podAntiAffinity'] : []),
    ...(context && mayMoveClaims(limited.workload, process, old.spec, model, context) ? ['volumes'] : []),
    ...(isInUse ? [EXCLUSIVE_VOLUMES] : []),
    ...(hasNodes && mayExceedAttachLimits(limited.workload, limits.surroundings!) ? [ATTACH_LIMITS] : []),
  ]);
}

/** Reports whether every placement ends alike if no old pod is on a node that accepts it no longer. */
function isDecidedByChangedNodes({ modelled, decide }: ExactRollout): boolean {
  const model = dropChangedNodes(modelled.model);
  const outcomes = model && decide(model);
  return outcomes !== undefined && outcomes.outcome !== 'some';
}

/** Evictions that may make room for the new pods. */
interface PossibleEviction {
  readonly owners: readonly string[];
  readonly newAtMost: number;
}

/** Finds out whether the eviction of pods of lower priority may change the outcome. */
function findEviction({ process, modelled, decide }: ExactRollout): PossibleEviction | undefined {
  if (!modelled.mayPreempt) return undefined;
  const evictions = modelled.withEvictions?.();
  const outcomes = evictions && decide(evictions.model);
  if (outcomes?.outcome === 'none') return undefined;
  return { owners: evictions?.owners ?? [], newAtMost: outcomes?.newAtMost ?? process.replicas };
}

/**
 * Returns the most new pods that run if the pods of others on unknown nodes are on other nodes than assumed. Returns undefined if the outcome is the
 * same there.
 */
function findMostWithOthersElsewhere({ process, modelled, outcomes: { outcome }, decide }: ExactRollout): number | undefined {
  if (outcome === 'some') return undefined;
  const model = modelled.withOthersLeaving(outcome === 'none' ? 'most' : 'fewest');
  const elsewhere = model && decide(model);
  if (!elsewhere || elsewhere.outcome === outcome) return undefined;
  return outcome === 'none' ? elsewhere.newAtMost : process.replicas;
}

/** Lists what may add a node, or serve the resource that the nodes lack. */
function listProviders({ limited: { workload }, limits: { surroundings, cache } }: ExactRollout): string[] {
  if (!surroundings) return [];
  const { context } = surroundings;
  return [
    ...listNodeProvisioners(workload, context, cache),
    ...listExtendedResourceClasses(computePodFootprint(workload.template.spec), context),
  ];
}

/** Lists why the placements end differently. */
function listReasonsOfPlacements(exact: ExactRollout): string[] {
  const { outcome, uncompared = [] } = exact.outcomes;
  if (outcome !== 'some') return [];
  if (!exact.modelled.hasNodes && isGrowing(exact.limited.workload)) return [CREATION_ORDER];
  return [isDecidedByChangedNodes(exact) ? CHANGED_NODES : PLACEMENT, ...(uncompared.length > 0 ? [formatUncompared(uncompared)] : [])];
}

/** Resolves what else may change the outcome of a rollout. */
export function resolveUncertainty(exact: ExactRollout): Uncertainty {
  const { limited, limits, process, admitted, modelled, outcomes, decide } = exact;
  // Neither an eviction nor another node helps against a quota.
  const dependsOnNodes =
    modelled.hasNodes && outcomes.outcome !== 'every' && decide(withAmpleNodes(process, admitted))?.outcome === 'every';
  const eviction = dependsOnNodes ? findEviction(exact) : undefined;
  const providers = dependsOnNodes ? listProviders(exact) : [];
  const withMoving = findMostWithMovingPods(exact);
  const withUseOfOthers = findMostWithUseOfOthers(exact);
  const withOthersElsewhere = findMostWithOthersElsewhere(exact);
  const afterTermination = decideWithoutTerminating(exact);
  return {
    because: [
      ...listReasonsOfPlacements(exact),
      ...(withOthersElsewhere === undefined ? [] : [PLACEMENT]),
      ...(withUseOfOthers !== undefined ? [OTHER_ROLLOUTS] : withMoving !== undefined ? [nameOthers([limited.workload], limits)] : []),
      ...(eviction ? [PREEMPTION] : []),
      ...(afterTermination ? [TERMINATING_PODS] : []),
      ...providers,
      ...(outcomes.outcome === 'none' ? [] : listUndecidedConstraints(exact)),
    ],
    evicts: eviction?.owners ?? [],
    newAtMost: Math.max(
      outcomes.newAtMost,
      withMoving ?? 0,
      withUseOfOthers ?? 0,
      withOthersElsewhere ?? 0,
      eviction?.newAtMost ?? 0,
      afterTermination?.newAtMost ?? 0,
      providers.length > 0 ? process.replicas : 0,
    ),
    ...(afterTermination && { afterTermination }),
  };
}
