import { isHeadroomShortage } from '../../../cluster/rules/surge-needs-headroom';
import { describeMoreCapacity } from '../../../cluster/capacity/capacity-advice';
import { listExtendedResources } from '../../../cluster/capacity/extended-resources';
import { formatShortage } from '../../../cluster/capacity/shortage';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { MoreNodes, Shortage } from '../../../core/capacity-result';
import { capitalize, pluralize, joinWords } from '../../../core/text-format';
import type { CapacityKnowledge, PodRollout, Workload } from '../../../cluster/workload';
import { renderArgoRollout } from './examples';

interface SurgeData {
  readonly replicas: number;
  readonly peakPods: number;
  readonly extendedResources: readonly string[];
}

interface InsufficientCapacityData {
  readonly replicas: number;
  readonly peakPods: number;
  readonly shortage: Shortage;
  readonly deadlockWave: number;
  readonly moreNodes?: MoreNodes;
}

const INSUFFICIENT_CAPACITY_SAMPLE: InsufficientCapacityData = {
  replicas: 4,
  peakPods: 8,
  shortage: { kind: 'quota', limit: 'team', resource: 'requests.nvidia.com/gpu', needed: '8', available: '4' },
  deadlockWave: 1,
};

/** A rollout that brings its new pods up beside the old ones, and has no room for them or only where room is scarce. */
export const needsHeadroom = defineRule({
  code: 'argo-rollouts/needs-headroom',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires:
    'New pods come beside all the old ones, and the pods ask for an extended resource such as a GPU: a warning. An error where a quota or the capacity in view has no room for them.',
  why:
    'Blue-green and a canary with a router keep all old pods until the new ones have taken over, and 30 s longer, so at the end twice the pods run, ' +
    'with twice the GPUs (argo-rollouts #2687). Without room the new pods wait, and the rollout with them.',
  fix: 'Keep room for them; or bring up fewer: previewReplicaCount until the promotion, dynamicStableScale with a router, or a canary without a router with `maxSurge: 0`.',
  example: `${renderArgoRollout('blueGreen:\n  activeService: web\n  previewService: web-preview')}---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: team
spec:
  hard:
    pods: "5"
`,
  fixedExample: `${renderArgoRollout('blueGreen:\n  activeService: web\n  previewService: web-preview')}---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: team
spec:
  hard:
    pods: "8"
`,
  messages: {
    surge: defineMessage<SurgeData>({
      text: ({ replicas, peakPods, extendedResources: scarce }) =>
        `Up to ${pluralize(peakPods, 'pod')} run at once for ${pluralize(replicas, 'replica')}, and each asks for ${joinWords(scarce)}. Without room for them the rollout stands still.`,
      help: ({ peakPods }) => `Keep room for ${pluralize(peakPods, 'pod')}, or use a strategy that brings up fewer at once.`,
      sample: { replicas: 4, peakPods: 8, extendedResources: ['nvidia.com/gpu'] },
    }),
    insufficientCapacity: defineMessage<InsufficientCapacityData>({
      text: ({ replicas, peakPods, shortage, deadlockWave }) =>
        `Up to ${pluralize(peakPods, 'pod')} run at once for ${pluralize(replicas, 'replica')}, and there is no room for the new ones: ${formatShortage(shortage)}. ` +
        `The rollout stands still at wave ${deadlockWave} for good.`,
      help: ({ peakPods, shortage, moreNodes }) =>
        `${capitalize(describeMoreCapacity({ shortage, peakPods, ...(moreNodes && { moreNodes }) }))}, or use a strategy that brings up fewer at once.`,
      sample: INSUFFICIENT_CAPACITY_SAMPLE,
    }),
  },
});

/** What is to be said of the room for the new pods beside the old ones. */
export function checkNeedsHeadroom(
  workload: Workload,
  rollout: PodRollout,
  { verdict, rejection, hasCapacity }: CapacityKnowledge,
): Finding[] {
  const { replicas, peakPods, unavailable } = rollout;
  if (replicas === 0 || peakPods <= replicas || unavailable > 0) return [];
  const path = workload.strategyPath;
  if (verdict && !rejection && verdict.verdict === 'deadlocks') {
    if (!isHeadroomShortage(rollout, verdict)) return [];
    const { shortage, deadlockWave, moreNodes } = verdict;
    const data = { replicas, peakPods, shortage: shortage!, deadlockWave: deadlockWave!, ...(moreNodes && { moreNodes }) };
    return [needsHeadroom.createFinding('insufficientCapacity', { path, severity: 'error', data })];
  }
  const scarce = listExtendedResources(workload.template.spec);
  if (hasCapacity || scarce.length === 0) return [];
  return [needsHeadroom.createFinding('surge', { path, severity: 'warning', data: { replicas, peakPods, extendedResources: scarce } })];
}
