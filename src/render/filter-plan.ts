import type { Severity } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';
import { isAtLeastSeverity } from '../core/severity';

/** Is a resource one that was asked for? */
export type ResourcePredicate = (resource: ResourceRef) => boolean;

/** The plan with what was asked for alone, of its rollouts and of the objects of its change; its counts stay those of the whole. */
export function filterPlanByResource(plan: PlanDocument, isSelected: ResourcePredicate): PlanDocument {
  const { change, rollouts } = plan;
  return {
    ...plan,
    ...(change && { change: { ...change, objects: change.objects.filter(({ resource }) => isSelected(resource)) } }),
    rollouts: rollouts.filter(({ resource }) => isSelected(resource)),
  };
}

/** The plan with the findings that are as bad as that, or worse; its counts stay those of the whole. */
export function dropFindingsBelow(plan: PlanDocument, bar: Severity): PlanDocument {
  const meetsBar = ({ severity }: { readonly severity: Severity }) => isAtLeastSeverity(severity, bar);
  return {
    ...plan,
    rollouts: plan.rollouts.map((rollout) => ({ ...rollout, findings: rollout.findings.filter(meetsBar) })),
    findings: plan.findings.filter(meetsBar),
  };
}
