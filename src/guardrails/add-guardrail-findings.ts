import type { Finding, Source } from '../core/finding';
import { capFindingsPerRule } from '../core/cap-findings-per-rule';
import { nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { summarizePlan } from '../core/plan-document';
import type { GuardrailPolicy } from './policy';
import { createViolationFinding } from './rules/refused';
import { isDisruptionBudget, findViolations } from './evaluate';

function keyOf(kind: string, namespace: string | undefined, name: string): string {
  return JSON.stringify([kind, namespace, name]);
}

/** What of the objects of a plan a policy has to know. */
export interface GuardrailInput {
  readonly objects: readonly Manifest[];
  readonly locate: (object: object, path: string) => Source | undefined;
  /** Does the server keep the maxUnavailable of a StatefulSet? */
  readonly keepsMaxUnavailable: boolean;
}

/**
 * A plan with what a policy says of its workloads, and of budgets. What is suppressed in it was so before: a policy is nobody's to suppress
 * but its own.
 */
export function addGuardrailFindings(
  plan: PlanDocument,
  { objects, locate, keepsMaxUnavailable }: GuardrailInput,
  policy: GuardrailPolicy,
): PlanDocument {
  const checkObject = (object: Manifest): Finding[] =>
    capFindingsPerRule(findViolations(object, policy, { objects, keepsMaxUnavailable }).map(createViolationFinding)).map((finding) => {
      const source = locate(object, finding.path);
      return source ? { ...finding, source } : finding;
    });
  const byKey = new Map<string, Manifest[]>();
  for (const object of objects) {
    const key = keyOf(object.kind, namespaceOf(object), nameOf(object));
    byKey.set(key, [...(byKey.get(key) ?? []), object]);
  }
  const rollouts = plan.rollouts.map((rollout) => {
    const { kind, namespace, name } = rollout.resource;
    // Two of one name are two rollouts, in the order of the input.
    const object = byKey.get(keyOf(kind, namespace, name))?.shift();
    return object ? { ...rollout, findings: [...rollout.findings, ...checkObject(object)] } : rollout;
  });
  const findings = [...plan.findings, ...objects.filter(isDisruptionBudget).flatMap(checkObject)];
  return { ...plan, rollouts, findings, summary: summarizePlan({ ...plan, rollouts, findings }) };
}
