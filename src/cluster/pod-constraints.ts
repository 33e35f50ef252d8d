import { toFieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { checkSchedulingGated } from './rules/scheduling-gated';
import { checkSpreadSkewedAfterRollout } from './rules/spread-skewed-after-rollout';
import { getBudgetedPods } from './system-rollout';
import type { SystemRollout } from './system-rollout';

/** Reports constraints of pods that keep the scheduler from placing them, or that a rollout undermines. */
export function checkPodConstraints(rollout: SystemRollout): Finding[] {
  const paths = new Set<string>();
  return getBudgetedPods(rollout).flatMap((pods) => {
    const { podPath } = pods;
    // Leaders and workers may have one template.
    if (podPath === undefined || paths.has(podPath)) return [];
    paths.add(podPath);
    const spreads = rollout.simulation ? checkSpreadSkewedAfterRollout(pods, podPath) : [];
    return [...checkSchedulingGated(pods, toFieldPath`${podPath}.schedulingGates`), ...spreads];
  });
}
