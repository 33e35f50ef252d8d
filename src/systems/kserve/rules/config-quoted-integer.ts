import { suggestManualFix, suggestAutomaticFix, setField } from '../../../core/suggested-fix';
import { appendToPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { defineMessage, defineRule } from '../../../core/finding';
import { isInt32 } from '../../../core/int-or-percent';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import { LIMITS, suggestPercentage, pickQuotedLimits, getConfiguredLimits } from '../platform-limits';
import type { Limit, Percentage } from '../platform-limits';
import type { PlatformConfig } from '../types';
import { renderRolloutDefaults, renderInferenceService, joinExampleDocuments } from './examples';

interface QuotedData {
  readonly limit: Limit;
  /** The digits between the quotes. */
  readonly value: DisplayValue;
  /** What to write in its place: nothing else for 0, a share to choose for any other number. */
  readonly percentage: Percentage;
}

/** What to write in the ConfigMap, or in each service where the number is one that can be meant. */
function suggestValue({ limit, value, percentage }: QuotedData): string {
  const pods = typeof value === 'string' ? Number(value) : undefined;
  if (percentage === '0%') return 'Write "0%".';
  if (pods === 0) return 'Write a percentage above 0 such as "25%": the API server refuses both limits at 0.';
  if (!isInt32(pods) || pods < 0) return 'Write a percentage such as "25%".';
  return `Write a percentage such as "25%", or ${limit}: ${pods} in the deploymentStrategy of each service.`;
}

/** A number in quotes in the rollout defaults, which becomes a Deployment that the API server refuses. */
export const configQuotedInteger = defineRule({
  code: 'kserve/config-quoted-integer',
  since: '0.1.0',
  severity: 'error',
  fires: 'The ConfigMap gives maxSurge or maxUnavailable as a number in quotes: `"1"`.',
  why:
    'KServe copies the string into the Deployment of every service without a strategy of its own, ' +
    'and the API server takes no string but a percentage: those Deployments are refused when they are created and at every update. ' +
    'The guide prints exactly these values.',
  fix: 'Write a percentage. A fixed number of pods cannot be written in the ConfigMap: give it in the deploymentStrategy of each service.',
  example: joinExampleDocuments(renderRolloutDefaults('{"maxSurge": "1", "maxUnavailable": "1"}'), renderInferenceService({})),
  fixedExample: joinExampleDocuments(renderRolloutDefaults('{"maxSurge": "25%", "maxUnavailable": "25%"}'), renderInferenceService({})),
  messages: {
    quoted: defineMessage<QuotedData>({
      text: ({ limit, value }) =>
        `${limit} is ${formatDisplayValue(value)}, a number in quotes: KServe copies it into the Deployment of every service without a strategy of its own, ` +
        'and the API server refuses those.',
      help: suggestValue,
      suggestedFix: ({ percentage }, path) => (percentage === '0%' ? suggestAutomaticFix : suggestManualFix)(setField(path, percentage)),
      sample: { limit: 'maxSurge', value: '1', percentage: '25%' },
      variants: [
        { limit: 'maxUnavailable', value: '0', percentage: '0%' },
        { limit: 'maxUnavailable', value: '0', percentage: '25%' },
      ],
    }),
  },
});

/** Numbers in quotes among rollout defaults that KServe applies. `path` is that of the defaults. */
export function checkConfigQuotedInteger({ defaultDeploymentMode, defaultRollout }: PlatformConfig, path: FieldPath): Finding[] {
  if (defaultDeploymentMode !== 'Standard') return [];
  const limits = getConfiguredLimits(defaultRollout);
  const quoted = pickQuotedLimits(limits);
  return LIMITS.filter((limit) => quoted[limit] !== undefined).map((limit) => {
    const data = { limit, value: toDisplayValue(String(quoted[limit])), percentage: suggestPercentage(limit, limits) };
    return configQuotedInteger.createFinding('quoted', { path: appendToPath(path, limit), data });
  });
}
