import type { Finding, Source } from '../core/finding';
import { nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { summarise } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';
import type { GuardrailPolicy } from './policy';
import { violationFinding } from './rules/refused';
import { violationsOf } from './verdict';

function keyOf(kind: string, namespace: string | undefined, name: string): string {
  return JSON.stringify([kind, namespace, name]);
}

type Locate = (object: object, path: string) => Source | undefined;

function findingsOf(object: Manifest, policy: GuardrailPolicy, locate: Locate): Finding[] {
  return violationsOf(object, policy).map((violation) => {
    const finding = violationFinding(violation);
    const source = locate(object, finding.path);
    return source ? { ...finding, source } : finding;
  });
}

/** A plan with what a policy says of its Deployments. What is suppressed in it was so before: a policy is nobody's to suppress but its own. */
export function withGuardrails(
  plan: PlanDocument,
  objects: readonly Manifest[],
  policy: GuardrailPolicy | undefined,
  locate: Locate,
): PlanDocument {
  if (!policy) return plan;
  const byKey = new Map<string, Manifest[]>();
  for (const object of objects) {
    const key = keyOf(object.kind, namespaceOf(object), nameOf(object));
    byKey.set(key, [...(byKey.get(key) ?? []), object]);
  }
  const findingsFor = ({ kind, namespace, name }: ResourceRef) => {
    // Two of one name are two rollouts, in the order of the input.
    const object = byKey.get(keyOf(kind, namespace, name))?.shift();
    return object ? findingsOf(object, policy, locate) : [];
  };
  const rollouts = plan.rollouts.map((rollout) => ({ ...rollout, findings: [...rollout.findings, ...findingsFor(rollout.resource)] }));
  return { ...plan, rollouts, summary: summarise({ ...plan, rollouts }) };
}
