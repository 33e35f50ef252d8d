import type { Deadline } from '../core/budget/deadline';
import { ROOT_PATH } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { formatReference, getValueAt } from '../core/manifest/manifest';
import { withSummary } from '../core/document/plan-document';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { unreadable } from '../core/rules/unreadable';
import type { OmittedOutput } from '../core/rules/unreadable';
import { describeValue, toDisplayValue } from '../core/text/display-value';
import { BUDGET_NAMES, DEFAULT_BUDGET, BYTES_PER_MEGABYTE } from '../input/read-budget';
import type { PlanBudget } from '../input/read-budget';

/**
 * Returns the budget for planning, with defaults.
 *
 * @throws RangeError if a limit is not a number above 0
 */
export function resolvePlanBudget(given: Partial<PlanBudget> = {}): PlanBudget {
  for (const name of BUDGET_NAMES) {
    const limit: unknown = (given as Readonly<Record<string, unknown>>)[name];
    if (limit === undefined || (typeof limit === 'number' && limit > 0)) continue;
    throw new RangeError(`budget.${name} is ${describeValue(limit)}: write a number above 0`);
  }
  return { ...DEFAULT_BUDGET, ...given };
}

/** Limits of everything that planning does, one step after the other. */
export interface PlanningLimits {
  readonly budget: PlanBudget;
  readonly deadline: Deadline;
}

/** Creates the finding that planning exceeded its time budget. */
export function createTimeoutFinding({ seconds }: PlanBudget): Finding {
  return unreadable.createFinding('overBudget', { path: ROOT_PATH, data: { limit: seconds, omittedOutput: { budget: 'seconds' } } });
}

/** Reports whether a finding says that planning exceeded its time budget, so that nothing is planned. */
export function isTimeoutFinding(finding: Finding): boolean {
  return unreadable.matches(finding, 'overBudget') && getValueAt(finding.data, 'omittedOutput', 'budget') === 'seconds';
}

/** Approximate size of a number, a boolean or null. */
const SHORT_VALUE_BYTES = 4;

/** Estimates the size of a value as JSON without whitespace, in bytes. Each character of a text counts as one byte. */
export function measureSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return SHORT_VALUE_BYTES;
  let size = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) size += measureSize(value[index]) + 1;
    return size;
  }
  for (const key in value) size += key.length + 4 + measureSize((value as Readonly<Record<string, unknown>>)[key]);
  return size;
}

/** Rollouts of a plan, and its findings that belong to no rollout. */
interface PlanParts {
  readonly rollouts: readonly PlannedRollout[];
  readonly findings: readonly Finding[];
}

/** Returns what an earlier step omitted because of the output budget; undefined for any other finding. */
function readOmission(finding: Finding): OmittedOutput | undefined {
  if (!unreadable.matches(finding, 'overBudget') || isTimeoutFinding(finding)) return undefined;
  return (finding.data as unknown as { readonly omittedOutput: OmittedOutput }).omittedOutput;
}

/**
 * Omits parts that exceed the output budget; findings come first. A large part is omitted individually, so that it does not displace smaller
 * ones. One finding says what this and earlier steps omit.
 *
 * @param measureRollout - returns the size of a rollout in the output. @default - it is written as it is
 */
export function truncateToBudget(
  { rollouts, findings }: PlanParts,
  budget: PlanBudget,
  measureRollout: (rollout: PlannedRollout) => number = measureSize,
): PlanParts {
  const limit = budget['output-megabytes'];
  let remaining = limit * BYTES_PER_MEGABYTE;
  const fits = (size: number) => {
    if (size > remaining) return false;
    remaining -= size;
    return true;
  };
  const omissions = findings.flatMap((finding) => readOmission(finding) ?? []);
  const own = omissions.length === 0 ? findings : findings.filter((finding) => !readOmission(finding));
  const retained = {
    findings: own.filter((finding) => fits(measureSize(finding))),
    rollouts: rollouts.filter((rollout) => fits(measureRollout(rollout))),
  };
  const omittedCounts = {
    rollouts: omissions.reduce((sum, omission) => sum + omission.rollouts, rollouts.length - retained.rollouts.length),
    findings: omissions.reduce((sum, omission) => sum + omission.findings, own.length - retained.findings.length),
  };
  if (omittedCounts.rollouts === 0 && omittedCounts.findings === 0) return retained;
  const retainedRollouts = new Set(retained.rollouts);
  const firstRollout = rollouts.find((rollout) => !retainedRollouts.has(rollout));
  const first = omissions[0]?.first ?? (firstRollout && toDisplayValue(formatReference(firstRollout.resource)));
  const omission: OmittedOutput = { budget: 'output-megabytes', ...omittedCounts, ...(first !== undefined && { first }) };
  return {
    ...retained,
    findings: [...retained.findings, unreadable.createFinding('overBudget', { path: ROOT_PATH, data: { limit, omittedOutput: omission } })],
  };
}

/** Returns a finished plan without what exceeds the output budget. */
export function truncatePlan(plan: PlanDocument, budget: PlanBudget): PlanDocument {
  return withSummary({ ...plan, ...truncateToBudget(plan, budget) });
}

/** Adds findings that belong to no rollout to a finished plan. What exceeds the output budget is omitted. */
export function addFindings(plan: PlanDocument, found: readonly Finding[], budget: PlanBudget): PlanDocument {
  if (found.length === 0) return plan;
  return truncatePlan({ ...plan, findings: [...plan.findings, ...found] }, budget);
}
