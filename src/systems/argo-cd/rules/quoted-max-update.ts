import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isPercentString } from '../../../core/int-or-percent';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { Step } from '../steps';
import { setWith, step } from './examples';

interface QuotedData {
  readonly step: number;
  readonly value: Seen;
}

/** A maxUpdate that the controller can't read. */
export const quotedMaxUpdate = rule({
  code: 'argo-cd/quoted-max-update',
  since: '0.1.0',
  severity: 'warning',
  fires: 'maxUpdate of a step is a text that is not a percentage, such as a number in quotes.',
  why: 'The conversion fails, and the log says that maxUpdate is ignored. It is not: what the controller then goes by is 1, so the Applications of the step sync one at a time.',
  fix: 'Write the number without quotes, or a percentage such as "25%".',
  example: setWith(...step('dev', 'maxUpdate: "5"'), ...step('prod')),
  fixed: setWith(...step('dev', 'maxUpdate: 5'), ...step('prod')),
  messages: {
    one: message<QuotedData>({
      text: ({ step: number, value }) =>
        `maxUpdate of step ${number} is ${show(value)}, which Argo CD can't read: it takes 1, so its Applications sync one at a time.`,
      help: () => 'Write a number without quotes, or a percentage such as "25%".',
      advice: ({ value }, path) =>
        typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? byChoice(set(path, Number(value))) : undefined,
      sample: { step: 1, value: '5' },
    }),
  },
});

/** Steps whose maxUpdate comes to 1 for want of a number. */
export function quotedMaxUpdateFindings(steps: readonly Step[]): Finding[] {
  return steps.flatMap(({ maxUpdate: value }, index) => {
    if (typeof value !== 'string' || isPercentString(value)) return [];
    return [
      quotedMaxUpdate.finding('one', {
        path: at`spec.strategy.rollingSync.steps[${index}].maxUpdate`,
        data: { step: index + 1, value: seen(value) },
      }),
    ];
  });
}
