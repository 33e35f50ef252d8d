import type { PlanDocument } from '../core/plan-document';
import { escapeJsonForTerminal } from '../core/escape-output';

/** JSON text with two-space indent and one newline at its end, without characters that a terminal would obey. */
export function stringifySafeJson(value: unknown): string {
  return `${escapeJsonForTerminal(JSON.stringify(value, null, 2))}\n`;
}

/** The plan document: its keys in the order that it has, two-space indent, one newline at the end, the same bytes every time. */
export function renderPlanJson(plan: PlanDocument): string {
  return stringifySafeJson(plan);
}

/** What `check --format json` prints: every finding with the resource that it is about, those of no rollout first and without one. */
export function renderCheckJson({ formatVersion, findings, rollouts, notPlanned, summary }: PlanDocument): string {
  const ofRollouts = rollouts.flatMap(({ resource, findings: rolloutFindings }) =>
    rolloutFindings.map((finding) => ({ ...finding, resource })),
  );
  return stringifySafeJson({ formatVersion, notPlanned, findings: [...findings, ...ofRollouts], summary });
}
