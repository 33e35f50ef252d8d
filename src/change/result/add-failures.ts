import { withSummary } from '../../core/document/plan-document';
import type { PlanDocument } from '../../core/document/plan-document';
import type { Finding } from '../../core/findings/finding';
import { unreadable } from '../../core/rules/unreadable';

/**
 * Adds the findings of objects that only another plan of the same objects fails on, such as that of their next rollout. Nothing else would say that
 * its findings are missing.
 */
export function addFailures(plan: PlanDocument, other: PlanDocument): PlanDocument {
  const keyOf = ({ message, source }: Finding) => JSON.stringify([message, source?.file, source?.line]);
  const known = new Set(plan.findings.map(keyOf));
  const failures = other.findings.filter((finding) => unreadable.matches(finding) && !known.has(keyOf(finding)));
  if (failures.length === 0) return plan;
  return withSummary({ ...plan, findings: [...plan.findings, ...failures] });
}
