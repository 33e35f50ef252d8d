import { suggestManualFix, suggestAutomaticFix, setField } from '../../../core/findings/suggested-fix';
import { appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { LIMITS, suggestPercentage, pickQuotedLimits, getConfiguredLimits } from '../platform-limits';
import type { Limit, Percentage } from '../platform-limits';
import type { PlatformConfig } from '../types';
import { renderRolloutDefaults, renderInferenceService, joinExampleDocuments } from './examples';

interface QuotedData {
  readonly limit: Limit;
  /** The digits between the quotes. */
  readonly value: DisplayValue;
  /** The percentage to write instead: "0%" if 0 can be meant, otherwise an example. */
  readonly percentage: Percentage;
}

/** Suggests a percentage for the ConfigMap, or a number for each service if the number is a valid pod count. */
function suggestValue({ limit, value, percentage }: QuotedData): string {
  const pods = typeof value === 'string' ? Number(value) : undefined;
  if (percentage === '0%') return 'Write "0%".';
  if (pods === 0) return 'Write a percentage above 0 such as "25%": the API server refuses both limits at 0.';
  if (!isInt32(pods) || pods < 0) return 'Write a percentage such as "25%".';
  return `Write a percentage such as "25%", or ${limit}: ${pods} in the deploymentStrategy of each service.`;
}

/** Reports a quoted number in the rollout defaults, which leads to a Deployment that the API server refuses. */
export const configQuotedInteger = defineRule({
  code: 'kserve/config-quoted-integer',
  since: '0.1.0',
  severity: 'error',
  fires: 'The ConfigMap sets maxSurge or maxUnavailable to a quoted number: `"1"`.',
  why:
    'KServe copies the string into the Deployment of every service without its own strategy, ' +
    'but the API server accepts no string except a percentage: those Deployments are refused when they are created and at every update. ' +
    'The guide shows exactly these values.',
  fix: 'Write a percentage. The ConfigMap does not support a fixed number of pods: write it in the deploymentStrategy of each service.',
  example: joinExampleDocuments(renderRolloutDefaults('{"maxSurge": "1", "maxUnavailable": "1"}'), renderInferenceService({})),
  fixedExample: joinExampleDocuments(renderRolloutDefaults('{"maxSurge": "25%", "maxUnavailable": "25%"}'), renderInferenceService({})),
  messages: {
    quoted: defineMessage<QuotedData>({
      text: ({ limit, value }) =>
        `${limit} is the quoted number ${formatDisplayValue(value)}: KServe copies it into the Deployment of every service without its own strategy, ` +
        'and the API server refuses these Deployments.',
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

/** Reports quoted numbers in rollout defaults that KServe applies. `path` is the path of the defaults. */
export function checkConfigQuotedInteger({ defaultDeploymentMode, defaultRollout }: PlatformConfig, path: FieldPath): Finding[] {
  if (defaultDeploymentMode !== 'Standard') return [];
  const limits = getConfiguredLimits(defaultRollout);
  const quoted = pickQuotedLimits(limits);
  return LIMITS.filter((limit) => quoted[limit] !== undefined).map((limit) => {
    const data = { limit, value: toDisplayValue(String(quoted[limit])), percentage: suggestPercentage(limit, limits) };
    return configQuotedInteger.createFinding('quoted', { path: appendToPath(path, limit), data });
  });
}
