import type { Finding } from '../../core/findings/finding';
import type { PlanDocument } from '../../core/document/plan-document';
import type { ResourceRef } from '../../core/document/rollout';

/** A finding with its resource. */
export interface LocatedFinding {
  readonly finding: Finding;
  /** The resource of the rollout; undefined if the finding is not about a rollout. */
  readonly resource?: ResourceRef;
}

/** Returns the findings of a plan that are not suppressed, those without a rollout first. */
export function listFindings({ findings, rollouts }: Pick<PlanDocument, 'findings' | 'rollouts'>): LocatedFinding[] {
  const all: LocatedFinding[] = [
    ...findings.map((finding) => ({ finding })),
    ...rollouts.flatMap(({ resource, findings: own }) => own.map((finding) => ({ finding, resource }))),
  ];
  return all.filter(({ finding }) => finding.suppressed === undefined);
}

/** Returns a key from all names of a resource. */
export function resourceKeyOf({ apiVersion, kind, namespace, name, component }: ResourceRef): string {
  return JSON.stringify([apiVersion, kind, namespace, name, component]);
}

/** Returns the key of a finding and its subject, in any file. A problem in several files is reported in the first. */
export function subjectKeyOf({ finding, resource }: LocatedFinding): string {
  return JSON.stringify([
    finding.code,
    finding.messageId,
    finding.path,
    resource && [resource.kind, resource.namespace, resource.name, resource.component],
  ]);
}

/** Returns the key of a rule and the resource that it reports. */
export function ruleKeyOf({ finding, resource }: LocatedFinding): string {
  return JSON.stringify([finding.code, resource && resourceKeyOf(resource)]);
}

/** Returns the key of a finding and its subject in one file. */
export function findingKeyOf(located: LocatedFinding): string {
  return `${subjectKeyOf(located)} ${located.finding.source?.file ?? ''}`;
}
