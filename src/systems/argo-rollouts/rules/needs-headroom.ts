import { isHeadroomShortage } from '../../../cluster/rules/surge-needs-headroom';
import { describeMoreCapacity } from '../../../cluster/capacity/capacity-advice';
import { listExtendedResources } from '../../../cluster/capacity/pod-requests';
import { formatShortage } from '../../../cluster/capacity/shortage';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { MoreNodes, Shortage } from '../../../core/document/capacity-result';
import { capitalize, pluralize, joinWords } from '../../../core/text/text-format';
import type { CapacityKnowledge, Workload } from '../../../cluster/rollout/workload';
import type { PodRollout } from '../../../cluster/rollout/pod-rollout';
import { renderArgoRollout } from './examples';

interface SurgeData {
  readonly replicas: number;
  readonly peakPods: number;
  readonly extendedResources: readonly string[];
}

interface InsufficientCapacityData {
  readonly replicas: number;
  readonly peakPods: number;
  /** New pods that fit at once. With fewer than the replicas, no strategy finishes. */
  readonly podsThatFit: number;
  readonly shortage: Shortage;
  readonly furtherShortages?: readonly Shortage[];
  readonly deadlockWave: number;
  readonly moreNodes?: MoreNodes;
}

const INSUFFICIENT_CAPACITY_SAMPLE: InsufficientCapacityData = {
  replicas: 4,
  peakPods: 8,
  podsThatFit: 4,
  shortage: { kind: 'quota', limit: 'team', resource: 'requests.nvidia.com/gpu', needed: '8', available: '4' },
  deadlockWave: 1,
};

/** Reports a rollout that starts its new pods next to all old ones and has no capacity for them, or only scarce capacity. */
export const needsHeadroom = defineRule({
  code: 'argo-rollouts/needs-headroom',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires:
    'New pods start next to all the old ones, and a quota or the known capacity is too small for them (an error), or they request an extended resource such as a GPU (a warning).',
  why:
    'Blue-green and a canary with a router keep all old pods until 30 s after the new ones have taken over. At the end twice the pods run, ' +
    'with twice the GPUs (argo-rollouts #2687). Without that capacity the new pods stay pending, and the rollout waits for them.',
  fix: 'Reserve capacity for them, or start fewer at once: previewReplicaCount until the promotion, dynamicStableScale with a router, or a canary without a router and with `maxSurge: 0`.',
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
      text: ({ replicas, peakPods, extendedResources }) =>
        `Up to ${pluralize(peakPods, 'pod')} run at once for ${pluralize(replicas, 'replica')}, and each requests ${joinWords(extendedResources)}. Without capacity for them the rollout deadlocks.`,
      help: ({ peakPods }) => `Reserve capacity for ${pluralize(peakPods, 'pod')}, or use a strategy that starts fewer at once.`,
      sample: { replicas: 4, peakPods: 8, extendedResources: ['nvidia.com/gpu'] },
    }),
    insufficientCapacity: defineMessage<InsufficientCapacityData>({
      text: ({ replicas, peakPods, shortage, deadlockWave }) =>
        `Up to ${pluralize(peakPods, 'pod')} run at once for ${pluralize(replicas, 'replica')}, and the new ones do not fit: ${formatShortage(shortage)}. ` +
        `It deadlocks at wave ${deadlockWave}.`,
      help: ({ replicas, podsThatFit, ...shortfall }) => {
        const smaller =
          podsThatFit >= replicas ? 'use a strategy that starts fewer at once' : 'lower the replicas or the requests of a pod';
        return `${capitalize(describeMoreCapacity(shortfall))}, or ${smaller}.`;
      },
      sample: INSUFFICIENT_CAPACITY_SAMPLE,
      variants: [{ ...INSUFFICIENT_CAPACITY_SAMPLE, podsThatFit: 2 }],
    }),
  },
});

/** Reports missing or scarce capacity for new pods that start next to the old ones. */
export function checkNeedsHeadroom(
  workload: Workload,
  rollout: PodRollout,
  { verdict, rejection, furtherShortages, headroom }: CapacityKnowledge,
): Finding[] {
  const { replicas, peakPods, unavailable } = rollout;
  if (replicas === 0 || peakPods <= replicas || unavailable > 0) return [];
  const path = workload.strategyPath;
  if (verdict && !rejection && verdict.verdict === 'deadlocks') {
    if (!isHeadroomShortage(rollout, verdict)) return [];
    const { podsThatFit, shortage, deadlockWave, moreNodes } = verdict;
    const data = {
      replicas,
      peakPods,
      podsThatFit,
      shortage: shortage!,
      ...(furtherShortages && { furtherShortages }),
      deadlockWave: deadlockWave!,
      ...(moreNodes && { moreNodes }),
    };
    return [needsHeadroom.createFinding('insufficientCapacity', { path, severity: 'error', data })];
  }
  const extendedResources = listExtendedResources(workload.template.spec);
  if (extendedResources.length === 0 || headroom().hasCapacity) return [];
  return [needsHeadroom.createFinding('surge', { path, severity: 'warning', data: { replicas, peakPods, extendedResources } })];
}
