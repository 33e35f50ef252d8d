import { defineMessage, defineRule } from '../../core/findings/finding';

interface OwnerData {
  /** `Rollout "web"` */
  readonly owner: string;
  /** Kind of the workload. */
  readonly kind: string;
}

interface PausedData extends OwnerData {
  /** Number of pods that it asks for: `3`, `at least 3` or `the current number of`. */
  readonly pods: string;
}

const WORKLOAD = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: web:2
          readinessProbe: { tcpSocket: { port: 80 } }
`;

/** A controller next to that of a workload that decides about its pods. */
export const otherOwner = defineRule({
  code: 'kubernetes/other-owner',
  since: '0.1.0',
  severity: 'info',
  fires:
    'An OpenKruise Rollout, a VerticalPodAutoscaler, or a ScaledObject that scales to zero, is paused or has a fallback refers to the workload.',
  why:
    'OpenKruise pauses the workload and replaces its pods in steps of its own. A VerticalPodAutoscaler sets the requests of new pods, so the room and the quota that the manifest needs are not those of the pods. ' +
    'KEDA removes all pods while no trigger is active, sets the number of its fallback while a trigger fails, and scales nothing while it is paused.',
  fix: 'Nothing has to be done. Read the steps of the other controller.',
  example: `${WORKLOAD}---
apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata:
  name: web
spec:
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  strategy: { canary: { steps: [{ replicas: 1 }] } }
`,
  fixedExample: WORKLOAD,
  messages: {
    kruise: defineMessage<OwnerData>({
      text: ({ owner, kind }) =>
        `${owner} of OpenKruise replaces the pods of this ${kind} in its own steps: its webhook pauses the ${kind}, so the strategy here does not decide, and the plan shows no waves.`,
      sample: { owner: 'Rollout "web"', kind: 'Deployment' },
    }),
    vpa: defineMessage<OwnerData>({
      text: ({ owner, kind }) =>
        `${owner} sets the requests of new pods of this ${kind}: the capacity that the plan computes is that of the requests in the manifest.`,
      sample: { owner: 'VerticalPodAutoscaler "web"', kind: 'Deployment' },
    }),
    'keda-zero': defineMessage<OwnerData>({
      text: ({ owner, kind }) => `${owner} scales this ${kind} to 0 while no trigger is active: an apply then replaces no pod.`,
      sample: { owner: 'ScaledObject "web"', kind: 'Deployment' },
    }),
    'keda-paused': defineMessage<PausedData>({
      text: ({ owner, kind, pods }) =>
        `${owner} is paused: KEDA keeps ${pods} pods of this ${kind} and deletes its autoscaler, so no load and no failure changes the number.`,
      help: () => 'Remove the annotation autoscaling.keda.sh/paused or paused-replicas to let KEDA scale again.',
      sample: { owner: 'ScaledObject "web"', kind: 'Deployment', pods: '2' },
      variants: [{ owner: 'ScaledObject "web"', kind: 'Deployment', pods: 'the current number of' }],
    }),
    'keda-fallback': defineMessage<PausedData>({
      text: ({ owner, kind, pods }) =>
        `While a trigger of ${owner} fails, KEDA asks for ${pods} pods of this ${kind} (fallback), within its minimum and maximum.`,
      sample: { owner: 'ScaledObject "web"', kind: 'Deployment', pods: '6' },
    }),
  },
});
