import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { LeaderWorkerSetSimulation } from '../../../core/simulations/leaderworkerset';
import { counted } from '../../../core/words';
import { CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';
import { limitsText, setText } from '../../../workloads/leader-worker-set/rules/examples';

interface StandsStillData {
  readonly version: string;
  readonly replicas: number;
  readonly surge: number;
  /** Number of the last wave. */
  readonly wave: number;
  /** Groups that keep the old version. */
  readonly groups: number;
}

interface RefusedData {
  readonly version: string;
  readonly kubernetes: string;
}

/** A rollout that its controller never finishes. */
export const standsStill = rule({
  code: 'lws/stands-still',
  since: '0.1.0',
  severity: 'error',
  fires:
    'The controller of LeaderWorkerSets before 0.9 never finishes the rollout: it gives the surge group back too early, or writes a StatefulSet that is refused.',
  why:
    'Before 0.9 the controller keeps one surge group fewer than groups are still to do, whatever may be unavailable. ' +
    'With one group, maxSurge 1 and maxUnavailable 0 that is none, so nothing ever moves (PR 779). ' +
    'It also writes maxUnavailable as it is into the StatefulSet of the leaders, and an API server that keeps this field refuses 0. ' +
    'There is no deadline, and the status says Progressing for good.',
  fix: 'Run LeaderWorkerSet 0.9 or later, or write `maxUnavailable: 1`.',
  example: `# rolloutkit plan --versions lws=0.8 llama.yaml\n${setText(1, limitsText('maxSurge: 1, maxUnavailable: 0'))}`,
  fixed: `# rolloutkit plan --versions lws=0.8 llama.yaml\n${setText(2, limitsText('maxSurge: 1, maxUnavailable: 1'))}`,
  messages: {
    noStep: message<StandsStillData>({
      text: ({ version, replicas, surge, wave, groups }) =>
        `With ${counted(replicas, 'group')}, a surge of ${surge} and nothing unavailable, LeaderWorkerSet ${version} ` +
        `${wave === 0 ? 'never makes the surge group' : `gives the surge back after wave ${wave}`}: ` +
        `${counted(groups, 'group')} keep${groups === 1 ? 's' : ''} the old version for good.`,
      help: () => 'Run LeaderWorkerSet 0.9 or later, or write maxUnavailable: 1.',
      advice: (_data, path) => byChoice(set(at`${path}.maxUnavailable`, 1)),
      sample: { version: '0.8', replicas: 1, surge: 1, wave: 0, groups: 1 },
      variants: [{ version: '0.8', replicas: 3, surge: 1, wave: 2, groups: 2 }],
    }),
    refused: message<RefusedData>({
      text: ({ version, kubernetes }) =>
        `LeaderWorkerSet ${version} writes maxUnavailable 0 into the StatefulSet of the leaders, which the API server of Kubernetes ${kubernetes} refuses: ` +
        'nothing of the set is made or changed.',
      help: () => 'Run LeaderWorkerSet 0.9 or later, or write maxUnavailable: 1.',
      advice: (_data, path) => byChoice(set(at`${path}.maxUnavailable`, 1)),
      sample: { version: '0.8', kubernetes: '1.37' },
    }),
  },
});

/** What keeps a rollout from its end. */
export function standstillFindings(
  { halted, replicas, surge }: LeaderWorkerSetSimulation,
  versions: { readonly lws: string; readonly kubernetes: string },
): Finding[] {
  if (!halted || halted.reason === 'no-room') return [];
  const path = CONFIGURATION_PATH;
  if (halted.reason === 'refused')
    return [standsStill.finding('refused', { path, data: { version: versions.lws, kubernetes: versions.kubernetes } })];
  const { wave, groups } = halted;
  return [standsStill.finding('noStep', { path, data: { version: versions.lws, replicas, surge, wave, groups } })];
}
