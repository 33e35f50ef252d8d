import type { Finding } from '../../core/finding';
import type { PlanDocument } from '../../core/plan-document';
import type { ResourceRef } from '../../core/rollout';

/** A finding with what it is about. */
export interface LocatedFinding {
  readonly finding: Finding;
  /** Absent where it is about no rollout. */
  readonly resource?: ResourceRef;
}

/** Every finding of a plan that counts, those of no rollout first. */
export function listFindings({ findings, rollouts }: Pick<PlanDocument, 'findings' | 'rollouts'>): LocatedFinding[] {
  const all: LocatedFinding[] = [
    ...findings.map((finding) => ({ finding })),
    ...rollouts.flatMap(({ resource, findings: own }) => own.map((finding) => ({ finding, resource }))),
  ];
  return all.filter(({ finding }) => finding.suppressed === undefined);
}

/** A resource by all its names. */
export function resourceKeyOf({ apiVersion, kind, namespace, name, component }: ResourceRef): string {
  return JSON.stringify([apiVersion, kind, namespace, name, component]);
}

/** What is found, of what, in whichever file: a thing that stands in several files is said of the first. */
export function subjectKeyOf({ finding, resource }: LocatedFinding): string {
  return JSON.stringify([
    finding.code,
    finding.messageId,
    finding.path,
    resource && [resource.kind, resource.namespace, resource.name, resource.component],
  ]);
}

/** Which rule finds something of what. */
export function ruleKeyOf({ finding, resource }: LocatedFinding): string {
  return JSON.stringify([finding.code, resource && resourceKeyOf(resource)]);
}

/** What is found, of what, in one file. */
export function findingKeyOf(located: LocatedFinding): string {
  return `${subjectKeyOf(located)} ${located.finding.source?.file ?? ''}`;
}
