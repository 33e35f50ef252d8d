import type { Severity } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';
import { isAsBad } from '../core/severity';

/** Is a resource one that was asked for? */
export type IsChosen = (resource: ResourceRef) => boolean;

/** The plan with what was asked for alone, of its rollouts and of the objects of its change; its counts stay those of the whole. */
export function selectedPlan(plan: PlanDocument, isChosen: IsChosen): PlanDocument {
  const { change, rollouts } = plan;
  return {
    ...plan,
    ...(change && { change: { ...change, objects: change.objects.filter(({ resource }) => isChosen(resource)) } }),
    rollouts: rollouts.filter(({ resource }) => isChosen(resource)),
  };
}

/** The plan with the findings that are as bad as that, or worse; its counts stay those of the whole. */
export function withoutFindingsBelow(plan: PlanDocument, bar: Severity): PlanDocument {
  const isShown = ({ severity }: { readonly severity: Severity }) => isAsBad(severity, bar);
  return {
    ...plan,
    rollouts: plan.rollouts.map((rollout) => ({ ...rollout, findings: rollout.findings.filter(isShown) })),
    findings: plan.findings.filter(isShown),
  };
}
