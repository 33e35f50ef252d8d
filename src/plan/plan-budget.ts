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

/** Creates the finding that planning exceeded its time budget. */
export function createTimeoutFinding({ seconds }: PlanBudget): Finding {
  return unreadable.createFinding('overBudget', { path: ROOT_PATH, data: { limit: seconds, omittedOutput: { budget: 'seconds' } } });
}

/** Approximate size of a number, a boolean or null. */
const SHORT_VALUE_BYTES = 4;

/** Estimates the size of a value as JSON without whitespace, in bytes. Each character of a text counts as one byte. */
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

/** Rollouts of a plan, and its findings that belong to no rollout. */
interface PlanParts {
  readonly rollouts: readonly PlannedRollout[];
  readonly findings: readonly Finding[];
}

/** Omits parts that exceed the output budget; findings come first. A large part is omitted individually, so that it does not displace smaller ones. */
export function truncateToBudget({ rollouts, findings }: PlanParts, budget: PlanBudget): PlanParts {
  const limit = budget['output-megabytes'];
  let remaining = limit * BYTES_PER_MEGABYTE;
  const fits = (part: object) => {
    const size = measureSize(part);
    if (size > remaining) return false;
    remaining -= size;
    return true;
  };
  const retained = { findings: findings.filter(fits), rollouts: rollouts.filter(fits) };
  const omittedCounts = { rollouts: rollouts.length - retained.rollouts.length, findings: findings.length - retained.findings.length };
  if (omittedCounts.rollouts === 0 && omittedCounts.findings === 0) return retained;
  const retainedRollouts = new Set(retained.rollouts);
  const first = rollouts.find((rollout) => !retainedRollouts.has(rollout));
  const omission: OmittedOutput = {
    budget: 'output-megabytes',
    ...omittedCounts,
    ...(first && { first: toDisplayValue(describeRollout(first)) }),
  };
  return {
    ...retained,
    findings: [...retained.findings, unreadable.createFinding('overBudget', { path: ROOT_PATH, data: { limit, omittedOutput: omission } })],
  };
}
