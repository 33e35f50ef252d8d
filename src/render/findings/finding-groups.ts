import { groupBy } from '../../core/collections/group-by';
import type { Finding } from '../../core/findings/finding';
import type { PlanDocument } from '../../core/document/plan-document';
import type { ResourceRef } from '../../core/document/rollout';
import { severityRankOf } from '../../core/findings/severity';

/** A finding and the object that it is about. */
export interface AttributedFinding {
  readonly finding: Finding;
  /** Unset if it is about no rollout. */
  readonly about?: ResourceRef;
}

/** Findings that are reported together. */
export interface FindingGroup {
  readonly first: AttributedFinding;
  readonly all: readonly AttributedFinding[];
}

/** Returns the findings of a plan with what each is about. Findings about no rollout come first. Suppressed ones are included on request. */
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

/** Returns the key of findings with the same rule, message and severity, whatever their data is. */
export function findingKindOf({ severity, code, messageId }: Finding): string {
  return `${severity} ${code} ${messageId}`;
}

/** Returns a key of everything that a finding prints. Findings with the same key can be printed once without loss. */
export function messageKeyOf({ severity, code, message, help, suppressed }: Finding): string {
  return JSON.stringify([severity, code, message, help, suppressed?.by, suppressed?.reason]);
}

/** Reports whether all findings of a group have the same message. If not, only the first message is printed. */
export function hasSingleMessage({ first, all }: FindingGroup): boolean {
  const messageKey = messageKeyOf(first.finding);
  return all.every(({ finding }) => messageKeyOf(finding) === messageKey);
}

/**
 * Groups similar findings, worst first. Groups of one severity keep their order, and suppressed findings come last.
 *
 * @param groupKeyOf - the key that findings of one group share. @default - severity, code and messageId
 */
export function groupSimilarFindings(
  attributed: readonly AttributedFinding[],
  groupKeyOf: (finding: Finding) => string = findingKindOf,
): FindingGroup[] {
  const groups = groupBy(attributed, (one) => groupKeyOf(one.finding));
  const rank = ({ first: { finding } }: FindingGroup) => severityRankOf(finding.suppressed ? 'none' : finding.severity);
  return [...groups.values()].map((all) => ({ first: all[0]!, all })).toSorted((a, b) => rank(a) - rank(b));
}
