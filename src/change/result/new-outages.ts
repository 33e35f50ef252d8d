import type { Finding } from '../../core/findings/finding';
import { withSummary } from '../../core/document/plan-document';
import type { PlanDocument } from '../../core/document/plan-document';
import type { PlannedRollout } from '../../core/document/rollout';
import { rolesOutage } from '../../systems/disaggregatedset/rules/roles-outage';
import { lwsOutage } from '../../workloads/leader-worker-set/rules/outage';
import { outage } from '../../workloads/rules/outage';
import { serviceWithoutEndpoints } from '../../cluster/services/rules/service-without-endpoints';
import { firstRolloutKeysOf, mapByRollout } from './rollout-key';

const OUTAGE_RULES = [outage, lwsOutage, rolesOutage];

/** Reports whether a finding is about an outage of the planned rollout, and not of one that starts with fewer pods. */
function isOutage(finding: Finding): boolean {
  return !outage.matches(finding, 'atMinimum') && OUTAGE_RULES.some((rule) => rule.matches(finding));
}

/** Reports whether an outage is avoidable: one that no setting avoids, or that is written as such (Recreate), is an info. */
function isAvoidableOutage(finding: Finding): boolean {
  return finding.severity === 'warning' && isOutage(finding);
}

/** Reports whether a rollout of OLD kept pods available. */
function keptPodsAvailable(old: PlannedRollout | undefined): boolean {
  const { minAvailable = 0 } = (old?.simulation ?? {}) as { readonly minAvailable?: number };
  return minAvailable > 0 && !old!.findings.some(isOutage);
}

/**
 * Makes the outages errors that the change brings: the rollouts of OLD kept pods available, and now, or at the next rollout, none is.
 * A workload that is new, or whose rollouts were an outage before, keeps the severity that it has without OLD.
 *
 * @param planOld plans OLD as if each of its objects rolled out
 * @param replacesOld reports whether the rollout of a key, as of `mapByRollout`, is of an object that OLD has. A second copy in NEW replaces the same object
 *   as the first, and components replace a rollout without components
 */
export function raiseNewOutages(plan: PlanDocument, planOld: () => PlanDocument, replacesOld: (key: string) => boolean): PlanDocument {
  if (!plan.rollouts.some(({ findings }) => findings.some(isAvoidableOutage))) return plan;
  const old = mapByRollout(planOld().rollouts);
  const raised = new Map(
    [...mapByRollout(plan.rollouts)].map(([key, rollout]) => {
      const raise = (finding: Finding) => (isAvoidableOutage(finding) ? { ...finding, severity: 'error' as const } : finding);
      const keys = [key, ...(replacesOld(key) ? firstRolloutKeysOf(rollout.resource) : [])];
      const before = keys.map((each) => old.get(each)).find((each) => each !== undefined);
      return [rollout, keptPodsAvailable(before) ? { ...rollout, findings: rollout.findings.map(raise) } : rollout];
    }),
  );
  const rollouts = plan.rollouts.map((rollout) => raised.get(rollout)!);
  return withSummary({ ...plan, rollouts });
}

/** Reports whether a finding says that the change itself leaves a Service without ready endpoints, temporarily or permanently. */
function isServiceLoss(finding: Finding): boolean {
  return serviceWithoutEndpoints.matches(finding) && !serviceWithoutEndpoints.matches(finding, 'pending');
}

/**
 * Makes it an error that a change leaves a Service without ready endpoints until new pods are ready. A plan reports that as a warning; a check
 * of the change fails.
 */
export function raiseServiceLosses(plan: PlanDocument): PlanDocument {
  if (!plan.findings.some(isServiceLoss)) return plan;
  const findings = plan.findings.map((finding) => (isServiceLoss(finding) ? { ...finding, severity: 'error' as const } : finding));
  return withSummary({ ...plan, findings });
}
