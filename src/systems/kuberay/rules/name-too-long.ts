import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { ReadRayService } from '../ray-service';
import { CLUSTER_TEXT, INCREMENTAL_TEXT, serviceText } from './examples';

const DNS_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const MAX_LENGTH = 47;

const HELP = `Write at most ${MAX_LENGTH} lower-case letters, digits and dashes, a letter first.`;

interface NameData {
  readonly name: Seen;
}

interface LengthData extends NameData {
  readonly length: number;
}

/** A name from which KubeRay can't derive others. */
export const nameTooLong = rule({
  code: 'kuberay/name-too-long',
  since: '0.1.0',
  severity: 'error',
  fires:
    'The name of a RayService has more than 47 characters, or is not a DNS-1035 label (lower-case letters, digits and dashes, ' +
    'a letter first).',
  why:
    'KubeRay derives the names of clusters, Services and pods from it, of which the longest has 63 characters. ' +
    'Webhook and operator refuse it.',
  fix: 'Write a name of at most 47 lower-case letters, digits and dashes that begins with a letter.',
  example: serviceText(INCREMENTAL_TEXT, CLUSTER_TEXT, 'large-language-model-for-customer-support-chat-v2'),
  fixed: serviceText(INCREMENTAL_TEXT, CLUSTER_TEXT, 'support-chat-v2'),
  messages: {
    tooLong: message<LengthData>({
      text: ({ name, length }) =>
        `The name ${show(name)} has ${length} characters, more than ${MAX_LENGTH}, so KubeRay's webhook and operator refuse the RayService.`,
      help: () => HELP,
      sample: { name: 'large-language-model-for-customer-support-chat-v2', length: 49 },
    }),
    notDnsLabel: message<NameData>({
      text: ({ name }) => `The name ${show(name)} is not a DNS-1035 label, so KubeRay's webhook and operator refuse the RayService.`,
      help: () => HELP,
      sample: { name: 'Llm' },
    }),
  },
});

/** A name that the webhook refuses; that there is none is not KubeRay's to say. */
export function nameFindings({ name, places }: ReadRayService): Finding[] {
  const path = at`${places.metadata}.name`;
  if (name.length > MAX_LENGTH) return [nameTooLong.finding('tooLong', { path, data: { name: seen(name), length: name.length } })];
  if (name === '' || DNS_1035.test(name)) return [];
  return [nameTooLong.finding('notDnsLabel', { path, data: { name: seen(name) } })];
}
