import type { PlanDocument } from '../core/plan-document';
import { addGuardrailFindings } from '../guardrails/add-guardrail-findings';
import type { GuardrailPolicy } from '../guardrails/policy';
import { supportsStatefulSetMaxUnavailable } from '../workloads/statefulset/strategy';
import type { PlanInput } from './plan-input';

/** Adds the findings of a guardrail policy about the planned objects. Returns the plan unchanged if there is no policy. */
export function applyGuardrailPolicy(
  plan: PlanDocument,
  { objects, locate = () => undefined }: Pick<PlanInput, 'objects' | 'locate'>,
  policy: GuardrailPolicy | undefined,
): PlanDocument {
  if (!policy) return plan;
  return addGuardrailFindings(
    plan,
    { objects, locate, keepsMaxUnavailable: supportsStatefulSetMaxUnavailable(plan.versions.kubernetes) },
    policy,
  );
}
