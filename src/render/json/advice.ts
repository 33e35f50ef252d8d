import type { AdviceDocument, AdvisedRollout, Candidate, RolloutFigures, ScaledFigures } from '../../core/document/advice';
import { stringifySafeJson } from './json';

function orderFigureKeys(figures: RolloutFigures): RolloutFigures {
  const { peakPods, extraPods, extraGpus, leastAvailable, seconds, gpuSeconds, brokenByBadVersion, verdict } = figures;
  return {
    peakPods,
    extraPods,
    ...(extraGpus !== undefined && { extraGpus }),
    leastAvailable,
    seconds,
    ...(gpuSeconds !== undefined && { gpuSeconds }),
    brokenByBadVersion,
    verdict,
  };
}

function orderScaledKeys({ replicas, ...figures }: ScaledFigures): ScaledFigures {
  return { replicas, ...orderFigureKeys(figures) };
}

function orderCandidateKeys({ strategy, meets, atMinimum, atMaximum, ...figures }: Candidate): Candidate {
  return {
    strategy,
    ...orderFigureKeys(figures),
    meets,
    ...(atMinimum && { atMinimum: orderScaledKeys(atMinimum) }),
    ...(atMaximum && { atMaximum: orderScaledKeys(atMaximum) }),
  };
}

function orderRolloutKeys(rollout: AdvisedRollout) {
  const { resource, unit, replicas, goal, current, best, edit, front, elided, isPartial, tried, unmet, assumed } = rollout;
  return {
    resource,
    unit,
    replicas,
    goal,
    current: orderCandidateKeys(current),
    best: best && orderCandidateKeys(best),
    edit,
    front: front.map(orderCandidateKeys),
    elided,
    isPartial,
    tried,
    unmet,
    assumed,
  };
}

/** Renders the output of `advise --format json`, with keys in the order of the schema. */
export function renderAdviceJson({ formatVersion, versions, rollouts, notAdvised }: AdviceDocument): string {
  return stringifySafeJson({ formatVersion, versions, rollouts: rollouts.map(orderRolloutKeys), notAdvised });
}
