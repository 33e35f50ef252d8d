import type { CapacityResult, Shortage } from '../../../core/document/capacity-result';
import { joinWords, pluralize } from '../../../core/text/text-format';
import { getDeadlockWave } from '../../rollout/limited-run';
import type { LimitedRun } from '../../rollout/limited-run';
import type { CapacityDelay } from '../../rollout/pod-rollout';
import type { LimitedRollout } from '../../rollout/workload';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { buildPodSlotShortage } from '../nodes/node-shortage';
import {
  buildResourceShortage,
  buildFittingResult,
  formatOutcome,
  formatShortage,
  formatUnmodelled,
  listFurtherShortages,
} from '../shortage';
import type { UnmetDomains } from '../surroundings/unmet-domains';
import { isDecidedByOthers } from './other-rollouts';
import { countAllowedPods } from './admitted-pods';
import type { OwnLimit } from './admitted-pods';
import type { DecidedOutcomes } from './decide-rollout';
import { CREATION_ORDER, formatUncertainty, PLACEMENT } from './format-uncertainty';
import type { RolloutModel, RolloutOutcomes, RolloutSizes } from './rollout-model';
import { listIdealRows } from './rollout-process';
import type { RevisionCounts, RolloutProcess } from './rollout-process';
import { countAdmittedPods, countPodsAtOnce } from './run-limits';

/**
 * Returns the limit that the next new pod exceeds, and what the whole rollout needs of it: 4 pods of 1 CPU that become pods of 2 CPUs with a
 * surge of 1 stop at 5 of 5 CPUs, and need 9.
 */
function findShortage(ready: number, old: number, parts: EvaluationParts): Shortage {
  const { ownLimits, kept, unmetDomains } = parts;
  const exceeded = ownLimits.find((limit) => countAllowedPods(limit, old + kept) <= ready);
  if (!exceeded && unmetDomains && unmetDomains.pods < parts.limited.rollout.peakPods) return unmetDomains.shortage;
  if (!exceeded) return buildPodSlotShortage(old + kept + ready + 1, old + kept + ready);
  const atDeadlock = computeUse(exceeded, { old, next: ready + 1 }, kept);
  const atPeak = computePeakUse(exceeded, parts);
  return buildResourceShortage(exceeded.limit, atPeak > atDeadlock ? atPeak : atDeadlock, exceeded.left);
}

function computeUse(limit: OwnLimit, { old, next }: RevisionCounts, kept: number): bigint {
  return limit.old * BigInt(old + kept) + limit.next * BigInt(next);
}

/** Computes the most that a rollout uses of a limit if nothing limits it. */
function computePeakUse(limit: OwnLimit, { limited, process, kept }: EvaluationParts): bigint {
  const uses = listIdealRows(limited, process).map((row) => computeUse(limit, row, kept));
  return uses.reduce((most, use) => (use > most ? use : most), 0n);
}

/** What the evaluation of a rollout is built from. */
export interface EvaluationParts {
  readonly limited: LimitedRollout;
  /** Evaluates the rollout by numbers of pods, which says what it lacks and how many more nodes it needs. */
  readonly byPodCount: () => CapacityEvaluation;
  readonly process: RolloutProcess;
  readonly outcomes: DecidedOutcomes;
  readonly model: RolloutModel;
  /** The rollout under its limits. Undefined if its kind is not simulated so. */
  readonly run: LimitedRun | undefined;
  readonly because: readonly string[];
  readonly ownLimits: readonly OwnLimit[];
  /** Owners of pods that are not planned. */
  readonly owners: readonly string[];
  /** Owners of pods that new ones may evict. */
  readonly evicts: readonly string[];
  /** The most new pods that may run in the end, whatever the outcome depends on. */
  readonly newAtMost: number;
  /** The outcomes once the pods that are being deleted are gone, if they decide. */
  readonly afterTermination?: RolloutOutcomes;
  /** Old pods that no new one replaces. */
  readonly kept: number;
  /** Whether nodes limit the pods. */
  readonly hasNodes: boolean;
  /** The spread constraint of the new pods that has too few domains. Unset if there is none. */
  readonly unmetDomains?: UnmetDomains | undefined;
  /** Whether old pods request the same as new ones, and accept the same nodes. */
  readonly hasEqualOldPods: boolean;
  /** Reports whether the rollout finishes in every placement if nothing but the nodes limits it. */
  readonly finishesOnNodes: () => boolean;
}

