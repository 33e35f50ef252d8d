import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';

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

interface BoundsData {
  /** `HorizontalPodAutoscaler "web-memory"` */
  readonly autoscaler: string;
  readonly minimum: number;
  readonly maximum: number;
  /** The autoscaler whose bounds exclude these. */
  readonly other: string;
  readonly otherMinimum: number;
  readonly otherMaximum: number;
  /** `Deployment "web"` */
  readonly target: string;
  /** Whether KEDA's webhook may refuse one of them. */
  readonly isKeda: boolean;
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

/** Autoscalers of the same pods, which then do not scale them by their metrics, or each to its own bound. */
export const autoscalersConflict = defineRule({
  code: 'kubernetes/autoscalers-conflict',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires:
    'Two autoscalers target one workload (an error if their bounds exclude each other), or the selector of one target also selects the pods of the other.',
  why:
    'A HorizontalPodAutoscaler whose pods another one also controls no longer scales by its metrics (AmbiguousSelector). Its bounds still apply, so two with bounds ' +
    'that exclude each other add and remove pods without end. KEDA creates such an autoscaler for each ScaledObject, ' +
    'and its webhook refuses a ScaledObject for a workload that already has an autoscaler. Source: k/k podautoscaler/horizontal.go.',
  fix: 'Keep one autoscaler per workload, and give it all metrics. Keep the selectors of workloads apart.',
  example: EXAMPLE + EXAMPLE.slice(EXAMPLE.indexOf('---')).replace('metadata:\n  name: web', 'metadata:\n  name: web-memory'),
  fixedExample: EXAMPLE,
  messages: {
    'same-target': defineMessage<ConflictData>({
      text: ({ autoscaler, target, ...conflict }) =>
        `${autoscaler} and ${formatOthers(conflict)} both target ${target}: neither scales it by its metrics (AmbiguousSelector), and the bounds of each apply.`,
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
        `${autoscaler} and ${formatOthers(conflict)} both target ${target}: KEDA refuses the ScaledObject, because the workload already has an autoscaler, or neither scales it by its metrics (AmbiguousSelector).`,
      help: () => 'Keep one of them: a ScaledObject with a cpu or memory trigger replaces a HorizontalPodAutoscaler.',
      sample: { autoscaler: 'ScaledObject "web"', others: ['HorizontalPodAutoscaler "web"'], target: 'Deployment "web"' },
    }),
    'bounds-exclude': defineMessage<BoundsData>({
      text: ({ autoscaler, minimum, maximum, other, otherMinimum, otherMaximum, target, isKeda }) =>
        `${autoscaler} (${minimum} to ${maximum}) and ${other} (${otherMinimum} to ${otherMaximum}) both target ${target}, and their bounds exclude each other: ` +
        `${isKeda ? 'unless KEDA refuses the ScaledObject, ' : ''}each writes its own bound in turn, so pods are added and removed without end.`,
      help: () => 'Delete one of them, and write its metrics into the other.',
      sample: {
        autoscaler: 'HorizontalPodAutoscaler "web-memory"',
        minimum: 5,
        maximum: 9,
        other: 'HorizontalPodAutoscaler "web"',
        otherMinimum: 1,
        otherMaximum: 2,
        target: 'Deployment "web"',
        isKeda: false,
      },
      variants: [
        {
          autoscaler: 'ScaledObject "web"',
          minimum: 1,
          maximum: 2,
          other: 'HorizontalPodAutoscaler "web"',
          otherMinimum: 5,
          otherMaximum: 9,
          target: 'Deployment "web"',
          isKeda: true,
        },
      ],
    }),
    'same-pods': defineMessage<OverlapData>({
      text: ({ autoscaler, target, otherTarget, ...conflict }) =>
        `The selector of ${target} also selects the pods of ${otherTarget}: ${autoscaler} and ${formatOthers(conflict)} both control them, and neither scales by its metrics (AmbiguousSelector).`,
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
