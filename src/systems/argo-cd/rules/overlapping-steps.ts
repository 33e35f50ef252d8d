import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize, truncateNames, joinTruncatedNames } from '../../../core/text/text-format';
import type { TruncatedNames } from '../../../core/text/text-format';
import type { Application } from '../applications';
import { isSelected } from '../steps';
import type { Step } from '../steps';
import { rollingSyncBehaviourOf } from '../versions';
import { renderApplicationSet, renderStep } from './examples';

interface OverlapData extends TruncatedNames {
  readonly count: number;
}

interface StuckData extends OverlapData {
  /** The planned version of Argo CD. */
  readonly version: string;
}

/** Reports Applications that more than one step selects. */
export const overlappingSteps = defineRule({
  code: 'argo-cd/overlapping-steps',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires: 'Two steps of a RollingSync select the same Application (an error before Argo CD 3.3).',
  why:
    'The Application syncs in the first of these steps, and the controller only logs a warning. It is also a member of the later step, whose maxUpdate does not apply to it. ' +
    'Up to 3.2 the Application waits until the later step opens, which waits for all earlier steps. The earlier step waits for the Application, so it never syncs.',
  fix: 'Change the matchExpressions so that each Application is selected by one step.',
  example: renderApplicationSet(...renderStep('dev'), '- matchExpressions: []'),
  fixedExample: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  messages: {
    selectedTwice: defineMessage<OverlapData>({
      text: ({ count, ...names }) =>
        `More than one step selects ${pluralize(count, 'Application')}: ${joinTruncatedNames(names)}. ${count === 1 ? 'It syncs in the first of these steps' : 'Each syncs in the first of its steps'}.`,
      help: () => 'Change the matchExpressions so that each Application is selected by one step.',
      sample: { count: 1, names: ['shop-dev'] },
    }),
    stuck: defineMessage<StuckData>({
      text: ({ count, version, ...names }) =>
        `More than one step selects ${pluralize(count, 'Application')}: ${joinTruncatedNames(names)}. In Argo CD ${version} ${count === 1 ? 'it never syncs' : 'they never sync'}: ` +
        `${count === 1 ? 'it' : 'each'} waits for the later step to open, which waits for all earlier steps.`,
      help: () => 'Change the matchExpressions so that each Application is selected by one step.',
      sample: { count: 1, names: ['shop-dev'], version: '3.2' },
    }),
  },
});

export function checkOverlappingSteps(steps: readonly Step[], applications: readonly Application[], version: string): Finding[] {
  const overlapping = applications
    .filter((application) => steps.filter((step) => isSelected(step, application)).length > 1)
    .map(({ name }) => name);
  if (overlapping.length === 0) return [];
  const path = toFieldPath`spec.strategy.rollingSync.steps`;
  const data = { count: overlapping.length, ...truncateNames(overlapping) };
  if (rollingSyncBehaviourOf(version).opensInOrder) return [overlappingSteps.createFinding('selectedTwice', { path, data })];
  return [overlappingSteps.createFinding('stuck', { path, severity: 'error', data: { ...data, version } })];
}
