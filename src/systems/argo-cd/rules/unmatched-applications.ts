import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { mergeLabelValues, buildNotInRequirements, formatNotIn } from '../../../core/values/complement-labels';
import type { LabelValues } from '../../../core/values/complement-labels';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { pluralize, truncateNames, joinTruncatedNames } from '../../../core/text/text-format';
import type { TruncatedNames } from '../../../core/text/text-format';
import type { Step } from '../steps';
import { renderApplicationSet, renderStep } from './examples';

interface UnmatchedData extends TruncatedNames {
  readonly count: number;
  /** The number of steps in the ApplicationSet. */
  readonly steps: number;
  /** The labels that select every Application that no step selects. Unset if no list of expressions can describe them. */
  readonly unmatchedLabels?: readonly LabelValues[];
}

/** Reports Applications that no step of a RollingSync selects. */
export const unmatchedApplications = defineRule({
  code: 'argo-cd/unmatched-applications',
  since: '0.1.0',
  severity: 'error',
  fires: 'No step of a RollingSync selects an Application.',
  why:
    'The controller disables the automated sync of every Application and syncs only what a step selects: an Application that no step selects is never synced again. ' +
    'It still counts toward the first step when a percentage in maxUpdate is computed.',
  fix: 'Add a step that selects them, such as a last step with the operator NotIn and the values of all earlier steps. A step without matchExpressions would also select the Applications of other steps.',
  example: renderApplicationSet(...renderStep('dev')),
  fixedExample: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  messages: {
    neverSynced: defineMessage<UnmatchedData>({
      text: ({ count, ...names }) =>
        `No step selects ${pluralize(count, 'Application')}${names.names.length > 0 ? `: ${joinTruncatedNames(names)}` : ''}. ` +
        `${count === 1 ? 'It is' : 'They are'} never synced, and ${count === 1 ? 'its' : 'their'} automated sync is disabled.`,
      help: ({ unmatchedLabels }) =>
        unmatchedLabels
          ? `Add a last step with the matchExpressions ${formatNotIn(unmatchedLabels)}: an Application that two steps select belongs only to the first.`
          : 'Add a step whose matchExpressions select only these Applications.',
      suggestedFix: ({ unmatchedLabels, steps }, path) =>
        unmatchedLabels &&
        suggestManualFix(setField(toFieldPath`${path}[${steps}]`, { matchExpressions: buildNotInRequirements(unmatchedLabels) })),
      sample: { count: 1, names: ['shop-prod'], steps: 1, unmatchedLabels: [{ key: 'env', values: ['dev'] }] },
      variants: [
        { count: 5, names: ['a', 'b', 'c'], omitted: 2, steps: 3 },
        // Plans of many Applications list no names.
        { count: 3_200, names: [], steps: 3 },
      ],
    }),
  },
});

/**
 * Returns the labels of every Application that no step selects, if each step checks one label with In: all of these labels are missing or
 * have other values.
 */
function computeUnmatchedLabels(steps: readonly Step[]): readonly LabelValues[] | undefined {
  const labels = steps.flatMap(({ expressions: [only, ...more] }) => (only?.operator === 'In' && more.length === 0 ? [only] : []));
  return labels.length === steps.length ? mergeLabelValues(labels) : undefined;
}

/** Reports Applications that are never synced although there are steps. */
export function checkUnmatchedApplications({ unmatchedCount, unmatched = [] }: RollingSyncSimulation, steps: readonly Step[]): Finding[] {
  if (steps.length === 0 || unmatchedCount === 0) return [];
  const unmatchedLabels = computeUnmatchedLabels(steps);
  const data = { count: unmatchedCount, ...truncateNames(unmatched), steps: steps.length, ...(unmatchedLabels && { unmatchedLabels }) };
  return [unmatchedApplications.createFinding('neverSynced', { path: toFieldPath`spec.strategy.rollingSync.steps`, data })];
}
