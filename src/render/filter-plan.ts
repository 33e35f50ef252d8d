import type { Severity } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import type { ResourceRef } from '../core/document/rollout';
import { isAtLeastSeverity } from '../core/findings/severity';

/** Reports whether the user selected a resource. */
export type ResourcePredicate = (resource: ResourceRef) => boolean;

/** Returns the plan with only the selected rollouts and changed objects. Its counts remain those of the full plan. */
export function filterPlanByResource(plan: PlanDocument, isSelected: ResourcePredicate): PlanDocument {
  const { change, rollouts } = plan;
  return {
    ...plan,
    ...(change && { change: { ...change, objects: change.objects.filter(({ resource }) => isSelected(resource)) } }),
    rollouts: rollouts.filter(({ resource }) => isSelected(resource)),
  };
}

/** Returns the plan with only the findings of this severity or above. Its counts remain those of the full plan. */
export function dropFindingsBelow(plan: PlanDocument, bar: Severity): PlanDocument {
  const meetsBar = ({ severity }: { readonly severity: Severity }) => isAtLeastSeverity(severity, bar);
  return {
    ...plan,
    rollouts: plan.rollouts.map((rollout) => ({ ...rollout, findings: rollout.findings.filter(meetsBar) })),
    findings: plan.findings.filter(meetsBar),
  };
}
