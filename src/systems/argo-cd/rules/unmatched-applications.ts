import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { mergeLabelValues, buildNotInRequirements, formatNotIn } from '../../../core/complement-labels';
import type { LabelValues } from '../../../core/complement-labels';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { pluralize, truncateNames, joinTruncatedNames } from '../../../core/text-format';
import type { TruncatedNames } from '../../../core/text-format';
import type { Step } from '../steps';
import { renderApplicationSet, renderStep } from './examples';

interface UnmatchedData extends TruncatedNames {
  readonly count: number;
  /** The steps that are written. */
  readonly steps: number;
  /** What selects all that no step does; absent where no list of expressions can say it. */
  readonly unmatchedLabels?: readonly LabelValues[];
}

/** Applications that no step of a RollingSync selects. */
export const unmatchedApplications = defineRule({
  code: 'argo-cd/unmatched-applications',
  since: '0.1.0',
  severity: 'error',
  fires: 'No step of a RollingSync selects an Application.',
  why:
    'The controller syncs what a step selects, and switches the automated sync of every Application off: those that no step selects are never synced again. ' +
    'They count into the first step all the same, for its maxUpdate.',
  fix: 'Add a step that selects them, such as a last one with the operator NotIn and the values of all before it; one without matchExpressions would select what others do, too.',
  example: renderApplicationSet(...renderStep('dev')),
  fixedExample: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  messages: {
    neverSynced: defineMessage<UnmatchedData>({
      text: ({ count, ...names }) =>
        `No step selects ${pluralize(count, 'Application')}: ${joinTruncatedNames(names)}. ` +
        `${count === 1 ? 'It is' : 'They are'} never synced, and ${count === 1 ? 'its' : 'their'} automated sync is switched off.`,
      help: ({ unmatchedLabels }) =>
        unmatchedLabels
          ? `Add a last step for them, with the matchExpressions ${formatNotIn(unmatchedLabels)}: what two steps select belongs to the first alone.`
          : 'Add a step whose matchExpressions select them, and nothing that another step selects.',
      suggestedFix: ({ unmatchedLabels, steps }, path) =>
        unmatchedLabels &&
        suggestManualFix(setField(toFieldPath`${path}[${steps}]`, { matchExpressions: buildNotInRequirements(unmatchedLabels) })),
      sample: { count: 1, names: ['shop-prod'], steps: 1, unmatchedLabels: [{ key: 'env', values: ['dev'] }] },
      variants: [{ count: 5, names: ['a', 'b', 'c'], omitted: 2, steps: 3 }],
    }),
  },
});

/** The complement of steps that each look at one label with In: all of these labels have other values, or are missing. */
function computeUnmatchedLabels(steps: readonly Step[]): readonly LabelValues[] | undefined {
  const labels = steps.flatMap(({ expressions: [only, ...more] }) => (only?.operator === 'In' && more.length === 0 ? [only] : []));
  return labels.length === steps.length ? mergeLabelValues(labels) : undefined;
}

/** Applications that are never synced, though there are steps. */
export function checkUnmatchedApplications({ unmatchedCount, unmatched = [] }: RollingSyncSimulation, steps: readonly Step[]): Finding[] {
  if (steps.length === 0 || unmatchedCount === 0) return [];
  const unmatchedLabels = computeUnmatchedLabels(steps);
  const data = { count: unmatchedCount, ...truncateNames(unmatched), steps: steps.length, ...(unmatchedLabels && { unmatchedLabels }) };
  return [unmatchedApplications.createFinding('neverSynced', { path: toFieldPath`spec.strategy.rollingSync.steps`, data })];
}
