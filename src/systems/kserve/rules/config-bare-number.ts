import { suggestManualFix, suggestAutomaticFix, setField } from '../../../core/findings/suggested-fix';
import { appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { GoTypeError } from '../go-json';
import { LIMITS, suggestPercentage } from '../platform-limits';
import type { Limit, PlatformLimits, Percentage } from '../platform-limits';
import { PARSE_ERROR_PREFIX, formatConfigurationError } from './configuration-error';
import { renderRolloutDefaults, renderInferenceService, joinExampleDocuments } from './examples';

interface NumberData {
  readonly limit: Limit;
  readonly value: DisplayValue;
}

interface ParserData extends NumberData {
  /** The percentage to write instead: "0%" if 0 can be meant, otherwise an example. */
  readonly percentage: Percentage;
  /** The error of Go's encoding/json. */
  readonly error: string;
}

/** Reports a number in the rollout defaults, which KServe's parser refuses. */
export const configBareNumber = defineRule({
  code: 'kserve/config-bare-number',
  since: '0.1.0',
  severity: 'error',
  fires: 'The ConfigMap sets maxSurge or maxUnavailable to a number: `1`.',
  why:
    'Both are strings in Go, so the entire `deploy` key fails to parse: every write ' +
    'and every reconcile of every InferenceService of the cluster fails until it is fixed. Source: ' +
    'KServe 0.16 to 0.20, pkg/apis/serving/v1beta1/configmap.go, `NewDeployConfig`.',
  fix: 'Write a percentage in quotes; write zero as "0%".',
  example: joinExampleDocuments(renderRolloutDefaults('{"maxSurge": 1, "maxUnavailable": 0}'), renderInferenceService({})),
  fixedExample: joinExampleDocuments(renderRolloutDefaults('{"maxSurge": "25%", "maxUnavailable": "0%"}'), renderInferenceService({})),
  messages: {
    unparsed: defineMessage<ParserData>({
      text: ({ error }) => formatConfigurationError(`${PARSE_ERROR_PREFIX}: ${error}`),
      help: ({ limit, value, percentage }) =>
        `${limit} is ${formatDisplayValue(value)}: write a percentage in quotes, such as "${percentage}". A fixed number of pods is not supported here` +
        (value === 0 && percentage !== '0%' ? ', and the API server refuses both limits at 0.' : '.'),
      suggestedFix: ({ percentage }, path) => (percentage === '0%' ? suggestAutomaticFix : suggestManualFix)(setField(path, percentage)),
      sample: {
        limit: 'maxSurge',
        value: 1,
        percentage: '25%',
        error:
          'json: cannot unmarshal number into Go struct field RolloutSpec.deploymentRolloutStrategy.defaultRollout.maxSurge of type string',
      },
      variants: [
        {
          limit: 'maxUnavailable',
          value: 0,
          percentage: '0%',
          error:
            'json: cannot unmarshal number into Go struct field RolloutSpec.deploymentRolloutStrategy.defaultRollout.maxUnavailable of type string',
        },
        {
          limit: 'maxUnavailable',
          value: 0,
          percentage: '25%',
          error:
            'json: cannot unmarshal number into Go struct field RolloutSpec.deploymentRolloutStrategy.defaultRollout.maxUnavailable of type string',
        },
      ],
    }),
    inherited: defineMessage<NumberData>({
      text: ({ limit, value }) =>
        `inheritPlatformDefaults leaves ${limit} to the cluster's ConfigMap, which does not support the number ${formatDisplayValue(value)}: ` +
        'KServe reads only percentages.',
      help: () => 'Write a percentage such as "25%", or omit inheritPlatformDefaults to write the number into the service.',
      sample: { limit: 'maxSurge', value: 1 },
    }),
  },
});

/** Reports numbers where KServe's parser expects strings. `path` is the path of the value; `limits` are both limits as in the JSON. */
export function checkConfigBareNumber(
  { path: parts, value, reason }: GoTypeError,
  path: FieldPath,
  limits: Readonly<Partial<Record<Limit, unknown>>>,
): Finding[] {
  const limit = LIMITS.find((name) => name === parts.at(-1));
  if (limit === undefined || typeof value !== 'number') return [];
  return [
    configBareNumber.createFinding('unparsed', {
      path,
      data: { limit, value: toDisplayValue(value), percentage: suggestPercentage(limit, limits), error: reason },
    }),
  ];
}

/** Reports numbers of a platform level that a service leaves to the cluster. `path` is the path of the rollout defaults. */
export function checkInheritedNumbers(limits: PlatformLimits, path: FieldPath): Finding[] {
  return LIMITS.flatMap((limit) => {
    const value = limits[limit];
    if (typeof value !== 'number') return [];
    return [configBareNumber.createFinding('inherited', { path: appendToPath(path, limit), data: { limit, value } })];
  });
}
