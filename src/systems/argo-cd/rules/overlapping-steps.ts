import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { pluralize, truncateNames, joinTruncatedNames } from '../../../core/text-format';
import type { TruncatedNames } from '../../../core/text-format';
import type { Application } from '../applications';
import { isSelected } from '../steps';
import type { Step } from '../steps';
import { rollingSyncBehaviourOf } from '../versions';
import { renderApplicationSet, renderStep } from './examples';

interface OverlapData extends TruncatedNames {
  readonly count: number;
}

interface StuckData extends OverlapData {
  /** The version of Argo CD that is planned for. */
  readonly version: string;
}

/** Applications that several steps select. */
export const overlappingSteps = defineRule({
  code: 'argo-cd/overlapping-steps',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires: 'Two steps of a RollingSync select the same Application: an error before Argo CD 3.3.',
  why:
    'It syncs in the first of them, which the controller only warns of in its log; of the later step it is a part too, and its maxUpdate does not hold for it. ' +
    'Up to 3.2 the later step closes it until all steps before are done, the first of which waits for it: neither ever syncs.',
  fix: 'Let each step select what no other does.',
  example: renderApplicationSet(...renderStep('dev'), '- matchExpressions: []'),
  fixedExample: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  messages: {
    selectedTwice: defineMessage<OverlapData>({
      text: ({ count, ...names }) =>
        `More than one step selects ${pluralize(count, 'Application')}: ${joinTruncatedNames(names)}. The first decides.`,
      help: () => 'Let each step select what no other does.',
      sample: { count: 1, names: ['shop-dev'] },
    }),
    stuck: defineMessage<StuckData>({
      text: ({ count, version, ...names }) =>
        `More than one step selects ${pluralize(count, 'Application')}: ${joinTruncatedNames(names)}. In Argo CD ${version} none of them ever syncs: ` +
        'each waits for the later step to open, which waits for all before it.',
      help: () => 'Let each step select what no other does.',
      sample: { count: 1, names: ['shop-dev'], version: '3.2' },
    }),
  },
});

export function checkOverlappingSteps(steps: readonly Step[], applications: readonly Application[], version: string): Finding[] {
  const twice = applications
    .filter((application) => steps.filter((one) => isSelected(one, application)).length > 1)
    .map(({ name }) => name);
  if (twice.length === 0) return [];
  const path = toFieldPath`spec.strategy.rollingSync.steps`;
  const data = { count: twice.length, ...truncateNames(twice) };
  if (rollingSyncBehaviourOf(version).opensInOrder) return [overlappingSteps.createFinding('selectedTwice', { path, data })];
  return [overlappingSteps.createFinding('stuck', { path, severity: 'error', data: { ...data, version } })];
}
