import { WHOLE_OBJECT } from '../core/field-path';
import type { Finding } from '../core/finding';
import { describeObject } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import { unreadable } from '../core/rules/unreadable';
import type { LeftOut } from '../core/rules/unreadable';
import { describeValue, seen } from '../core/seen';
import { BUDGETS, DEFAULT_BUDGET, MEGABYTE } from '../input/budget';
import type { PlanBudget } from '../input/budget';

/**
 * What planning may take.
 *
 * @throws RangeError for a limit that is no number above 0
 */
export function budgetOf(given: Partial<PlanBudget> = {}): PlanBudget {
  for (const name of BUDGETS) {
    const limit: unknown = (given as Readonly<Record<string, unknown>>)[name];
    if (limit === undefined || (typeof limit === 'number' && limit > 0)) continue;
    throw new RangeError(`budget.${name} is ${describeValue(limit)}: write a number above 0`);
  }
  return { ...DEFAULT_BUDGET, ...given };
}

/** Says that nothing was ready in time. */
export function outOfTime({ seconds }: PlanBudget): Finding {
  return unreadable.finding('unplanned', { path: WHOLE_OBJECT, data: { limit: seconds, without: { budget: 'seconds' } } });
}

/** About as many bytes as a number, a boolean or null takes. */
const SHORT = 4;

/** About as many bytes as a value takes as JSON without blanks: text is counted by its characters. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return SHORT;
  let size = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) size += sizeOf(value[index]) + 1;
    return size;
  }
  for (const key in value) size += key.length + 4 + sizeOf((value as Readonly<Record<string, unknown>>)[key]);
  return size;
}

function nameOf({ resource: { apiVersion, kind, namespace, name } }: PlannedRollout): string {
  return describeObject({ apiVersion, kind, metadata: { namespace, name } });
}

/** The rollouts of a plan, and its findings about no rollout. */
interface Parts {
  readonly rollouts: readonly PlannedRollout[];
  readonly findings: readonly Finding[];
}

/** What fits into a plan of so many bytes, findings first; what does not is left out by itself, so that one large part hides no other. */
export function shownWithin({ rollouts, findings }: Parts, budget: PlanBudget): Parts {
  const limit = budget['output-megabytes'];
  let left = limit * MEGABYTE;
  const fits = (part: object) => {
    const size = sizeOf(part);
    if (size > left) return false;
    left -= size;
    return true;
  };
  const kept = { findings: findings.filter(fits), rollouts: rollouts.filter(fits) };
  const without = { rollouts: rollouts.length - kept.rollouts.length, findings: findings.length - kept.findings.length };
  if (without.rollouts === 0 && without.findings === 0) return kept;
  const shown = new Set(kept.rollouts);
  const first = rollouts.find((rollout) => !shown.has(rollout));
  const leftOut: LeftOut = { budget: 'output-megabytes', ...without, ...(first && { first: seen(nameOf(first)) }) };
  return {
    ...kept,
    findings: [...kept.findings, unreadable.finding('unplanned', { path: WHOLE_OBJECT, data: { limit, without: leftOut } })],
  };
}
