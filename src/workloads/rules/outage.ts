import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { message, rule } from '../../core/finding';
import { seen, show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { counted } from '../../core/words';
import { KUBERNETES_NAMES, OWNER_ADVICE } from '../../cluster/strategy-terms';
import type { StrategyNames, StrategyOwner } from '../../cluster/strategy-terms';
import type { PodRollout, Workload } from '../../cluster/workload';

interface Owned {
  readonly strategyOwner?: StrategyOwner;
}

interface RecreateData extends Owned {
  readonly replicas: number;
}

interface UnavailableData extends Owned {
  readonly maxUnavailable: Seen;
  readonly unavailable: number;
  readonly replicas: number;
  /** What there is one pod of. @default replica */
  readonly per?: 'replica' | 'node';
  readonly names: StrategyNames;
}

interface TogetherData {
  readonly replicas: number;
}

function advice({ strategyOwner }: Owned, otherwise: string): string {
  return strategyOwner ? OWNER_ADVICE[strategyOwner] : otherwise;
}

/** A moment at which no pod is available. */
export const outage = rule({
  code: 'kubernetes/outage',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires: 'At some moment of the rollout no pod is available.',
  why:
    'maxUnavailable covers all replicas, so all old pods go before a new one is ready; a broken image then leaves nothing serving, ' +
    'and no rollback comes by itself. An info for Recreate, which says so by its name.',
  fix: 'Set maxUnavailable below the replicas; with one replica, `maxSurge: 1` and `maxUnavailable: 0`.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  strategy:
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 2
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  strategy:
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 1
`,
  messages: {
    recreate: message<RecreateData>({
      text: ({ replicas }) =>
        `type Recreate takes down ${replicas === 1 ? 'the only pod' : `all ${replicas} pods`} before a new one starts: nothing is available meanwhile.`,
      help: (data) => advice(data, 'Write type: RollingUpdate unless two versions must never run at once.'),
      sample: { replicas: 4 },
      variants: [{ replicas: 1, strategyOwner: 'kserve-canary' }],
    }),
    unavailable: message<UnavailableData>({
      text: ({ maxUnavailable, unavailable, replicas, per = 'replica', names }) =>
        `${names.maxUnavailable} ${show(maxUnavailable)} comes to ${counted(unavailable, 'pod')} for ${counted(replicas, per)}: ` +
        'all old pods go before a new one is ready, and nothing is available meanwhile.',
      help: (data) => {
        const { maxSurge, maxUnavailable } = data.names;
        const inTurn = `Write ${maxSurge}: 1 and ${maxUnavailable}: 0.`;
        return advice(data, data.replicas === 1 ? inTurn : `Write ${maxUnavailable}: ${data.replicas - 1} or less.`);
      },
      sample: { maxUnavailable: 2, unavailable: 2, replicas: 2, names: KUBERNETES_NAMES },
      variants: [
        { maxUnavailable: '100%', unavailable: 1, replicas: 1, names: KUBERNETES_NAMES },
        { maxUnavailable: '100%', unavailable: 3, replicas: 3, per: 'node', names: KUBERNETES_NAMES },
      ],
    }),
    onlyPod: message<object>({
      text: () => 'The only pod is deleted before its successor starts, since a StatefulSet has no surge: nothing is available meanwhile.',
      help: () => 'Write replicas: 2 or more to keep one available.',
      sample: {},
    }),
    together: message<TogetherData>({
      text: ({ replicas }) => `All ${replicas} pods are down at once: nothing is available meanwhile.`,
      help: ({ replicas }) => `Write maxUnavailable: ${replicas - 1} or less.`,
      sample: { replicas: 3 },
    }),
  },
});

/** Type Recreate, which says by its name that nothing is available meanwhile. */
export function recreateFindings({ strategyPath, strategyOwner }: Workload, replicas: number): Finding[] {
  if (replicas === 0) return [];
  const data = { replicas, ...(strategyOwner && { strategyOwner }) };
  return [outage.finding('recreate', { path: at`${strategyPath}.type`, severity: 'info', data })];
}

/** A rolling update that takes all old pods away before a new one is ready. Nothing for 0 replicas. */
export function outageFindings(
  { strategyPath, names, strategyOwner, onePerNode }: Workload,
  { replicas, leastAvailable }: PodRollout,
  maxUnavailable: unknown,
  unavailable: number,
): Finding[] {
  if (replicas === 0 || leastAvailable > 0) return [];
  const data = {
    maxUnavailable: seen(maxUnavailable),
    unavailable,
    replicas,
    ...(onePerNode && { per: 'node' as const }),
    names,
    ...(strategyOwner && { strategyOwner }),
  };
  return [outage.finding('unavailable', { path: at`${strategyPath}.${names.rollingUpdate}.${names.maxUnavailable}`, data })];
}

/** The same of a StatefulSet, which has no surge. */
export function orderedOutageFindings({ replicas, leastAvailable }: PodRollout): Finding[] {
  if (replicas === 0 || leastAvailable > 0) return [];
  if (replicas === 1) return [outage.finding('onlyPod', { path: at`spec.replicas`, data: {} })];
  return [outage.finding('together', { path: at`spec.updateStrategy.rollingUpdate.maxUnavailable`, data: { replicas } })];
}
