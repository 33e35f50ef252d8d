import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { counted, firstNames, listedFirst } from '../../../core/words';
import type { FirstNames } from '../../../core/words';
import type { Application } from '../applications';
import { isSelected } from '../steps';
import type { Step } from '../steps';
import { setWith, step } from './examples';

interface OverlapData extends FirstNames {
  readonly count: number;
}

/** Applications that several steps select. */
export const overlappingSteps = rule({
  code: 'argo-cd/overlapping-steps',
  since: '0.1.0',
  severity: 'warning',
  fires: 'Two steps of a RollingSync select the same Application.',
  why: 'It syncs in the first of them, which the controller only warns of in its log; of the later step it is a part too, and its maxUpdate does not hold for it.',
  fix: 'Let each step select what no other does.',
  example: setWith(...step('dev'), '- matchExpressions: []'),
  fixed: setWith(...step('dev'), ...step('prod')),
  messages: {
    twice: message<OverlapData>({
      text: ({ count, ...names }) =>
        `More than one step selects ${counted(count, 'Application')}: ${listedFirst(names)}. The first decides.`,
      help: () => 'Let each step select what no other does.',
      sample: { count: 1, names: ['shop-dev'] },
    }),
  },
});

export function overlapFindings(steps: readonly Step[], applications: readonly Application[]): Finding[] {
  const twice = applications
    .filter((application) => steps.filter((one) => isSelected(one, application)).length > 1)
    .map(({ name }) => name);
  if (twice.length === 0) return [];
  return [
    overlappingSteps.finding('twice', { path: at`spec.strategy.rollingSync.steps`, data: { count: twice.length, ...firstNames(twice) } }),
  ];
}
