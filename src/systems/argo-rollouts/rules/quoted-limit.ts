import { toFieldPath, appendToPath } from '../../../core/manifest/field-path';
import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isDigitString } from '../../../core/values/int-or-percent';
import { getFieldsAt } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { pluralize } from '../../../core/text/text-format';
import { parseLimitNumber } from '../strategy';
import type { CanaryStrategy } from '../strategy';
import { renderArgoRollout } from './examples';

interface QuotedData {
  readonly field: string;
  readonly value: string;
  readonly replicas: number;
  /** The number of pods that the percentage rounds to. */
  readonly pods: number;
}

interface NotANumberData {
  readonly field: string;
  readonly value: DisplayValue;
}

/** Reports a quoted limit without a percent sign, which the controller reads as a percentage. */
export const quotedLimit = defineRule({
  code: 'argo-rollouts/quoted-limit',
  since: '0.1.0',
  severity: 'warning',
  fires: 'maxSurge or maxUnavailable of a canary is a quoted number, or a string that the controller cannot parse as a number.',
  why:
    'Argo Rollouts reads every string as a percentage, with or without a percent sign: `maxSurge: "5"` is 5%, and `maxUnavailable: "1"` is 1% of 10 pods, rounded down to 0. ' +
    'The API server refuses such a value in a Deployment. In a Rollout, both the API server and the controller accept it.',
  fix: 'Write the number without quotes, or with a percent sign.',
  example: renderArgoRollout('canary:\n  maxSurge: "2"\n  maxUnavailable: 0'),
  fixedExample: renderArgoRollout('canary:\n  maxSurge: 2\n  maxUnavailable: 0'),
  messages: {
    percentage: defineMessage<QuotedData>({
      text: ({ field, value, replicas, pods }) =>
        `${field} is the quoted number "${value}", which Argo Rollouts reads as ${value}%: ${pluralize(pods, 'pod')} of ${replicas}.`,
      help: ({ value }) => `Write ${value} without quotes for a number of pods, or "${value}%" for a percentage.`,
      suggestedFix: ({ value }, path) => suggestManualFix(setField(path, `${value}%`)),
      sample: { field: 'maxSurge', value: '2', replicas: 4, pods: 1 },
    }),
    notANumber: defineMessage<NotANumberData>({
      text: ({ field, value }) =>
        `${field} is ${formatDisplayValue(value)}, which Argo Rollouts cannot parse as a number: it uses 0 for both maxSurge and maxUnavailable, and no pod is replaced.`,
      help: () => 'Write a whole number without quotes, or a percentage such as "25%".',
      sample: { field: 'maxSurge', value: 'a quarter' },
    }),
  },
});

/** Reports quoted limits of a canary, with the number of pods that they round to. */
export function checkQuotedLimit(rollout: Manifest, canary: CanaryStrategy, replicas: number): Finding[] {
  const written = getFieldsAt(rollout, 'spec', 'strategy', 'canary');
  return (['maxSurge', 'maxUnavailable'] as const).flatMap((field) => {
    const value = written[field];
    if (typeof value !== 'string' || canary.isRouted) return [];
    const path = appendToPath(toFieldPath`spec.strategy.canary`, field);
    if (parseLimitNumber(value) === undefined)
      return [quotedLimit.createFinding('notANumber', { path, data: { field, value: toDisplayValue(value) } })];
    if (!isDigitString(value)) return [];
    const share = (Number(value) * replicas) / 100;
    const pods = field === 'maxSurge' ? Math.ceil(share) : Math.floor(share);
    return [quotedLimit.createFinding('percentage', { path, data: { field, value, replicas, pods } })];
  });
}
