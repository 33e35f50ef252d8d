import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';
import { severityRankOf } from '../core/severity';

/** A finding with the object that it is about. */
export interface AttributedFinding {
  readonly finding: Finding;
  /** Absent where it is about no rollout. */
  readonly about?: ResourceRef;
}

/** What is said several times, with all that it is said of. */
export interface FindingGroup {
  readonly first: AttributedFinding;
  readonly all: readonly AttributedFinding[];
}

/** Findings that count, those about no rollout first, each with what it is about; on request those that are suppressed as well. */
export function collectPlanFindings(
  { findings, rollouts }: Pick<PlanDocument, 'findings' | 'rollouts'>,
  { withSuppressed = false } = {},
): AttributedFinding[] {
  const attributed: AttributedFinding[] = [
    ...findings.map((finding) => ({ finding })),
    ...rollouts.flatMap(({ resource, findings: rolloutFindings }) => rolloutFindings.map((finding) => ({ finding, about: resource }))),
  ];
  return withSuppressed ? attributed : attributed.filter(({ finding }) => !finding.suppressed);
}

function kindOf({ severity, code, messageId }: Finding): string {
  return `${severity} ${code} ${messageId}`;
}

/** By all that is said of it, so that nothing is lost where those that are alike are told once. */
export function messageKeyOf({ severity, code, message, help, suppressed }: Finding): string {
  return JSON.stringify([severity, code, message, help, suppressed?.by, suppressed?.reason]);
}

/** Is the same said of all of a group? Else the first speaks for the others. */
export function hasSingleMessage({ first, all }: FindingGroup): boolean {
  const messageKey = messageKeyOf(first.finding);
  return all.every(({ finding }) => messageKeyOf(finding) === messageKey);
}

/**
 * Findings that are alike together, the worst first, in their order otherwise; those that are suppressed come last.
 *
 * @param likeness - what findings of one group have in common. @default - severity, code and messageId
 */
export function groupSimilarFindings(
  attributed: readonly AttributedFinding[],
  groupKeyOf: (finding: Finding) => string = kindOf,
): FindingGroup[] {
  const groups = new Map<string, AttributedFinding[]>();
  for (const one of attributed) {
    const key = groupKeyOf(one.finding);
    const existing = groups.get(key);
    if (existing) existing.push(one);
    else groups.set(key, [one]);
  }
  const rank = ({ first: { finding } }: FindingGroup) => severityRankOf(finding.suppressed ? 'none' : finding.severity);
  return [...groups.values()].map((all) => ({ first: all[0]!, all })).toSorted((a, b) => rank(a) - rank(b));
}
