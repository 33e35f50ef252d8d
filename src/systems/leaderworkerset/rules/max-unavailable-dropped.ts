import { suggestManualFix } from '../../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';
import { LWS_CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';
import { formatLwsLimits, formatLwsExample } from '../../../workloads/leader-worker-set/rules/examples';

interface DroppedLimitData {
  readonly kubernetes: string;
  /** Number of groups that the limits allow to be replaced at once. */
  readonly step: number;
  /** Number of waves with one group at a time. */
  readonly waves: number;
  /** Number of waves with the limits. */
  readonly wavesWithLimit: number;
}

interface LaterPatchData extends DroppedLimitData {
  /** The first patch release of that version that drops the field. */
  readonly patch: string;
}

/** Rule about limits of more than one group that the API server drops. */
export const maxUnavailableDropped = defineRule({
  code: 'lws/max-unavailable-dropped',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires:
    'The rollout takes more waves than its limits allow, because the API server drops maxUnavailable of the StatefulSet of the leaders, or does so since a patch release and no patch release is given.',
  why:
    'The controller implements a LeaderWorkerSet with a StatefulSet of leaders, and sets there how many may be unavailable at once. ' +
    'Without the feature gate MaxUnavailableStatefulSet the API server drops that field, ' +
    'so leaders are replaced one at a time, no matter how far the controller has lowered the partition. The LeaderWorkerSet documentation does not mention this. ' +
    'It is an info if the limits are needed to update despite groups that are down.',
  fix: 'Turn on the gate MaxUnavailableStatefulSet, run a Kubernetes version that has it on, or expect one group at a time.',
  example: formatLwsExample(4, formatLwsLimits('maxUnavailable: 2')),
  fixedExample: formatLwsExample(4, formatLwsLimits('maxUnavailable: 1')),
  messages: {
    dropped: defineMessage<DroppedLimitData>({
      text: ({ kubernetes, step, waves, wavesWithLimit }) =>
        `The limits allow ${pluralize(step, 'group')} to be replaced at once, but Kubernetes ${kubernetes} drops maxUnavailable of the StatefulSet of the leaders: ` +
        `groups are replaced one at a time, in ${pluralize(waves, 'wave')} instead of ${wavesWithLimit}.`,
      help: () =>
        'Turn on the feature gate MaxUnavailableStatefulSet (on by default since Kubernetes 1.37), or expect one group at a time.',
      suggestedFix: () => suggestManualFix(),
      sample: { kubernetes: '1.34', step: 2, waves: 4, wavesWithLimit: 2 },
    }),
    laterPatch: defineMessage<LaterPatchData>({
      text: ({ kubernetes, patch, step, waves, wavesWithLimit }) =>
        `The limits allow ${pluralize(step, 'group')} to be replaced at once, and the plan follows Kubernetes ${kubernetes}.0, which honors them. ` +
        `Kubernetes ${patch} and later patch releases drop maxUnavailable of the StatefulSet of the leaders, ` +
        `so groups are replaced one at a time, in ${pluralize(waves, 'wave')} instead of ${wavesWithLimit}.`,
      help: ({ patch }) => `Set the patch release of your cluster, such as --versions kubernetes=${patch}.`,
      sample: { kubernetes: '1.35', patch: '1.35.4', step: 2, waves: 4, wavesWithLimit: 2 },
    }),
  },
});

/**
 * Reports limits that have no effect.
 *
 * @param isNeeded whether the rollout would wait for groups that are down if it replaced one group at a time
 */
export function checkMaxUnavailableDropped({ patch, ...data }: DroppedLimitData & Partial<LaterPatchData>, isNeeded: boolean): Finding[] {
  if (data.waves <= data.wavesWithLimit) return [];
  const location = { path: LWS_CONFIGURATION_PATH, ...(isNeeded && { severity: 'info' as const }) };
  if (patch !== undefined) return [maxUnavailableDropped.createFinding('laterPatch', { ...location, data: { ...data, patch } })];
  return [maxUnavailableDropped.createFinding('dropped', { ...location, data })];
}
