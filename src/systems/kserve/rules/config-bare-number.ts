import { childPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { GoTypeError } from '../go-json';
import { LIMITS } from '../platform-limits';
import type { Limit, Limits } from '../platform-limits';
import { UNPARSED, blockedText } from './blocked';
import { rolloutDefaults, service, together } from './examples';

interface NumberData {
  readonly limit: Limit;
  readonly value: Seen;
}

interface ParserData extends NumberData {
  /** In the words of Go's encoding/json. */
  readonly error: string;
}

/** A number in the rollout defaults, which KServe's parser refuses. */
export const configBareNumber = rule({
  code: 'kserve/config-bare-number',
  since: '0.1.0',
  severity: 'error',
  fires: 'The ConfigMap gives maxSurge or maxUnavailable as a number: `1`.',
  why:
    'Both are strings in Go, so the whole `deploy` key fails to parse: every write ' +
    'and every reconcile of every InferenceService of the cluster fails until it is repaired. Source: ' +
    'KServe 0.16 to 0.20, pkg/apis/serving/v1beta1/configmap.go, `NewDeployConfig`.',
  fix: 'Write a percentage in quotes; zero is "0%".',
  example: together(rolloutDefaults('{"maxSurge": 1, "maxUnavailable": 0}'), service({})),
  fixed: together(rolloutDefaults('{"maxSurge": "25%", "maxUnavailable": "0%"}'), service({})),
  messages: {
    unparsed: message<ParserData>({
      text: ({ error }) => blockedText(`${UNPARSED}: ${error}`),
      help: ({ limit, value }) =>
        `${limit} is ${show(value)}: write a percentage in quotes, such as ${value === 0 ? '"0%"' : '"25%"'}. ` +
        'No fixed number of pods can be written here.',
      sample: {
        limit: 'maxSurge',
        value: 1,
        error:
          'json: cannot unmarshal number into Go struct field RolloutSpec.deploymentRolloutStrategy.defaultRollout.maxSurge of type string',
      },
      variants: [
        {
          limit: 'maxUnavailable',
          value: 0,
          error:
            'json: cannot unmarshal number into Go struct field RolloutSpec.deploymentRolloutStrategy.defaultRollout.maxUnavailable of type string',
        },
      ],
    }),
    inherited: message<NumberData>({
      text: ({ limit, value }) =>
        `inheritPlatformDefaults leaves ${limit} to the cluster's ConfigMap, which cannot hold the number ${show(value)}: ` +
        'KServe reads percentages alone.',
      help: () => 'Write a percentage such as "25%", or leave inheritPlatformDefaults out, so that the number is written into the service.',
      sample: { limit: 'maxSurge', value: 1 },
    }),
  },
});

/** Numbers where KServe's parser wants text. `path` is that of the value. */
export function bareNumberFindings({ path: parts, value, reason }: GoTypeError, path: FieldPath): Finding[] {
  const limit = LIMITS.find((name) => name === parts.at(-1));
  if (limit === undefined || typeof value !== 'number') return [];
  return [configBareNumber.finding('unparsed', { path, data: { limit, value: seen(value), error: reason } })];
}

/** Numbers of a platform level that a service leaves to the cluster. `path` is that of the rollout defaults. */
export function inheritedNumberFindings(limits: Limits, path: FieldPath): Finding[] {
  return LIMITS.flatMap((limit) => {
    const value = limits[limit];
    if (typeof value !== 'number') return [];
    return [configBareNumber.finding('inherited', { path: childPath(path, limit), data: { limit, value } })];
  });
}
