import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isIntOrPercent, scaleRoundedDown, scaleRoundedUp } from '../../../core/values/int-or-percent';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { LlmComponent } from '../components';
import { renderLlmService } from './examples';

interface LimitsData {
  readonly maxUnavailable: DisplayValue;
  /** Unset if omitted. */
  readonly maxSurge?: DisplayValue;
  readonly replicas: number;
}

/** Reports limits that the webhook refuses because it resolves them at one replica. */
export const llmLimitsAtOneReplica = defineRule({
  code: 'kserve/llm-limits-at-one-replica',
  since: '0.1.0',
  severity: 'error',
  fires: 'The webhook refuses the limits of an LLMInferenceService because it resolves them at one replica, whatever the replicas are.',
  why:
    'In the version after 0.20, the webhook scales both limits to one replica and rounds maxUnavailable down: 50% is 0 there, although it would be 2 of 4. ' +
    'With maxSurge 0 it then reports that both cannot be zero. With workers and no maxSurge it requires a maxSurge.',
  fix: 'Write maxUnavailable as a whole number, or also write a maxSurge.',
  example: `# rolloutkit plan --versions kserve=0.21 chat.yaml\n${renderLlmService('  rolloutStrategy: { maxSurge: 0, maxUnavailable: 50% }\n')}`,
  fixedExample: `# rolloutkit plan --versions kserve=0.21 chat.yaml\n${renderLlmService('  rolloutStrategy: { maxSurge: 0, maxUnavailable: 2 }\n')}`,
  messages: {
    bothZero: defineMessage<LimitsData>({
      text: ({ maxUnavailable, maxSurge, replicas }) =>
        `maxUnavailable ${formatDisplayValue(maxUnavailable)} and maxSurge ${formatDisplayValue(maxSurge!)} are refused: the webhook resolves them at 1 replica, not at ${replicas}, and both round to 0.`,
      help: () => 'Write maxUnavailable as a whole number such as 1, or a maxSurge of at least 1.',
      suggestedFix: (_data, path) => suggestManualFix(setField(path, 1)),
      sample: { maxUnavailable: '50%', maxSurge: 0, replicas: 4 },
    }),
    surgeRequired: defineMessage<LimitsData>({
      text: ({ maxUnavailable }) =>
        `maxUnavailable ${formatDisplayValue(maxUnavailable)} is refused: the webhook resolves it at 1 replica, where it rounds to 0, and with workers it then requires a maxSurge.`,
      help: () => 'Write maxUnavailable as a whole number such as 1, or a maxSurge of at least 1.',
      suggestedFix: (_data, path) => suggestManualFix(setField(path, 1)),
      sample: { maxUnavailable: '50%', replicas: 4 },
    }),
  },
});

/** Reports limits that round to 0 at one replica. Values of another type are separate findings. */
export function checkLlmLimitsAtOneReplica(
  { path, groupSize, replicas }: LlmComponent,
  { maxSurge, maxUnavailable }: { readonly maxSurge?: unknown; readonly maxUnavailable?: unknown },
): Finding[] {
  if (!isIntOrPercent(maxUnavailable) || scaleRoundedDown(maxUnavailable, 1) > 0) return [];
  const location = toFieldPath`${path}.rolloutStrategy.maxUnavailable`;
  const data = { maxUnavailable: toDisplayValue(maxUnavailable), replicas };
  if (maxSurge === undefined || maxSurge === null) {
    return groupSize === undefined ? [] : [llmLimitsAtOneReplica.createFinding('surgeRequired', { path: location, data })];
  }
  if (!isIntOrPercent(maxSurge) || scaleRoundedUp(maxSurge, 1) > 0) return [];
  return [llmLimitsAtOneReplica.createFinding('bothZero', { path: location, data: { ...data, maxSurge: toDisplayValue(maxSurge) } })];
}
