import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isIntOrPercent, scaledDown, scaledUp } from '../../../core/int-or-percent';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { LlmComponent } from '../components';
import { llmText } from './examples';

interface LimitsData {
  readonly maxUnavailable: Seen;
  /** Absent where it is left out. */
  readonly maxSurge?: Seen;
  readonly replicas: number;
}

/** Limits that the webhook refuses because it looks at one replica. */
export const llmLimitsAtOneReplica = rule({
  code: 'kserve/llm-limits-at-one-replica',
  since: '0.1.0',
  severity: 'error',
  fires: 'The webhook refuses the limits of an LLMInferenceService, which it resolves at one replica whatever the replicas are.',
  why:
    'The webhook of the version after 0.20 scales both limits to one replica, and rounds maxUnavailable down: 50% is 0 there, though it would be 2 of 4. ' +
    'With maxSurge 0 it then says that both cannot be zero; with workers and without a maxSurge, that one is required.',
  fix: 'Write maxUnavailable as a whole number, or a maxSurge beside it.',
  example: `# rolloutkit plan --versions kserve=0.21 chat.yaml\n${llmText('  rolloutStrategy: { maxSurge: 0, maxUnavailable: 50% }\n')}`,
  fixed: `# rolloutkit plan --versions kserve=0.21 chat.yaml\n${llmText('  rolloutStrategy: { maxSurge: 0, maxUnavailable: 2 }\n')}`,
  messages: {
    bothZero: message<LimitsData>({
      text: ({ maxUnavailable, maxSurge, replicas }) =>
        `maxUnavailable ${show(maxUnavailable)} and maxSurge ${show(maxSurge!)} are refused: the webhook resolves them at 1 replica, not at ${replicas}, and both come to 0.`,
      help: () => 'Write maxUnavailable as a whole number such as 1, or a maxSurge of at least 1.',
      advice: (_data, path) => byChoice(set(path, 1)),
      sample: { maxUnavailable: '50%', maxSurge: 0, replicas: 4 },
    }),
    surgeRequired: message<LimitsData>({
      text: ({ maxUnavailable }) =>
        `maxUnavailable ${show(maxUnavailable)} comes to 0 at 1 replica, at which the webhook looks, and with workers it then wants a maxSurge.`,
      help: () => 'Write maxUnavailable as a whole number such as 1, or a maxSurge of at least 1.',
      advice: (_data, path) => byChoice(set(path, 1)),
      sample: { maxUnavailable: '50%', replicas: 4 },
    }),
  },
});

/** Limits that come to nothing at one replica. Values of another type are findings of their own. */
export function oneReplicaFindings(
  { path, groupSize, replicas }: LlmComponent,
  { maxSurge, maxUnavailable }: { readonly maxSurge?: unknown; readonly maxUnavailable?: unknown },
): Finding[] {
  if (!isIntOrPercent(maxUnavailable) || scaledDown(maxUnavailable, 1) > 0) return [];
  const place = at`${path}.rolloutStrategy.maxUnavailable`;
  const data = { maxUnavailable: seen(maxUnavailable), replicas };
  if (maxSurge === undefined || maxSurge === null) {
    return groupSize === undefined ? [] : [llmLimitsAtOneReplica.finding('surgeRequired', { path: place, data })];
  }
  if (!isIntOrPercent(maxSurge) || scaledUp(maxSurge, 1) > 0) return [];
  return [llmLimitsAtOneReplica.finding('bothZero', { path: place, data: { ...data, maxSurge: seen(maxSurge) } })];
}