/** Returns the pods that fit at once, and those that quotas allow. */
function computeHeadroom({ model, ownLimits, kept }: EvaluationParts): CapacityDelay {
  const { replicas } = model;
  const quotas = ownLimits.filter(({ limit }) => limit.refusesPods);
  const podsAdmitted = quotas.length === 0 ? Infinity : kept + replicas + countAdmittedPods(quotas, replicas, kept)[replicas]!;
  return { deadlocks: false, podsWithRoom: countPodsAtOnce(model, kept), podsAdmitted };
}

/** Builds the evaluation of a rollout that finishes with fewer pods at once. It may not fit if constraints are not modelled. */
function buildSlowerEvaluation(parts: EvaluationParts, run: LimitedRun): CapacityEvaluation {
  const { byPodCount, process, because, ownLimits, limited } = parts;
  const { peakPods } = limited.rollout;
  const base = byPodCount();
  const iterations = run.startingRows;
  const podsThatFit = base.verdict.shortage ? base.verdict.podsThatFit : Math.min(peakPods, run.peakPods);
  const shortage = base.verdict.shortage ?? findPeakShortage(process, ownLimits, podsThatFit);
  const { iterations: creatingWaves = iterations } = run.simulation as { readonly iterations?: number };
  // Pods that wait for a node start in later waves than they are created.
  const startsLater = creatingWaves === iterations ? 'that create pods' : 'in which pods start';
  const outcome = `takes ${pluralize(iterations, 'wave')} ${startsLater}, with fewer pods at once`;
  const { moreNodes } = base.verdict;
  const isOpen = because.length > 0;
  const message = isOpen
    ? `May not fit: it ${outcome}, because ${formatShortage(shortage, 'it peaks at')}, and ${formatUnmodelled(because)}.`
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
  const podsWithRoom = base.verdict.verdict === 'slower' ? base.delay.podsWithRoom : podsThatFit;
  return { verdict, delay: { ...base.delay, deadlocks: false, podsWithRoom, iterations }, simulation: run.simulation };
}

/** Returns the first limit that a rollout exceeds at its peak. Without other reasons there is one, because no limit stops a rollout below it. */
function findPeakOfLimits(parts: EvaluationParts): Shortage {
  const peaks = parts.ownLimits.map((limit) => ({ limit, peak: computePeakUse(limit, parts) }));
  const { limit, peak } = peaks.find((each) => each.peak > each.limit.left) ?? peaks[0]!;
  return buildResourceShortage(limit.limit, peak, limit.left);
}

/** Builds the evaluation of a rollout whose outcome depends on something else. */
function buildOpenEvaluation(parts: EvaluationParts): CapacityEvaluation {
  const { byPodCount, process, outcomes, run, because, owners, evicts, newAtMost, afterTermination, limited, kept } = parts;
  const { replicas, unavailable, running = replicas } = process;
  const { peakPods } = limited.rollout;
  const delay = computeHeadroom(parts);
  const isUnresolved =
    outcomes.outcome === 'every' && !isDecidedByOthers(because) && !because.includes(PLACEMENT) && !because.includes(CREATION_ORDER);
  if (isUnresolved && run?.isUnlimited === false) return buildSlowerEvaluation(parts, run);
  if (isUnresolved) return { verdict: buildFittingResult(peakPods, peakPods, because), delay };
  const fewest = kept + outcomes.newAtLeast + Math.min(running, Math.max(0, replicas - unavailable - outcomes.newAtLeast));
  const verdict: CapacityResult = {
    verdict: 'may-not-fit',
    peakPods,
    podsThatFit: Math.min(peakPods, fewest),
    because,
    ...(because.includes(CREATION_ORDER) && { shortage: findPeakOfLimits(parts) }),
    ...formatRange({ ...outcomes, newAtMost }),
    ...(owners.length > 0 && { usedBy: owners }),
    message: formatUncertainty({ outcomes, because, replicas, evicts, ...(afterTermination && { afterTermination }) }),
  };
  const base = isDecidedByOthers(because) ? byPodCount() : undefined;
  const isAfterRivals = base?.verdict.verdict === 'deadlocks' && base.rivals !== undefined;
  const isByOthersOnly = outcomes.outcome === 'every' && because.every((reason) => isDecidedByOthers([reason]));
  return {
    verdict: isAfterRivals
      ? { ...verdict, podsThatFit: base.verdict.podsThatFit, mostPodsThatFit: base.verdict.mostPodsThatFit! }
      : verdict,
    delay: { ...delay, podsWithRoom: Math.max(delay.podsWithRoom, peakPods), podsAdmitted: Infinity },
    ...(isAfterRivals && { rivals: base.rivals, verdictAfterRivals: base.verdict }),
    ...(isByOthersOnly && { verdictAlone: run?.isUnlimited === false ? 'slower' : 'fits' }),
  };
}

