import { lacksHeadroom } from '../../../cluster/rules/surge-needs-headroom';
import { moreRoom } from '../../../cluster/room/room-advice';
import { extendedResources } from '../../../cluster/room/extended-resources';
import { shortageText } from '../../../cluster/room/shortage';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { MoreNodes, Shortage } from '../../../core/room';
import { capitalised, counted, listed } from '../../../core/words';
import type { KnownRoom, PodRollout, Workload } from '../../../cluster/workload';
import { rolloutWith } from './examples';

interface SurgeData {
  readonly replicas: number;
  readonly peakPods: number;
  readonly scarce: readonly string[];
}

interface NoRoomData {
  readonly replicas: number;
  readonly peakPods: number;
  readonly shortage: Shortage;
  readonly deadlockWave: number;
  readonly moreNodes?: MoreNodes;
}

const NO_ROOM: NoRoomData = {
  replicas: 4,
  peakPods: 8,
  shortage: { kind: 'quota', limit: 'team', resource: 'requests.nvidia.com/gpu', needed: '8', available: '4' },
  deadlockWave: 1,
};

/** A rollout that brings its new pods up beside the old ones, and has no room for them or only where room is scarce. */
export const needsRoom = rule({
  code: 'argo-rollouts/needs-room',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires:
    'New pods come beside all the old ones, and the pods ask for an extended resource such as a GPU: a warning. An error where a quota or the capacity in view has no room for them.',
  why:
    'Blue-green and a canary with a router keep all old pods until the new ones have taken over, and 30 s longer, so at the end twice the pods run, ' +
    'with twice the GPUs (argo-rollouts #2687). Without room the new pods wait, and the rollout with them.',
  fix: 'Keep room for them; or bring up fewer: previewReplicaCount until the promotion, dynamicStableScale with a router, or a canary without a router with `maxSurge: 0`.',
  example: `${rolloutWith('blueGreen:\n  activeService: web\n  previewService: web-preview')}---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: team
spec:
  hard:
    pods: "5"
`,
  fixed: `${rolloutWith('blueGreen:\n  activeService: web\n  previewService: web-preview')}---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: team
spec:
  hard:
    pods: "8"
`,
  messages: {
    surge: message<SurgeData>({
      text: ({ replicas, peakPods, scarce }) =>
        `Up to ${counted(peakPods, 'pod')} run at once for ${counted(replicas, 'replica')}, and each asks for ${listed(scarce)}. Without room for them the rollout stands still.`,
      help: ({ peakPods }) => `Keep room for ${counted(peakPods, 'pod')}, or use a strategy that brings up fewer at once.`,
      sample: { replicas: 4, peakPods: 8, scarce: ['nvidia.com/gpu'] },
    }),
    noRoom: message<NoRoomData>({
      text: ({ replicas, peakPods, shortage, deadlockWave }) =>
        `Up to ${counted(peakPods, 'pod')} run at once for ${counted(replicas, 'replica')}, and there is no room for the new ones: ${shortageText(shortage)}. ` +
        `The rollout stands still at wave ${deadlockWave} for good.`,
      help: ({ peakPods, shortage, moreNodes }) =>
        `${capitalised(moreRoom({ shortage, peakPods, ...(moreNodes && { moreNodes }) }))}, or use a strategy that brings up fewer at once.`,
      sample: NO_ROOM,
    }),
  },
});

/** What is to be said of the room for the new pods beside the old ones. */
export function needsRoomFindings(workload: Workload, rollout: PodRollout, { verdict, refusal, isFound }: KnownRoom): Finding[] {
  const { replicas, peakPods, unavailable } = rollout;
  if (replicas === 0 || peakPods <= replicas || unavailable > 0) return [];
  const path = workload.strategyPath;
  if (verdict && !refusal && verdict.verdict === 'deadlocks') {
    if (!lacksHeadroom(rollout, verdict)) return [];
    const { shortage, deadlockWave, moreNodes } = verdict;
    const data = { replicas, peakPods, shortage: shortage!, deadlockWave: deadlockWave!, ...(moreNodes && { moreNodes }) };
    return [needsRoom.finding('noRoom', { path, severity: 'error', data })];
  }
  const scarce = extendedResources(workload.template.spec);
  if (isFound || scarce.length === 0) return [];
  return [needsRoom.finding('surge', { path, severity: 'warning', data: { replicas, peakPods, scarce } })];
}
