import { at, childPath } from '../../../core/field-path';
import { byChoice, remove } from '../../../core/advice';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { fieldsAt } from '../../../core/manifest';
import type { Manifest } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { counted } from '../../../core/words';
import { routedWith } from './examples';

interface UnusedData {
  readonly field: string;
  readonly value: Seen;
  /** Most pods at once. */
  readonly peakPods: number;
  readonly replicas: number;
}

/** Limits of a canary with a router, which do not hold. */
export const unusedLimits = rule({
  code: 'argo-rollouts/unused-limits',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A canary with trafficRouting has a maxSurge or maxUnavailable.',
  why:
    'With a router the stable version keeps all of its pods and the canary has those of its weight, so at the end there are twice as many, ' +
    'whatever maxSurge says. maxUnavailable holds for restarts alone. (argo-rollouts #430, #2239, #3284)',
  fix: 'Delete the field; `dynamicStableScale: true` scales the stable version down as the weight moves, setCanaryScale the canary.',
  example: routedWith('maxSurge: 1'),
  fixed: routedWith('dynamicStableScale: true'),
  messages: {
    routed: message<UnusedData>({
      text: ({ field, value, peakPods, replicas }) =>
        `${field} is ${show(value)} and plays no part in a canary with trafficRouting: up to ${counted(peakPods, 'pod')} run at once for ${counted(replicas, 'replica')}.`,
      help: ({ field }) => `Delete ${field}; with dynamicStableScale: true the stable version is scaled down as the weight moves.`,
      advice: (_data, path) => byChoice(remove(path)),
      sample: { field: 'maxSurge', value: 1, peakPods: 8, replicas: 4 },
    }),
  },
});

/** Limits that are written and do not hold. */
export function unusedLimitFindings(rollout: Manifest, replicas: number, peakPods: number): Finding[] {
  const canary = fieldsAt(rollout, 'spec', 'strategy', 'canary');
  return (['maxSurge', 'maxUnavailable'] as const).flatMap((field) => {
    const value = canary[field];
    if (value === undefined || value === null) return [];
    const data = { field, value: seen(value), peakPods, replicas };
    return [unusedLimits.finding('routed', { path: childPath(at`spec.strategy.canary`, field), data })];
  });
}
