import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { counted, firstNames, listedFirst } from '../../../core/words';
import type { FirstNames } from '../../../core/words';
import { setWith, step } from './examples';

interface UnmatchedData extends FirstNames {
  readonly count: number;
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
  fix: 'Add a step that selects them; one without matchExpressions selects all.',
  example: setWith(...step('dev')),
  fixed: setWith(...step('dev'), ...step('prod')),
  messages: {
    neverSynced: message<UnmatchedData>({
      text: ({ count, ...names }) =>
        `No step selects ${counted(count, 'Application')}: ${listedFirst(names)}. ` +
        `${count === 1 ? 'It is' : 'They are'} never synced, and ${count === 1 ? 'its' : 'their'} automated sync is switched off.`,
      help: () => 'Add a step whose matchExpressions select them; a last step without any selects all.',
      sample: { count: 1, names: ['shop-prod'] },
      variants: [{ count: 5, names: ['a', 'b', 'c'], more: 2 }],
    }),
  },
});

/** Applications that are never synced, though there are steps. */
export function unmatchedFindings({ steps, unmatchedCount, unmatched = [] }: RollingSyncSimulation): Finding[] {
  if (steps.length === 0 || unmatchedCount === 0) return [];
  const data = { count: unmatchedCount, ...firstNames(unmatched) };
  return [unmatchedApplications.finding('neverSynced', { path: at`spec.strategy.rollingSync.steps`, data })];
}
