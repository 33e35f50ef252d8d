import { byChoice } from '../../../core/advice';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { counted } from '../../../core/words';
import { CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';
import { limitsText, setText } from '../../../workloads/leader-worker-set/rules/examples';

interface DroppedData {
  readonly kubernetes: string;
  /** Groups that the limits let go at once. */
  readonly step: number;
  /** Waves one at a time, and as the limits ask for. */
  readonly waves: number;
  readonly wavesWanted: number;
}

interface PatchData extends DroppedData {
  /** The patch release of that version from which on the field is dropped. */
  readonly patch: string;
}

/** Limits of more than one group that the API server drops on the way. */
export const maxUnavailableDropped = rule({
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
  example: setText(4, limitsText('maxUnavailable: 2')),
  fixed: setText(4, limitsText('maxUnavailable: 1')),
  messages: {
    dropped: message<DroppedData>({
      text: ({ kubernetes, step, waves, wavesWanted }) =>
        `The limits let ${counted(step, 'group')} go at once, but Kubernetes ${kubernetes} drops maxUnavailable of the StatefulSet of the leaders: ` +
        `groups go one at a time, in ${counted(waves, 'wave')} and not in ${wavesWanted}.`,
      help: () => 'Turn the feature gate MaxUnavailableStatefulSet on (it is on from Kubernetes 1.37), or count on one group at a time.',
      advice: () => byChoice(),
      sample: { kubernetes: '1.34', step: 2, waves: 4, wavesWanted: 2 },
    }),
    laterPatch: message<PatchData>({
      text: ({ kubernetes, patch, step, waves, wavesWanted }) =>
        `The limits let ${counted(step, 'group')} go at once, and are planned as Kubernetes ${kubernetes}.0 has them; ` +
        `from ${patch} on ${kubernetes} drops maxUnavailable of the StatefulSet of the leaders, ` +
        `and groups go one at a time, in ${counted(waves, 'wave')} and not in ${wavesWanted}.`,
      help: ({ patch }) => `Name the patch release that you run: --versions kubernetes=${patch}.`,
      sample: { kubernetes: '1.35', patch: '1.35.4', step: 2, waves: 4, wavesWanted: 2 },
    }),
  },
});

/**
 * Limits that come to nothing.
 *
 * @param isNeeded would the rollout wait for groups that are down with limits of one group?
 */
export function droppedLimitFindings({ patch, ...data }: DroppedData & Partial<PatchData>, isNeeded: boolean): Finding[] {
  if (data.waves <= data.wavesWanted) return [];
  const place = { path: CONFIGURATION_PATH, ...(isNeeded && { severity: 'info' as const }) };
  if (patch !== undefined) return [maxUnavailableDropped.finding('laterPatch', { ...place, data: { ...data, patch } })];
  return [maxUnavailableDropped.finding('dropped', { ...place, data })];
}
