import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { ReadRayService } from '../ray-service';
import { INCREMENTAL } from '../strategy';
import { WHOLE_SERVICE, withOption } from './examples';
import { API_SERVER_REFUSES, operatorRefuses, refusalOf, SAMPLE_REFUSAL } from './refusal';
import type { Refusal } from './refusal';

interface IntervalData extends Refusal {
  readonly value: Seen;
}

/** What KubeRay's guide advises. */
const ADVISED_SECONDS = 60;
const HELP = `Write 1 second or more; the guide advises ${ADVISED_SECONDS}.`;

/** An incremental upgrade without an interval between its steps. */
export const intervalRequired = rule({
  code: 'kuberay/interval-required',
  since: '0.1.0',
  severity: 'error',
  fires: 'An incremental upgrade without intervalSeconds, or with one that is not above 0.',
  why:
    'It is the least time between two steps of traffic. ' +
    'The API server refuses options without the field, the operator a value below 1.',
  fix: 'Write an intervalSeconds of at least 1; the guide advises 60, so that both autoscalers can react to each step.',
  example: withOption('intervalSeconds: 10', 'intervalSeconds: 0'),
  fixed: WHOLE_SERVICE,
  messages: {
    missing: message<object>({
      text: () => `intervalSeconds is missing. ${API_SERVER_REFUSES}`,
      help: () => HELP,
      advice: (_data, path) => byChoice(set(path, ADVISED_SECONDS)),
      sample: {},
    }),
    notAboveZero: message<IntervalData>({
      text: ({ value, ...refusal }) =>
        `intervalSeconds is ${show(value)}. ${operatorRefuses(refusal, 'intervalSeconds must be greater than 0')}`,
      help: () => HELP,
      advice: (_data, path) => byChoice(set(path, ADVISED_SECONDS)),
      sample: { value: 0, ...SAMPLE_REFUSAL },
    }),
  },
});

/** Options without an interval: the API server refuses them under any type, the operator one of 0 under the type that reads it. */
export function intervalFindings(service: ReadRayService, { intervalSeconds }: Fields): Finding[] {
  const path = at`${service.places.options}.intervalSeconds`;
  if ((intervalSeconds ?? undefined) === undefined) return [intervalRequired.finding('missing', { path, data: {} })];
  if (service.type !== INCREMENTAL || (typeof intervalSeconds === 'number' && intervalSeconds > 0)) return [];
  return [intervalRequired.finding('notAboveZero', { path, data: { value: seen(intervalSeconds), ...refusalOf(service) } })];
}
