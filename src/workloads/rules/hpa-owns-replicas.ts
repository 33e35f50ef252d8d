import { replicaRangeOf } from '../../cluster/autoscaler';
import type { Autoscaler } from '../../cluster/autoscaler';
import type { Workload } from '../../cluster/workload';
import { suggestManualFix, removeField, setField } from '../../core/suggested-fix';
import type { SuggestedFix, EditTarget } from '../../core/suggested-fix';
import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { defineMessage, defineRule } from '../../core/finding';
import type { RuleContext } from '../rule-context';

interface ReplicasData {
  readonly replicas: number;
  /** `HorizontalPodAutoscaler "web"` */
  readonly autoscaler: string;
}

interface AppliedData extends ReplicasData {
  /** What is applied. */
  readonly applied: EditTarget & { readonly namespace?: string };
  /** Pods that the autoscaler keeps at least, where these are fewer than the replicas, and where it has that number. */
  readonly minimum?: { readonly pods: number; readonly field: string; readonly object: EditTarget };
}

interface ReconciledData extends ReplicasData {
  /** The Deployment that KServe writes. */
  readonly deployment: string;
}

/** Left out of the file alone, the field falls back to 1, and a live workload to one pod, until the autoscaler has corrected it. */
function formatOrderedSteps({ replicas, autoscaler, applied, minimum }: AppliedData): string {
  const namespaceFlag = applied.namespace === undefined ? '' : ` -n ${applied.namespace}`;
  const command = `kubectl apply edit-last-applied ${applied.kind.toLowerCase()}/${applied.name}${namespaceFlag}`;
  const minimumHint = minimum
    ? ` Before, write ${minimum.field}: ${replicas} into the ${autoscaler} if there are never to be fewer pods than now.`
    : '';
  return (
    `In this order: delete replicas from what was applied last (${command}), then delete spec.replicas here. ` +
    `Here alone, the next kubectl apply would leave 1 pod until the autoscaler has corrected it.${minimumHint}`
  );
}

function suggestOrderedSteps({ replicas, minimum }: AppliedData, path: FieldPath): SuggestedFix {
  const kept = minimum ? [setField(toFieldPath`spec.${minimum.field}`, replicas, minimum.object)] : [];
  return { edits: [...kept, removeField(path)], needsDecision: true, first: [{ do: 'forget-applied', path }] };
}

/** Replicas that somebody writes while an autoscaler writes them too. */
export const hpaOwnsReplicas = defineRule({
  code: 'kubernetes/hpa-owns-replicas',
  since: '0.1.0',
  severity: 'warning',
  fires: 'replicas is set while a HorizontalPodAutoscaler or a KEDA ScaledObject targets the workload.',
  why:
    'Every apply puts the number back, and the autoscaler corrects it afterwards: pods are deleted under load, ' +
    'in the middle of a rollout too (k/k#25238). Replicas 0 switch a HorizontalPodAutoscaler off ' +
    'until someone scales the workload up by hand. In an InferenceService with autoscalerClass none it is minReplicas ' +
    'that KServe writes, at every reconcile.',
  fix:
    'Take replicas out of what was applied last (`kubectl apply edit-last-applied deployment/web`), then delete `spec.replicas` from the file: ' +
    'deleted there alone, a client-side apply puts the default 1 into its place, and a live workload drops to one pod. ' +
    'With server-side apply it stays where the autoscaler has written it before. The autoscaler keeps to its minReplicas and maxReplicas.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
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
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 3
  maxReplicas: 9
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:1", readinessProbe: {tcpSocket: {port: 8080}}}]}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 3
  maxReplicas: 9
`,
  messages: {
    applied: defineMessage<AppliedData>({
      text: ({ replicas, autoscaler }) =>
        `replicas is ${replicas}, but the ${autoscaler} sets it too: every apply puts ${replicas} back, whatever the load.`,
      help: formatOrderedSteps,
      suggestedFix: suggestOrderedSteps,
      deduplicationKey: (data) => [data],
      sample: { replicas: 3, autoscaler: 'HorizontalPodAutoscaler "web"', applied: { kind: 'Deployment', name: 'web' } },
      variants: [
        {
          replicas: 3,
          autoscaler: 'HorizontalPodAutoscaler "web"',
          applied: { kind: 'StatefulSet', name: 'web', namespace: 'shop' },
          minimum: { pods: 1, field: 'minReplicas', object: { kind: 'HorizontalPodAutoscaler', name: 'web' } },
        },
      ],
    }),
    switchedOff: defineMessage<ReplicasData>({
      text: ({ replicas, autoscaler }) =>
        `replicas is ${replicas}, which switches the ${autoscaler} off: every apply takes all pods away, and it never scales up a workload that has none.`,
      help: () => 'Delete spec.replicas.',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { replicas: 0, autoscaler: 'HorizontalPodAutoscaler "web"' },
    }),
    reconciled: defineMessage<ReconciledData>({
      text: ({ replicas, autoscaler, deployment }) =>
        `KServe writes replicas ${replicas} into Deployment "${deployment}", but the ${autoscaler} sets it too: ` +
        `every reconcile puts ${replicas} back, whatever the load.`,
      help: ({ autoscaler }) => `Delete the ${autoscaler}: with autoscalerClass none it is KServe that keeps the replicas.`,
      sample: { replicas: 2, autoscaler: 'HorizontalPodAutoscaler "iris"', deployment: 'iris-predictor' },
    }),
  },
});

function buildAppliedData(
  { kind, name, namespace }: Pick<Workload, 'kind' | 'name' | 'namespace'>,
  { minimum, minimumField, object }: Autoscaler,
  replicas: number,
) {
  return {
    applied: { kind, name, ...(namespace !== undefined && { namespace }) },
    ...(minimum < replicas && { minimum: { pods: minimum, field: minimumField, object } }),
  };
}

/** Warns of replicas that an apply or a reconcile and an autoscaler set in turn, or that switch the autoscaler off. */
export function checkHpaOwnsReplicas({
  autoscaler,
  declaredReplicas,
  workload,
}: Pick<RuleContext, 'autoscaler' | 'declaredReplicas'> & { readonly workload: Pick<Workload, 'kind' | 'name' | 'namespace'> }): Finding[] {
  if (!autoscaler || !declaredReplicas) return [];
  const { path, replicas, writer } = declaredReplicas;
  const moves = replicaRangeOf(autoscaler, replicas) !== undefined;
  const data = { replicas, autoscaler: autoscaler.by };
  if (writer === 'apply' && !moves) return [hpaOwnsReplicas.createFinding('switchedOff', { path, data })];
  if (writer === 'apply')
    return [hpaOwnsReplicas.createFinding('applied', { path, data: { ...data, ...buildAppliedData(workload, autoscaler, replicas) } })];
  return moves ? [hpaOwnsReplicas.createFinding('reconciled', { path, data: { ...data, deployment: workload.name } })] : [];
}
