import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { counted, firstNames, listedFirst } from '../../../core/words';
import type { FirstNames } from '../../../core/words';
import type { Application } from '../applications';
import { isSelected } from '../steps';
import type { Step } from '../steps';
import { rollingSyncBehaviour } from '../versions';
import { setWith, step } from './examples';

interface OverlapData extends FirstNames {
  readonly count: number;
}

interface StuckData extends OverlapData {
  /** The version of Argo CD that is planned for. */
  readonly version: string;
}

/** Applications that several steps select. */
export const overlappingSteps = rule({
  code: 'argo-cd/overlapping-steps',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires: 'Two steps of a RollingSync select the same Application: an error before Argo CD 3.3.',
  why:
    'It syncs in the first of them, which the controller only warns of in its log; of the later step it is a part too, and its maxUpdate does not hold for it. ' +
    'Up to 3.2 the later step closes it until all steps before are done, the first of which waits for it: neither ever syncs.',
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
    stuck: message<StuckData>({
      text: ({ count, version, ...names }) =>
        `More than one step selects ${counted(count, 'Application')}: ${listedFirst(names)}. In Argo CD ${version} none of them ever syncs: ` +
        'each waits for the later step to open, which waits for all before it.',
      help: () => 'Let each step select what no other does.',
      sample: { count: 1, names: ['shop-dev'], version: '3.2' },
    }),
  },
});

export function overlapFindings(steps: readonly Step[], applications: readonly Application[], version: string): Finding[] {
  const twice = applications
    .filter((application) => steps.filter((one) => isSelected(one, application)).length > 1)
    .map(({ name }) => name);
  if (twice.length === 0) return [];
  const path = at`spec.strategy.rollingSync.steps`;
  const data = { count: twice.length, ...firstNames(twice) };
  if (rollingSyncBehaviour(version).opensInOrder) return [overlappingSteps.finding('twice', { path, data })];
  return [overlappingSteps.finding('stuck', { path, severity: 'error', data: { ...data, version } })];
}
