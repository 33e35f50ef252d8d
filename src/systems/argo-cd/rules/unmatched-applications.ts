import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { eachLabelOnce, notIn, notInText } from '../../../core/label-rest';
import type { LabelValues } from '../../../core/label-rest';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { counted, firstNames, listedFirst } from '../../../core/words';
import type { FirstNames } from '../../../core/words';
import type { Step } from '../steps';
import { setWith, step } from './examples';

interface UnmatchedData extends FirstNames {
  readonly count: number;
  /** The steps that are written. */
  readonly steps: number;
  /** What selects all that no step does; absent where no list of expressions can say it. */
  readonly rest?: readonly LabelValues[];
}

/** Applications that no step of a RollingSync selects. */
export const unmatchedApplications = rule({
  code: 'argo-cd/unmatched-applications',
  since: '0.1.0',
  severity: 'error',
  fires: 'No step of a RollingSync selects an Application.',
  why:
    'The controller syncs what a step selects, and switches the automated sync of every Application off: those that no step selects are never synced again. ' +
    'They count into the first step all the same, for its maxUpdate.',
  fix: 'Add a step that selects them, such as a last one with the operator NotIn and the values of all before it; one without matchExpressions would select what others do, too.',
  example: setWith(...step('dev')),
  fixed: setWith(...step('dev'), ...step('prod')),
  messages: {
    neverSynced: message<UnmatchedData>({
      text: ({ count, ...names }) =>
        `No step selects ${counted(count, 'Application')}: ${listedFirst(names)}. ` +
        `${count === 1 ? 'It is' : 'They are'} never synced, and ${count === 1 ? 'its' : 'their'} automated sync is switched off.`,
      help: ({ rest }) =>
        rest
          ? `Add a last step for them, with the matchExpressions ${notInText(rest)}: what two steps select belongs to the first alone.`
          : 'Add a step whose matchExpressions select them, and nothing that another step selects.',
      advice: ({ rest, steps }, path) => rest && byChoice(set(at`${path}[${steps}]`, { matchExpressions: notIn(rest) })),
      sample: { count: 1, names: ['shop-prod'], steps: 1, rest: [{ key: 'env', values: ['dev'] }] },
      variants: [{ count: 5, names: ['a', 'b', 'c'], more: 2, steps: 3 }],
    }),
  },
});

/** The complement of steps that each look at one label with In: all of these labels have other values, or are missing. */
function restOf(steps: readonly Step[]): readonly LabelValues[] | undefined {
  const labels = steps.flatMap(({ expressions: [only, ...more] }) => (only?.operator === 'In' && more.length === 0 ? [only] : []));
  return labels.length === steps.length ? eachLabelOnce(labels) : undefined;
}

/** Applications that are never synced, though there are steps. */
export function unmatchedFindings({ unmatchedCount, unmatched = [] }: RollingSyncSimulation, steps: readonly Step[]): Finding[] {
  if (steps.length === 0 || unmatchedCount === 0) return [];
  const rest = restOf(steps);
  const data = { count: unmatchedCount, ...firstNames(unmatched), steps: steps.length, ...(rest && { rest }) };
  return [unmatchedApplications.finding('neverSynced', { path: at`spec.strategy.rollingSync.steps`, data })];
}
