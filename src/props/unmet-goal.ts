import { GoalError } from '../advise/goal';
import type { UnmetLimit } from '../core/document/advice';
import { formatUnmetLimit } from '../core/document/goal-text';
import { IntentError } from '../core/errors/intent-error';
import { capitalize } from '../core/text/text-format';

/** A goal that nothing meets. */
export interface UnmetGoal {
  /** Prop of the goal: `predictor.rollout.goal`. */
  readonly prop: string;
  /** What was tried: `strategy`. */
  readonly tried: string;
  /** The goal: `6 available, within 15m`. */
  readonly goal: string;
  /** What it is for: `8 replicas`. */
  readonly subject: string;
  /** Limits in the way. */
  readonly unmet: readonly UnmetLimit[];
}

/** Creates the error about a goal that nothing meets: the limits in the way, and the closest possible values. */
export function createUnmetGoalError({ prop, tried, goal, subject, unmet }: UnmetGoal): IntentError {
  const reasons = [...new Set(unmet.flatMap(({ because }) => because ?? []))];
  const sentences = [
    `No ${tried} meets the goal of ${goal} for ${subject}.`,
    `${capitalize(unmet.map(formatUnmetLimit).join('; '))}.`,
    ...reasons,
    'Ask for less, or change what is in the way',
  ];
  return new IntentError(`${prop}: ${sentences.join(' ')}`);
}

/**
 * Runs the resolution of a goal. Errors about its limits name the prop.
 *
 * @param prop - of the goal: `predictor.rollout.goal`
 * @throws IntentError for a goal that cannot be read or planned
 */
export function runGoalResolution<T>(prop: string, resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof GoalError) throw new IntentError(`${prop}.${error.field}: ${error.message}`);
    if (error instanceof RangeError) throw new IntentError(`${prop}: ${error.message}`);
    throw error;
  }
}
