import { byChoice, set } from '../../core/advice';
import type { Finding } from '../../core/finding';
import { message, rule } from '../../core/finding';
import { seen, show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { counted } from '../../core/words';
import { KUBERNETES_NAMES, OWNER_ADVICE, maxUnavailablePath } from '../../cluster/strategy-terms';
import type { StrategyNames, StrategyOwner } from '../../cluster/strategy-terms';
import type { Workload } from '../../cluster/workload';

interface FencepostData {
  readonly maxSurge: Seen;
  readonly maxUnavailable: Seen;
  readonly replicas: number;
  readonly names: StrategyNames;
  readonly strategyOwner?: StrategyOwner;
}

/** Both limits come to 0 pods. */
export const fencepost = rule({
  code: 'kubernetes/fencepost',
  since: '0.1.0',
  severity: 'info',
  fires: 'maxSurge and maxUnavailable both resolve to 0 pods, so the controller takes maxUnavailable as 1.',
  why:
    'A percentage of few replicas rounds down to 0 for maxUnavailable, and with no surge nothing could move. ' +
    'The API server only refuses two literal zeros; the controller then replaces one pod at a time, ' +
    'with one fewer available than was asked for (`ResolveFenceposts`).',
  fix: 'Write what is meant: `maxUnavailable: 1`, or `maxSurge: 1` to keep every replica available.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  strategy:
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 25%
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  strategy:
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  messages: {
    bothZero: message<FencepostData>({
      text: ({ maxSurge, maxUnavailable, replicas, names }) =>
        `${names.maxSurge} ${show(maxSurge)} and ${names.maxUnavailable} ${show(maxUnavailable)} both come to 0 pods for ` +
        `${counted(replicas, 'replica')}, so the controller takes ${names.maxUnavailable} as 1: one pod is missing at a time.`,
      help: ({ names, strategyOwner }) =>
        strategyOwner
          ? OWNER_ADVICE[strategyOwner]
          : `Write ${names.maxUnavailable}: 1 if that is meant, or ${names.maxSurge}: 1 and ${names.maxUnavailable}: 0 to keep every replica available.`,
      advice: ({ strategyOwner }, path) => (strategyOwner ? undefined : byChoice(set(path, 1))),
      sample: { maxSurge: 0, maxUnavailable: '25%', replicas: 3, names: KUBERNETES_NAMES },
      variants: [{ maxSurge: '0%', maxUnavailable: '50%', replicas: 1, names: KUBERNETES_NAMES, strategyOwner: 'kserve-canary' }],
    }),
  },
});

/** Says that the controller takes a limit of 0 as 1, because both come to 0. */
export function fencepostFindings(
  { strategyPath, names, strategyOwner }: Workload,
  replicas: number,
  { maxSurge, maxUnavailable }: { readonly maxSurge: unknown; readonly maxUnavailable: unknown },
): Finding[] {
  const data = { maxSurge: seen(maxSurge), maxUnavailable: seen(maxUnavailable), replicas, names, ...(strategyOwner && { strategyOwner }) };
  return [fencepost.finding('bothZero', { path: maxUnavailablePath({ strategyPath, names, strategyOwner }), data })];
}
