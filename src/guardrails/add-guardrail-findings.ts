import { addToGroup } from '../core/collections/group-by';
import type { Finding, Source } from '../core/findings/finding';
import { capFindingsPerRule } from '../core/findings/finding-limits';
import { DeadlineError } from '../core/budget/deadline';
import type { Deadline } from '../core/budget/deadline';
import { getErrorMessage } from '../core/errors/error-message';
import { ROOT_PATH } from '../core/manifest/field-path';
import { describeObject, nameOf, namespaceOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import { withSummary } from '../core/document/plan-document';
import { unreadable } from '../core/rules/unreadable';
import type { GuardrailPolicy } from './policy';
import { createViolationFinding } from './rules/refused';
import { findViolations } from './evaluate';

/** Returns a key of an object. Objects of other groups may have the same kind and name, so the API version is a part of it. */
function keyOf(apiVersion: string, kind: string, namespace: string | undefined, name: string): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

/** What a policy needs to know about the objects of a plan. */
export interface GuardrailInput {
  readonly objects: readonly Manifest[];
  readonly locate: (object: object, path: string) => Source | undefined;
  /** Returns the namespaces that files around an object, such as a kustomization, may give to it. @default - none */
  readonly setNamespacesOf?: (object: Manifest) => readonly string[];
  /** Returns the places of an object: a namespace for each way to apply the files. @default - its own namespace */
  readonly placesOf?: (object: Manifest) => readonly string[];
  /** Reports whether the API server refuses to create an object. @default - it refuses none */
  readonly isRefused?: (object: Manifest) => boolean;
  /** Whether the server keeps the maxUnavailable of a StatefulSet. */
  readonly keepsMaxUnavailable: boolean;
  readonly deadline: Deadline;
}

/** Returns the violations of an object. If evaluating it fails, that is a finding, and the others are evaluated. */
function checkObject(object: Manifest, input: GuardrailInput, policy: GuardrailPolicy): Finding[] {
  const { locate } = input;
  try {
    const violations = findViolations(object, policy, input);
    return capFindingsPerRule(violations.map(createViolationFinding)).map((finding) => {
      const source = locate(object, finding.path);
      return source ? { ...finding, source } : finding;
    });
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    const data = { resource: describeObject(object), error: getErrorMessage(error) };
    return [unreadable.createFinding('failed', { path: ROOT_PATH, data, source: locate(object, ROOT_PATH) })];
  }
}

/**
 * Adds the violations of a policy by workloads and budgets to a plan, each to its rollout if it has one. Every object is evaluated, whether or
 * not it is planned: with an owner, or another system that claims it, it is no rollout. Suppressions apply only to earlier findings: only an
 * exception in the policy can exempt an object from it.
 *
 * @throws DeadlineError once the deadline has passed
 */
export function addGuardrailFindings(plan: PlanDocument, input: GuardrailInput, policy: GuardrailPolicy): PlanDocument {
  const indexesByKey = new Map<string, number[]>();
  plan.rollouts.forEach(({ resource: { apiVersion, kind, namespace, name } }, index) =>
    addToGroup(indexesByKey, keyOf(apiVersion, kind, namespace, name), index),
  );
  // Two objects with the same name are two rollouts, in the order of the input.
  const nextIndexes = new Map([...indexesByKey].map(([key, indexes]) => [key, indexes[Symbol.iterator]()]));
  const byRollout = new Map<number, readonly Finding[]>();
  const others: Finding[] = [];
  for (const object of input.objects) {
    input.deadline.check();
    const found = checkObject(object, input, policy);
    const index = nextIndexes.get(keyOf(object.apiVersion, object.kind, namespaceOf(object), nameOf(object)))?.next().value;
    // The object is part of the identity, because a change may move a violation to another object.
    const resource = describeObject(object);
    if (index === undefined) for (const finding of found) others.push({ ...finding, data: { ...finding.data, resource } });
    else byRollout.set(index, found);
  }
  const rollouts = plan.rollouts.map((rollout, index) => {
    const found = byRollout.get(index) ?? [];
    return found.length === 0 ? rollout : { ...rollout, findings: [...rollout.findings, ...found] };
  });
  const findings = [...plan.findings, ...others];
  return withSummary({ ...plan, rollouts, findings });
}
