import { PREFERENCES } from '../core/document/advice';
import type { Preference, RolloutGoal } from '../core/document/advice';
import { formatDisplayValue, toDisplayValue } from '../core/text/display-value';
import { parseGoDuration } from '../core/values/go-duration';
import { isInt32, isIntOrPercent, scaleRoundedDown, scaleRoundedUp } from '../core/values/int-or-percent';
import type { IntOrPercent } from '../core/values/int-or-percent';
import { isFields } from '../core/manifest/manifest';
import { findClosestName } from '../core/errors/did-you-mean';
import { joinWords } from '../core/text/text-format';

/** Error about a goal that cannot be read. */
export class GoalError extends Error {
  override readonly name = 'GoalError';

  /** @param field - field of the goal: `within` */
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Reports whether an intent states a goal, which has to be resolved for its object. */
export function isGoal<Intent>(intent: Intent): intent is Extract<Intent, { readonly goal: object }> {
  return isFields(intent) && isFields(intent.goal);
}

const NANOS_PER_SECOND = 1_000_000_000n;

/** Parses a duration to seconds: `15m`, `1h30m`, `90s`. Returns undefined for any other text, and for a negative duration. */
export function parseSeconds(text: string): number | undefined {
  const nanos = parseGoDuration(text);
  return nanos === undefined || nanos < 0n ? undefined : Number(nanos) / Number(NANOS_PER_SECOND);
}

function show(value: unknown): string {
  return formatDisplayValue(toDisplayValue(value));
}

function requirePods(field: 'available' | 'extraPods', value: unknown): void {
  const isInRange = isIntOrPercent(value) && (typeof value === 'string' || value >= 0);
  if (value !== undefined && !isInRange) throw new GoalError(field, `${show(value)} is not a number of pods; write 6 or 75%`);
}

/** Fields of a goal for the pods of a rollout. */
const GOAL_FIELDS = ['available', 'extraPods', 'extraGpus', 'within', 'prefer'] as const satisfies readonly (keyof RolloutGoal)[];

/** Throws for a field that a goal does not have, because a misspelt limit would be no limit. @throws GoalError for the first one */
export function requireKnownGoalFields(goal: object, known: readonly string[]): void {
  const unknown = Object.keys(goal).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  const closest = findClosestName(unknown, known);
  throw new GoalError(unknown, `not a limit of this goal; write ${closest ?? joinWords(known, 'or')}`);
}

/**
 * Checks a goal, which may come from JavaScript or a command line.
 *
 * @throws GoalError for a value that is not one of the limit
 */
export function validateGoal(goal: RolloutGoal): RolloutGoal {
  requireKnownGoalFields(goal, GOAL_FIELDS);
  const { available, extraPods, extraGpus, within, prefer } = goal;
  requirePods('available', available);
  requirePods('extraPods', extraPods);
  if (extraGpus !== undefined && !(isInt32(extraGpus) && extraGpus >= 0)) {
    throw new GoalError('extraGpus', `${show(extraGpus)} is not a number of GPUs; write 2`);
  }
  if (within !== undefined && (typeof within !== 'string' || parseSeconds(within) === undefined)) {
    throw new GoalError('within', `${show(within)} is not a duration; write 15m, 1h30m or 90s`);
  }
  if (prefer !== undefined && !PREFERENCES.includes(prefer)) {
    throw new GoalError('prefer', `${show(prefer)} is not supported; write ${joinWords(PREFERENCES, 'or')}`);
  }
  return goal;
}

/** Reports whether a goal asks for anything. A preference alone asks for nothing. */
export function hasLimits({ available, extraPods, extraGpus, within }: RolloutGoal): boolean {
  return [available, extraPods, extraGpus, within].some((limit) => limit !== undefined);
}

/** A goal for a number of replicas. */
export interface ResolvedGoal {
  readonly available: number;
  readonly extraPods: number;
  readonly extraGpus: number;
  readonly seconds: number;
}

function resolvePods(value: IntOrPercent | undefined, scale: (value: IntOrPercent) => number, unset: number): number {
  return value === undefined ? unset : scale(value);
}

/**
 * Resolves a goal to numbers for a number of replicas. A percentage of available pods is rounded up, and one of extra pods down, so that the
 * result is never more than asked for.
 *
 * 75% available of 10 is 8; 25% extra pods of 10 is 2.
 *
 * @param unitPods - pods of each replica, if it is a group
 */
export function resolveGoal({ available, extraPods, extraGpus, within }: RolloutGoal, replicas: number, unitPods = 1): ResolvedGoal {
  return {
    available: resolvePods(available, (value) => scaleRoundedUp(value, replicas), 0),
    extraPods: resolvePods(extraPods, (value) => scaleRoundedDown(value, replicas * unitPods), Infinity),
    extraGpus: extraGpus ?? Infinity,
    seconds: within === undefined ? Infinity : (parseSeconds(within) ?? Infinity),
  };
}

/** Returns what decides among the strategies that meet a goal. */
export function preferenceOf({ prefer = 'fast' }: RolloutGoal): Preference {
  return prefer;
}
