import type { Finding, Severity } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';

/** The worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Is a severity as bad as another, or worse? */
export function isAtLeast(severity: Severity, bar: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(bar);
}

/** A finding with the object that it is about. */
export interface PlacedFinding {
  readonly finding: Finding;
  /** Absent where it is about no rollout. */
  readonly about?: ResourceRef;
}

/** What is said several times, with all that it is said of. */
export interface FindingGroup {
  readonly first: PlacedFinding;
  readonly all: readonly PlacedFinding[];
}

/** Findings that count, those about no rollout first, each with what it is about. */
export function placedFindings({ findings, rollouts }: Pick<PlanDocument, 'findings' | 'rollouts'>): PlacedFinding[] {
  const placed: PlacedFinding[] = [
    ...findings.map((finding) => ({ finding })),
    ...rollouts.flatMap(({ resource, findings: own }) => own.map((finding) => ({ finding, about: resource }))),
  ];
  return placed.filter(({ finding }) => !finding.suppressed);
}

/** Findings of one kind together, the worst kinds first, in their order otherwise. */
export function findingGroups(placed: readonly PlacedFinding[]): FindingGroup[] {
  const groups = new Map<string, PlacedFinding[]>();
  for (const one of placed) {
    const { severity, code, messageId } = one.finding;
    const key = `${severity} ${code} ${messageId}`;
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  const rank = ({ first }: FindingGroup) => SEVERITIES.indexOf(first.finding.severity);
  return [...groups.values()].map((all) => ({ first: all[0]!, all })).toSorted((a, b) => rank(a) - rank(b));
}
