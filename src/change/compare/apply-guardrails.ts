import { collectDeploySources } from '../../appliers/deploy-source';
import { LAST_APPLIED_ANNOTATION } from '../../appliers/live-object';
import { createSourceNamespaces } from '../../appliers/source-namespaces';
import { explainNotServed } from '../../cluster/kinds/served-apis';
import { Deadline } from '../../core/budget/deadline';
import { ROOT_PATH } from '../../core/manifest/field-path';
import { getFieldsAt, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanDocument } from '../../core/document/plan-document';
import { addGuardrailFindings } from '../../guardrails/add-guardrail-findings';
import type { GuardrailInput } from '../../guardrails/add-guardrail-findings';
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
 * Creates the functions that return the namespaces that files around an object may give to it, and its places: where kubectl puts it, and where
 * kustomize does. Fleet and other tools start from one of the two. It is not known where they move objects from there, so only those that they treat
 * alike share a place.
 */
function createNamespaceLookup(
  objects: readonly Manifest[],
  textOf: PlanInput['textOf'],
): Required<Pick<GuardrailInput, 'setNamespacesOf' | 'placesOf'>> {
  const namespacesOfSources = createSourceNamespaces(collectDeploySources(objects));
  const lookUp = (object: Manifest) => {
    const { file, namespaces } = textOf?.(object) ?? {};
    const { all = [], built = [undefined], bundles } = namespaces ?? {};
    const sources = namespacesOfSources(object, file);
    const own = namespaceOf(object);
    // A fleet.yaml may set a namespace only for objects that write none.
    const moves = [...(bundles === undefined ? [] : [bundles, own]), sources.toSorted()];
    const formatPlace = (tool: string, namespace = own ?? 'default') => JSON.stringify([tool, namespace, moves]);
    return {
      set: [...all, ...sources],
      places: [formatPlace('kubectl'), ...built.map((namespace) => formatPlace('kustomize', namespace))],
    };
  };
  const known = new Map<Manifest, ReturnType<typeof lookUp>>();
  const find = (object: Manifest) => {
    const found = known.get(object) ?? lookUp(object);
    known.set(object, found);
    return found;
  };
  return { setNamespacesOf: (object) => find(object).set, placesOf: (object) => find(object).places };
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
  const lookUp = createNamespaceLookup(objects, textOf);
  const budget = resolvePlanBudget(given);
  const keepsMaxUnavailable = supportsStatefulSetMaxUnavailable(plan.versions.kubernetes);
  const deadline = new Deadline(budget.seconds);
  const surroundings = { objects, locate, ...lookUp, isRefused, keepsMaxUnavailable, deadline };
  return limitPlanning({ input, versions: plan.versions, budget, deadline }, () =>
    truncatePlan(addGuardrailFindings(plan, surroundings, policy), budget),
  );
}
