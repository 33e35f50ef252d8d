import { suggestManualFix, setField } from '../../core/findings/suggested-fix';
import type { Finding } from '../../core/findings/finding';
import { defineMessage, defineRule } from '../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { pluralize } from '../../core/text/text-format';
import { KUBERNETES_FIELD_NAMES, ADVICE_BY_OWNER, getMaxUnavailablePath } from '../../cluster/rollout/strategy-field-names';
import type { StrategyFieldNames, StrategyOwner } from '../../cluster/rollout/strategy-field-names';
import type { Workload } from '../../cluster/rollout/workload';

interface FencepostData {
  readonly maxSurge: DisplayValue;
  readonly maxUnavailable: DisplayValue;
  readonly replicas: number;
  readonly names: StrategyFieldNames;
  readonly strategyOwner?: StrategyOwner;
}

/** Reports limits that both resolve to 0 pods. */
export const fencepost = defineRule({
  code: 'kubernetes/fencepost',
  since: '0.1.0',
  severity: 'info',
  fires: 'maxSurge and maxUnavailable both round to 0 pods, so the controller uses maxUnavailable: 1.',
  why:
    'For few replicas, a percentage in maxUnavailable rounds down to 0. Without surge, no pod could then be replaced. ' +
    'The API server refuses only two literal zeros. In all other cases the controller replaces one pod at a time, ' +
    'with one fewer available than requested (`ResolveFenceposts`).',
  fix: 'Write the intended limit: `maxUnavailable: 1`, or `maxSurge: 1` to keep every replica available.',
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
  fixedExample: `apiVersion: apps/v1
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
    bothZero: defineMessage<FencepostData>({
      text: ({ maxSurge, maxUnavailable, replicas, names }) =>
        `${names.maxSurge} ${formatDisplayValue(maxSurge)} and ${names.maxUnavailable} ${formatDisplayValue(maxUnavailable)} both round to 0 pods for ` +
        `${pluralize(replicas, 'replica')}, so the controller uses ${names.maxUnavailable}: 1 and one pod is unavailable at a time.`,
      help: ({ names, strategyOwner }) =>
        strategyOwner
          ? ADVICE_BY_OWNER[strategyOwner]
          : `Write ${names.maxUnavailable}: 1 if that is intended, or ${names.maxSurge}: 1 and ${names.maxUnavailable}: 0 to keep every replica available.`,
      suggestedFix: ({ strategyOwner }, path) => (strategyOwner ? undefined : suggestManualFix(setField(path, 1))),
      sample: { maxSurge: 0, maxUnavailable: '25%', replicas: 3, names: KUBERNETES_FIELD_NAMES },
      variants: [{ maxSurge: '0%', maxUnavailable: '50%', replicas: 1, names: KUBERNETES_FIELD_NAMES, strategyOwner: 'kserve-canary' }],
    }),
  },
});

/** Reports that the controller uses maxUnavailable: 1, because both limits round to 0. */
export function checkFencepost(
  { strategyPath, names, strategyOwner }: Workload,
  replicas: number,
  { maxSurge, maxUnavailable }: { readonly maxSurge: unknown; readonly maxUnavailable: unknown },
): Finding[] {
  const data = {
    maxSurge: toDisplayValue(maxSurge),
    maxUnavailable: toDisplayValue(maxUnavailable),
    replicas,
    names,
    ...(strategyOwner && { strategyOwner }),
  };
  return [fencepost.createFinding('bothZero', { path: getMaxUnavailablePath({ strategyPath, names, strategyOwner }), data })];
}
