import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isPercentString } from '../../../core/values/int-or-percent';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { Step } from '../steps';
import { renderApplicationSet, renderStep } from './examples';

interface QuotedData {
  readonly step: number;
  readonly value: DisplayValue;
}

/** Reports a maxUpdate that the controller cannot parse. */
export const quotedMaxUpdate = defineRule({
  code: 'argo-cd/quoted-max-update',
  since: '0.1.0',
  severity: 'warning',
  fires: 'maxUpdate of a step is a string that is not a percentage, such as a quoted number.',
  why: 'The conversion fails, and the log says that maxUpdate is ignored. It is not: the controller then uses 1, so the Applications of the step sync one at a time.',
  fix: 'Write the number without quotes, or a percentage such as "25%".',
  example: renderApplicationSet(...renderStep('dev', 'maxUpdate: "5"'), ...renderStep('prod')),
  fixedExample: renderApplicationSet(...renderStep('dev', 'maxUpdate: 5'), ...renderStep('prod')),
  messages: {
    readAsOne: defineMessage<QuotedData>({
      text: ({ step: number, value }) =>
        `maxUpdate of step ${number} is ${formatDisplayValue(value)}, which Argo CD cannot parse: it uses 1, so the Applications of the step sync one at a time.`,
      help: () => 'Write a number without quotes, or a percentage such as "25%".',
      suggestedFix: ({ value }, path) =>
        typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? suggestManualFix(setField(path, Number(value))) : undefined,
      sample: { step: 1, value: '5' },
    }),
  },
});

/** Reports steps whose maxUpdate is 1 because it is not a number. */
export function checkQuotedMaxUpdate(steps: readonly Step[]): Finding[] {
  return steps.flatMap(({ maxUpdate: value }, index) => {
    if (typeof value !== 'string' || isPercentString(value)) return [];
    return [
      quotedMaxUpdate.createFinding('readAsOne', {
        path: toFieldPath`spec.strategy.rollingSync.steps[${index}].maxUpdate`,
        data: { step: index + 1, value: toDisplayValue(value) },
      }),
    ];
  });
}
