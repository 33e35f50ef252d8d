import { toFieldPath } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';

interface ConflictData {
  /** `HorizontalPodAutoscaler "web"` */
  readonly autoscaler: string;
  /** The other autoscalers, or the first of them. */
  readonly others: readonly string[];
  /** Number of further ones. @default 0 */
  readonly omitted?: number;
  /** `Deployment "web"` */
  readonly target: string;
}

interface OverlapData extends ConflictData {
  /** The target of the other autoscaler. */
  readonly otherTarget: string;
}

/** Formats the other autoscalers: `a and b`, or `a and b and c and 7 more`. */
function formatOthers({ others, omitted = 0 }: Pick<ConflictData, 'others' | 'omitted'>): string {
  return [...others, ...(omitted > 0 ? [`${omitted} more`] : [])].join(' and ');
}

const EXAMPLE = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: web:1
          readinessProbe: { tcpSocket: { port: 80 } }
          resources: { requests: { cpu: 100m } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  maxReplicas: 9
`;

/** Autoscalers of the same pods, which then do not scale them. */
export const autoscalersConflict = defineRule({
  code: 'kubernetes/autoscalers-conflict',
  since: '0.1.0',
  severity: 'warning',
  fires: 'Two autoscalers target one workload, or the selector of one target also selects the pods of the other.',
  why:
    'A HorizontalPodAutoscaler whose pods another one also controls stops scaling (AmbiguousSelector). KEDA creates such an autoscaler for each ScaledObject, ' +
    'and its webhook refuses a ScaledObject for a workload that already has an autoscaler. Source: k/k podautoscaler/horizontal.go.',
  fix: 'Keep one autoscaler per workload, and give it all metrics. Keep the selectors of workloads apart.',
  example: EXAMPLE + EXAMPLE.slice(EXAMPLE.indexOf('---')).replace('metadata:\n  name: web', 'metadata:\n  name: web-memory'),
  fixedExample: EXAMPLE,
  messages: {
    'same-target': defineMessage<ConflictData>({
      text: ({ autoscaler, target, ...conflict }) =>
        `${autoscaler} and ${formatOthers(conflict)} both target ${target}: neither scales it (AmbiguousSelector).`,
      help: () => 'Delete one of them, and write its metrics into the other.',
      sample: {
        autoscaler: 'HorizontalPodAutoscaler "web-memory"',
        others: ['HorizontalPodAutoscaler "web"'],
        target: 'Deployment "web"',
      },
      variants: [
        {
          autoscaler: 'HorizontalPodAutoscaler "e"',
          others: ['HorizontalPodAutoscaler "a"', 'HorizontalPodAutoscaler "b"', 'HorizontalPodAutoscaler "c"'],
          omitted: 1,
          target: 'Deployment "web"',
        },
      ],
    }),
    'same-target-keda': defineMessage<ConflictData>({
      text: ({ autoscaler, target, ...conflict }) =>
        `${autoscaler} and ${formatOthers(conflict)} both target ${target}: KEDA refuses the ScaledObject, because the workload already has an autoscaler, or neither scales it (AmbiguousSelector).`,
      help: () => 'Keep one of them: a ScaledObject with a cpu or memory trigger replaces a HorizontalPodAutoscaler.',
      sample: { autoscaler: 'ScaledObject "web"', others: ['HorizontalPodAutoscaler "web"'], target: 'Deployment "web"' },
    }),
    'same-pods': defineMessage<OverlapData>({
      text: ({ autoscaler, target, otherTarget, ...conflict }) =>
        `The selector of ${target} also selects the pods of ${otherTarget}: ${autoscaler} and ${formatOthers(conflict)} both control them, and neither scales (AmbiguousSelector).`,
      help: ({ target, otherTarget }) => `Keep the selectors of ${target} and ${otherTarget} apart.`,
      sample: {
        autoscaler: 'HorizontalPodAutoscaler "web"',
        others: ['HorizontalPodAutoscaler "api"'],
        target: 'Deployment "web"',
        otherTarget: 'Deployment "api"',
      },
    }),
  },
});

/** Path of the reference to the target in every kind of autoscaler. */
export const SCALE_TARGET_PATH = toFieldPath`spec.scaleTargetRef`;
