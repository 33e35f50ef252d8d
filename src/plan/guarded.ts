import type { PlanDocument } from '../core/plan-document';
import { withGuardrails } from '../guardrails/plan-guardrails';
import type { GuardrailPolicy } from '../guardrails/policy';
import { keepsStatefulSetMaxUnavailable } from '../workloads/statefulset/strategy';
import type { PlanInput } from './plan';

/** A plan with what a policy says of the objects that it is of; the plan as it is where there is no policy. */
export function guardedPlan(
  plan: PlanDocument,
  { objects, locate = () => undefined }: Pick<PlanInput, 'objects' | 'locate'>,
  policy: GuardrailPolicy | undefined,
): PlanDocument {
  if (!policy) return plan;
  return withGuardrails(plan, { objects, locate, keepsMaxUnavailable: keepsStatefulSetMaxUnavailable(plan.versions.kubernetes) }, policy);
}
