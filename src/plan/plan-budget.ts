import { ROOT_PATH } from '../core/field-path';
import type { Finding } from '../core/finding';
import { describeObject } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import { unreadable } from '../core/rules/unreadable';
import type { OmittedOutput } from '../core/rules/unreadable';
import { describeValue, toDisplayValue } from '../core/display-value';
import { BUDGET_NAMES, DEFAULT_BUDGET, BYTES_PER_MEGABYTE } from '../input/read-budget';
import type { PlanBudget } from '../input/read-budget';

/**
 * What planning may take.
 *
 * @throws RangeError for a limit that is no number above 0
 */
export function resolvePlanBudget(given: Partial<PlanBudget> = {}): PlanBudget {
  for (const name of BUDGET_NAMES) {
    const limit: unknown = (given as Readonly<Record<string, unknown>>)[name];
    if (limit === undefined || (typeof limit === 'number' && limit > 0)) continue;
    throw new RangeError(`budget.${name} is ${describeValue(limit)}: write a number above 0`);
  }
  return { ...DEFAULT_BUDGET, ...given };
}

/** Says that nothing was ready in time. */
export function createTimeoutFinding({ seconds }: PlanBudget): Finding {
  return unreadable.createFinding('overBudget', { path: ROOT_PATH, data: { limit: seconds, omittedOutput: { budget: 'seconds' } } });
}

/** About as many bytes as a number, a boolean or null takes. */
const SHORT_VALUE_BYTES = 4;

/** About as many bytes as a value takes as JSON without blanks: text is counted by its characters. */
function measureSize(value: unknown): number {
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

function describeRollout({ resource: { apiVersion, kind, namespace, name } }: PlannedRollout): string {
  return describeObject({ apiVersion, kind, metadata: { namespace, name } });
}

/** The rollouts of a plan, and its findings about no rollout. */
interface PlanParts {
  readonly rollouts: readonly PlannedRollout[];
  readonly findings: readonly Finding[];
}

/** What fits into a plan of so many bytes, findings first; what does not is left out by itself, so that one large part hides no other. */
export function truncateToBudget({ rollouts, findings }: PlanParts, budget: PlanBudget): PlanParts {
  const limit = budget['output-megabytes'];
  let left = limit * BYTES_PER_MEGABYTE;
  const fits = (part: object) => {
    const size = measureSize(part);
    if (size > left) return false;
    left -= size;
    return true;
  };
  const kept = { findings: findings.filter(fits), rollouts: rollouts.filter(fits) };
  const omittedCounts = { rollouts: rollouts.length - kept.rollouts.length, findings: findings.length - kept.findings.length };
  if (omittedCounts.rollouts === 0 && omittedCounts.findings === 0) return kept;
  const shown = new Set(kept.rollouts);
  const first = rollouts.find((rollout) => !shown.has(rollout));
  const omission: OmittedOutput = {
    budget: 'output-megabytes',
    ...omittedCounts,
    ...(first && { first: toDisplayValue(describeRollout(first)) }),
  };
  return {
    ...kept,
    findings: [...kept.findings, unreadable.createFinding('overBudget', { path: ROOT_PATH, data: { limit, omittedOutput: omission } })],
  };
}
