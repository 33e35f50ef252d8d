import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { ParsedRayService } from '../ray-service';
import { RAY_CLUSTER_TEXT, INCREMENTAL_STRATEGY_TEXT, formatRayServiceExample } from './examples';

const DNS_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const MAX_NAME_LENGTH = 47;

const HELP = `Use at most ${MAX_NAME_LENGTH} lower-case letters, digits and dashes, starting with a letter.`;

interface NameData {
  readonly name: DisplayValue;
}

interface LengthData extends NameData {
  readonly length: number;
}

/** Rule about a name that KubeRay can't derive other names from. */
export const nameTooLong = defineRule({
  code: 'kuberay/name-too-long',
  since: '0.1.0',
  severity: 'error',
  fires:
    'The name of a RayService has more than 47 characters, or is not a DNS-1035 label (lower-case letters, digits and dashes, ' +
    'starting with a letter).',
  why:
    'KubeRay derives the names of clusters, Services and pods from it, and the longest of them has 63 characters. ' +
    'The webhook and the operator refuse other names.',
  fix: 'Use a name of at most 47 lower-case letters, digits and dashes that starts with a letter.',
  example: formatRayServiceExample(INCREMENTAL_STRATEGY_TEXT, RAY_CLUSTER_TEXT, 'large-language-model-for-customer-support-chat-v2'),
  fixedExample: formatRayServiceExample(INCREMENTAL_STRATEGY_TEXT, RAY_CLUSTER_TEXT, 'support-chat-v2'),
  messages: {
    tooLong: defineMessage<LengthData>({
      text: ({ name, length }) =>
        `The name ${formatDisplayValue(name)} has ${length} characters, more than ${MAX_NAME_LENGTH}, so KubeRay's webhook and operator refuse the RayService.`,
      help: () => HELP,
      sample: { name: 'large-language-model-for-customer-support-chat-v2', length: 49 },
    }),
    notDnsLabel: defineMessage<NameData>({
      text: ({ name }) =>
        `The name ${formatDisplayValue(name)} is not a DNS-1035 label, so KubeRay's webhook and operator refuse the RayService.`,
      help: () => HELP,
      sample: { name: 'Llm' },
    }),
  },
});

/** Reports a name that the webhook refuses. A missing name is not reported here, because KubeRay does not check it. */
export function checkNameTooLong({ name, paths }: ParsedRayService): Finding[] {
  const path = toFieldPath`${paths.metadata}.name`;
  if (name.length > MAX_NAME_LENGTH)
    return [nameTooLong.createFinding('tooLong', { path, data: { name: toDisplayValue(name), length: name.length } })];
  if (name === '' || DNS_1035.test(name)) return [];
  return [nameTooLong.createFinding('notDnsLabel', { path, data: { name: toDisplayValue(name) } })];
}
