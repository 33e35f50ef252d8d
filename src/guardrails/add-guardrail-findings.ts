import { addToGroup } from '../core/group-by';
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

/** What a policy needs to know about the objects of a plan. */
export interface GuardrailInput {
  readonly objects: readonly Manifest[];
  readonly locate: (object: object, path: string) => Source | undefined;
  /** Whether the server keeps the maxUnavailable of a StatefulSet. */
  readonly keepsMaxUnavailable: boolean;
}

/**
 * Adds the violations of a policy by workloads and budgets to a plan. Suppressions apply only to earlier findings: only an exception in the
 * policy can exempt an object from it.
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
    addToGroup(byKey, key, object);
  }
  const rollouts = plan.rollouts.map((rollout) => {
    const { kind, namespace, name } = rollout.resource;
    // Two objects with the same name are two rollouts, in the order of the input.
    const object = byKey.get(keyOf(kind, namespace, name))?.shift();
    return object ? { ...rollout, findings: [...rollout.findings, ...checkObject(object)] } : rollout;
  });
  const findings = [...plan.findings, ...objects.filter(isDisruptionBudget).flatMap(checkObject)];
  return { ...plan, rollouts, findings, summary: summarizePlan({ ...plan, rollouts, findings }) };
}
