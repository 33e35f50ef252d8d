import { replicaRangeOf } from '../../cluster/autoscaler';
import type { Finding } from '../../core/finding';
import { message, rule } from '../../core/finding';
import type { Review } from '../review';

interface ReplicasData {
  readonly replicas: number;
  /** `HorizontalPodAutoscaler "web"` */
  readonly autoscaler: string;
}

interface ReconciledData extends ReplicasData {
  /** The Deployment that KServe writes. */
  readonly deployment: string;
}

/** Replicas that somebody writes while an autoscaler writes them too. */
export const hpaOwnsReplicas = rule({
  code: 'kubernetes/hpa-owns-replicas',
  since: '0.1.0',
  severity: 'warning',
  fires: 'replicas is set while a HorizontalPodAutoscaler or a KEDA ScaledObject targets the workload.',
  why:
    'Every apply puts the number back, and the autoscaler corrects it afterwards: pods are deleted under load, ' +
    'in the middle of a rollout too (k/k#25238). Replicas 0 switch a HorizontalPodAutoscaler off ' +
    'until someone scales the workload up by hand. In an InferenceService with autoscalerClass none it is minReplicas ' +
    'that KServe writes, at every reconcile.',
  fix: 'Delete `spec.replicas`; the autoscaler keeps to its minReplicas and maxReplicas.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
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
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec: {}
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
    applied: message<ReplicasData>({
      text: ({ replicas, autoscaler }) =>
        `replicas is ${replicas}, but the ${autoscaler} sets it too: every apply puts ${replicas} back, whatever the load.`,
      help: () => 'Delete spec.replicas.',
      sample: { replicas: 3, autoscaler: 'HorizontalPodAutoscaler "web"' },
    }),
    switchedOff: message<ReplicasData>({
      text: ({ replicas, autoscaler }) =>
        `replicas is ${replicas}, which switches the ${autoscaler} off: every apply takes all pods away, and it never scales up a workload that has none.`,
      help: () => 'Delete spec.replicas.',
      sample: { replicas: 0, autoscaler: 'HorizontalPodAutoscaler "web"' },
    }),
    reconciled: message<ReconciledData>({
      text: ({ replicas, autoscaler, deployment }) =>
        `KServe writes replicas ${replicas} into Deployment "${deployment}", but the ${autoscaler} sets it too: ` +
        `every reconcile puts ${replicas} back, whatever the load.`,
      help: ({ autoscaler }) => `Delete the ${autoscaler}: with autoscalerClass none it is KServe that keeps the replicas.`,
      sample: { replicas: 2, autoscaler: 'HorizontalPodAutoscaler "iris"', deployment: 'iris-predictor' },
    }),
  },
});

/** Warns of replicas that an apply or a reconcile and an autoscaler set in turn, or that switch the autoscaler off. */
export function autoscaledReplicasFindings({ autoscaler, writtenReplicas, workload }: Review): Finding[] {
  if (!autoscaler || !writtenReplicas) return [];
  const { path, replicas, writer } = writtenReplicas;
  const moves = replicaRangeOf(autoscaler, replicas) !== undefined;
  const data = { replicas, autoscaler: autoscaler.by };
  if (writer === 'apply') return [hpaOwnsReplicas.finding(moves ? 'applied' : 'switchedOff', { path, data })];
  return moves ? [hpaOwnsReplicas.finding('reconciled', { path, data: { ...data, deployment: workload.name } })] : [];
}
