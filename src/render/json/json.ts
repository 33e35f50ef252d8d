import type { FindingCounts, PlanDocument } from '../../core/document/plan-document';
import { escapeJsonForTerminal } from '../../core/text/escape-output';

/** Stringifies a value with two-space indent and a final newline. Control characters that a terminal would interpret are escaped. */
export function stringifySafeJson(value: unknown): string {
  return `${escapeJsonForTerminal(JSON.stringify(value, null, 2))}\n`;
}

/** Renders the plan document with its keys in their given order, two-space indent and a final newline. The bytes are the same every time. */
export function renderPlanJson(plan: PlanDocument): string {
  return stringifySafeJson(plan);
}

/**
 * Renders the output of `check --format json`: every finding with its resource. Findings about no rollout come first and have none.
 *
 * @param untouched - counts of findings of objects that the checked change does not touch. @default - no change is checked
 */
export function renderCheckJson(
  { formatVersion, findings, rollouts, notPlanned, summary }: PlanDocument,
  untouched?: FindingCounts,
): string {
  const rolloutLevelFindings = rollouts.flatMap(({ resource, findings: rolloutFindings }) =>
    rolloutFindings.map((finding) => ({ ...finding, resource })),
  );
  return stringifySafeJson({
    formatVersion,
    notPlanned,
    findings: [...findings, ...rolloutLevelFindings],
    ...(untouched && { untouched }),
    summary,
  });
}
