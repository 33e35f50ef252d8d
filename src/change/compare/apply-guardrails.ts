import { collectDeploySources } from '../../appliers/deploy-source';
import { LAST_APPLIED_ANNOTATION } from '../../appliers/live-object';
import { createSourceNamespaces } from '../../appliers/source-namespaces';
import { explainNotServed } from '../../cluster/kinds/served-apis';
import { Deadline } from '../../core/budget/deadline';
import { ROOT_PATH } from '../../core/manifest/field-path';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanDocument } from '../../core/document/plan-document';
import { addGuardrailFindings } from '../../guardrails/add-guardrail-findings';
import type { GuardrailPolicy } from '../../guardrails/policy';
import { supportsStatefulSetMaxUnavailable } from '../../workloads/statefulset/strategy';
import { limitPlanning } from '../../plan/plan';
import { resolvePlanBudget, truncatePlan } from '../../plan/plan-budget';
import type { PlanInput } from '../../plan/plan-input';
import type { PlanOptions } from '../../plan/plan-options';
import { validateAnnotations } from '../../workloads/pod/validation/labels';
import { toGoJson } from '../apiserver/go-json';
import { stripNulls } from '../apiserver/stored-form';
import { findCreationRefusal } from './refused-objects';

/** Reports whether the API server refuses the annotation in which a client-side apply stores the object. */
function isTooLongForKubectl(object: Manifest): boolean {
  const { [LAST_APPLIED_ANNOTATION]: _, ...annotations } = getFieldsAt(object, 'metadata', 'annotations');
  const applied = `${toGoJson({ ...object, metadata: { ...object.metadata, annotations } })}\n`;
  return validateAnnotations({ ...annotations, [LAST_APPLIED_ANNOTATION]: applied }, ROOT_PATH).length > 0;
}

/**
 * Adds the findings of a guardrail policy about the objects of a plan, and omits what then exceeds the output budget. Returns the plan unchanged
 * if there is no policy, and only a finding if evaluating it takes longer than the seconds of the budget.
 */
export function applyGuardrailPolicy(
  plan: PlanDocument,
  input: PlanInput,
  policy: GuardrailPolicy | undefined,
  given: PlanOptions['budget'],
): PlanDocument {
  if (!policy) return plan;
  const { objects, locate = () => undefined, textOf, refusesPlaceholders = false } = input;
  const isRefused = (object: Manifest) =>
    explainNotServed(object, plan.versions.kubernetes) !== undefined ||
    isTooLongForKubectl(object) ||
    findCreationRefusal(stripNulls(object), plan.versions, refusesPlaceholders) !== undefined;
  const namespacesOfSources = createSourceNamespaces(collectDeploySources(objects));
  const setNamespaces = new Map<Manifest, readonly string[]>();
  const setNamespacesOf = (object: Manifest): readonly string[] => {
    const known = setNamespaces.get(object);
    if (known) return known;
    const text = textOf?.(object);
    const found = [...(text?.namespaces?.all ?? []), ...namespacesOfSources(object, text?.file)];
    setNamespaces.set(object, found);
    return found;
  };
  const budget = resolvePlanBudget(given);
  const keepsMaxUnavailable = supportsStatefulSetMaxUnavailable(plan.versions.kubernetes);
  const deadline = new Deadline(budget.seconds);
  const surroundings = { objects, locate, setNamespacesOf, isRefused, keepsMaxUnavailable, deadline };
  return limitPlanning({ input, versions: plan.versions, budget, deadline }, () =>
    truncatePlan(addGuardrailFindings(plan, surroundings, policy), budget),
  );
}