/** Returns the fewest and the most new pods that run in the end, if not all of them do in every placement. */
export function formatRange({ outcome, newAtLeast, newAtMost }: DecidedOutcomes): Pick<CapacityResult, 'newPodsAtLeast' | 'newPodsAtMost'> {
  return outcome === 'every' ? {} : { newPodsAtLeast: newAtLeast, newPodsAtMost: newAtMost };
}

/** Returns the old pods that certainly run at the end. An old pod that the apply adds is only known to run if quotas alone decide. */
function countRunningOldPods({ run, ownLimits, hasNodes, process: { replicas, running = replicas } }: EvaluationParts): number {
  const old = run?.old ?? 0;
  const isDecidedByQuotas = !hasNodes && ownLimits.every(({ limit: { refusesPods } }) => refusesPods);
  return isDecidedByQuotas ? old : Math.min(running, old);
}

/** Builds the evaluation of a rollout that never finishes. */
function buildDeadlockEvaluation(parts: EvaluationParts): CapacityEvaluation {
  const { byPodCount, outcomes, run, ownLimits, owners, limited, kept } = parts;
  const { peakPods, unit } = limited.rollout;
  const base = byPodCount();
  const deadlockWave = run ? getDeadlockWave(run) : 1;
  const isKnown = base.verdict.verdict === 'deadlocks';
  // Numbers of pods take old pods for new ones.
  const isByLimit = base.verdict.shortage?.kind === 'quota' || base.verdict.shortage?.kind === 'capacity';
  const isShortageKnown =
    isKnown &&
    (isByLimit
      ? base.rejection !== undefined || ownLimits.every(({ old, next }) => old === next)
      : parts.hasEqualOldPods || !parts.finishesOnNodes());
  // The rows show a number that is certain.
  const ready = run?.ready ?? outcomes.newAtMost;
  const remaining = countRunningOldPods(parts);
  const shortage = isShortageKnown ? base.verdict.shortage! : findShortage(ready, remaining, parts);
  const podsThatFit = isKnown ? base.verdict.podsThatFit : Math.min(peakPods, ready + remaining + kept);
  const exceeded = ownLimits.find((limit) => countAllowedPods(limit, remaining + kept) <= ready);
  const moreNodes = isKnown && parts.hasEqualOldPods ? base.verdict.moreNodes : undefined;
  const users =
    owners.length > 0 && shortage.kind !== 'quota' ? ` The nodes also run pods that are not planned: ${joinWords(owners)}.` : '';
  const verdict: CapacityResult = {
    verdict: 'deadlocks',
    peakPods,
    podsThatFit,
    ...(isKnown && base.verdict.mostPodsThatFit !== undefined && { mostPodsThatFit: base.verdict.mostPodsThatFit }),
    ...formatRange(outcomes),
    ...(owners.length > 0 && { usedBy: owners }),
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
  const peaks = ownLimits.map((own) => ({ limit: own.limit, left: own.left, peak: computePeakUse(own, parts) }));
  const further = listFurtherShortages(peaks, shortage);
  return {
    verdict,
    delay,
    ...(further.length > 0 && { furtherShortages: further }),
    ...(run && { simulation: run.simulation }),
    ...(isKnown && base.rivals && { rivals: base.rivals }),
  };
}

/** Builds the evaluation of a rollout from its outcomes and from the run under its limits. */
export function buildEvaluation(parts: EvaluationParts): CapacityEvaluation {
  const { outcomes, run, because, limited } = parts;
  if (because.length > 0) return buildOpenEvaluation(parts);
  if (outcomes.outcome === 'none') return buildDeadlockEvaluation(parts);
  if (run?.isUnlimited === false) return buildSlowerEvaluation(parts, run);
  const { peakPods } = limited.rollout;
  return { verdict: buildFittingResult(peakPods, peakPods, []), delay: computeHeadroom(parts) };
}

/** Returns the limit that the peak of the ideal rollout exceeds. */
function findPeakShortage({ replicas, surge, unavailable }: RolloutSizes, ownLimits: readonly OwnLimit[], podsThatFit: number): Shortage {
  const oldPods = replicas - unavailable;
  const newPods = Math.min(replicas, surge + unavailable);
  const exceeded = ownLimits.find((limit) => countAllowedPods(limit, oldPods) < newPods);
  if (!exceeded) return buildPodSlotShortage(oldPods + newPods, podsThatFit);
  return buildResourceShortage(exceeded.limit, exceeded.old * BigInt(oldPods) + exceeded.next * BigInt(newPods), exceeded.left);
}
