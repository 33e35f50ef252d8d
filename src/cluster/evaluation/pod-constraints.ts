import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { checkAwaitsOtherComponent } from '../rules/awaits-other-component';
import { checkSchedulingGated } from '../rules/scheduling-gated';
import { checkSpreadSkewedAfterRollout } from '../rules/spread-skewed-after-rollout';
import { nodePoolsOf } from '../capacity/input-nodes';
import type { PlanLimits } from '../capacity/plan-limits';
import { listUnevenTopologies } from '../capacity/surroundings/unmet-domains';
import { supportsSchedulingGates } from '../kinds/versions';
import type { PlanContext } from '../context/context';
import { getBudgetedPods } from '../rollout/system-rollout';
import type { PodSet } from '../rollout/pod-set';
import type { SystemRollout } from '../rollout/system-rollout';

/** Returns the topology keys by which pods can be uneven. Returns undefined if not all nodes are known. */
function findUnevenTopologies(podSet: PodSet, { surroundings }: PlanLimits, context: PlanContext): ReadonlySet<string> | undefined {
  const isKnown = nodePoolsOf(context).every(({ allocatable }) => allocatable.size > 0);
  return isKnown && surroundings ? listUnevenTopologies(podSet, surroundings.inventory()) : undefined;
}

/** Reports constraints of pods that keep them from being placed or ready, or that a rollout undermines. */
export function checkPodConstraints(rollout: SystemRollout, limits: PlanLimits, context: PlanContext): Finding[] {
  const { kubernetes } = context.versions;
  const hasKnownNodes = () => nodePoolsOf(context).some(({ nodeName }) => nodeName !== undefined);
  const paths = new Set<string>();
  const check = (pods: Parameters<typeof checkSchedulingGated>[0], podPath: FieldPath | undefined): Finding[] => {
    // Leaders and workers may have one template.
    if (podPath === undefined || paths.has(podPath)) return [];
    paths.add(podPath);
    return [
      ...(supportsSchedulingGates(kubernetes) ? checkSchedulingGated(pods, toFieldPath`${podPath}.schedulingGates`) : []),
      ...checkAwaitsOtherComponent(pods, podPath, hasKnownNodes),
    ];
  };
  if (rollout.pods?.kind === 'clusters') return rollout.pods.clusters.podTemplates().flatMap((pods) => check(pods, pods.podPath));
  return getBudgetedPods(rollout).flatMap((pods) => {
    const { podPath } = pods;
    if (podPath === undefined || paths.has(podPath)) return [];
    const spreads = rollout.simulation
      ? checkSpreadSkewedAfterRollout(pods, podPath, kubernetes, findUnevenTopologies(pods, limits, context))
      : [];
    return [...check(pods, podPath), ...spreads];
  });
}
