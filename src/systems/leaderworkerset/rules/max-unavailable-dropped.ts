import { suggestManualFix } from '../../../core/suggested-fix';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { pluralize } from '../../../core/text-format';
import { LWS_CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';
import { formatLwsLimits, formatLwsExample } from '../../../workloads/leader-worker-set/rules/examples';

interface DroppedLimitData {
  readonly kubernetes: string;
  /** Groups that the limits let go at once. */
  readonly step: number;
  /** Waves one at a time, and as the limits ask for. */
  readonly waves: number;
  readonly wavesWithLimit: number;
}

interface LaterPatchData extends DroppedLimitData {
  /** The patch release of that version from which on the field is dropped. */
  readonly patch: string;
}

/** Limits of more than one group that the API server drops on the way. */
export const maxUnavailableDropped = defineRule({
  code: 'lws/max-unavailable-dropped',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires:
    'The rollout takes more waves than its limits ask for, because the API server drops maxUnavailable of the StatefulSet of the leaders, or does so from a patch release on and none is named; ' +
    'an info where the limits are there to go past groups that are down.',
  why:
    'A LeaderWorkerSet is carried out by a StatefulSet of leaders, into which its controller writes how many may go at once. ' +
    'Without the feature gate MaxUnavailableStatefulSet the API server drops that field, ' +
    'and leaders go one at a time, however far the controller has lowered the partition. No page of LeaderWorkerSet says so.',
  fix: 'Turn the gate MaxUnavailableStatefulSet on, run a version of Kubernetes that has it on, or plan with one group at a time.',
  example: formatLwsExample(4, formatLwsLimits('maxUnavailable: 2')),
  fixedExample: formatLwsExample(4, formatLwsLimits('maxUnavailable: 1')),
  messages: {
    dropped: defineMessage<DroppedLimitData>({
      text: ({ kubernetes, step, waves, wavesWithLimit }) =>
        `The limits let ${pluralize(step, 'group')} go at once, but Kubernetes ${kubernetes} drops maxUnavailable of the StatefulSet of the leaders: ` +
        `groups go one at a time, in ${pluralize(waves, 'wave')} and not in ${wavesWithLimit}.`,
      help: () => 'Turn the feature gate MaxUnavailableStatefulSet on (it is on from Kubernetes 1.37), or count on one group at a time.',
      suggestedFix: () => suggestManualFix(),
      sample: { kubernetes: '1.34', step: 2, waves: 4, wavesWithLimit: 2 },
    }),
    laterPatch: defineMessage<LaterPatchData>({
      text: ({ kubernetes, patch, step, waves, wavesWithLimit }) =>
        `The limits let ${pluralize(step, 'group')} go at once, and are planned as Kubernetes ${kubernetes}.0 has them; ` +
        `from ${patch} on ${kubernetes} drops maxUnavailable of the StatefulSet of the leaders, ` +
        `and groups go one at a time, in ${pluralize(waves, 'wave')} and not in ${wavesWithLimit}.`,
      help: ({ patch }) => `Name the patch release that you run: --versions kubernetes=${patch}.`,
      sample: { kubernetes: '1.35', patch: '1.35.4', step: 2, waves: 4, wavesWithLimit: 2 },
    }),
  },
});

/**
 * Limits that come to nothing.
 *
 * @param isNeeded would the rollout wait for groups that are down with limits of one group?
 */
export function checkMaxUnavailableDropped({ patch, ...data }: DroppedLimitData & Partial<LaterPatchData>, isNeeded: boolean): Finding[] {
  if (data.waves <= data.wavesWithLimit) return [];
  const location = { path: LWS_CONFIGURATION_PATH, ...(isNeeded && { severity: 'info' as const }) };
  if (patch !== undefined) return [maxUnavailableDropped.createFinding('laterPatch', { ...location, data: { ...data, patch } })];
  return [maxUnavailableDropped.createFinding('dropped', { ...location, data })];
}
