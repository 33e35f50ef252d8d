import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';

interface OwnerData {
  readonly rollout: string;
}

const EXAMPLE = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  replicas: 0
  selector:
    matchLabels:
      app: api
  template:
    metadata:
      labels:
        app: api
    spec:
      containers:
        - name: api
          image: api:1
          readinessProbe: { httpGet: { path: /, port: 8080 } }
`;

const ROLLOUT = `---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata:
  name: api
spec:
  replicas: 3
  selector:
    matchLabels:
      app: api
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: api, scaleDown: onsuccess }
  strategy:
    canary: {}
`;

/** A Deployment whose pods a Rollout replaces. */
export const ownsDeployment = defineRule({
  code: 'argo-rollouts/owns-deployment',
  since: '0.1.0',
  severity: 'info',
  fires: 'A Rollout references this Deployment and scales it down.',
  why: 'The Rollout takes the pod template of the Deployment and runs the pods. The Deployment has none, so its strategy does not matter.',
  fix: 'Nothing has to be done: the plan shows the steps of the Rollout.',
  example: EXAMPLE + ROLLOUT,
  fixedExample: EXAMPLE.replace('replicas: 0', 'replicas: 3'),
  messages: {
    referenced: defineMessage<OwnerData>({
      text: ({ rollout }) =>
        `Rollout "${rollout}" runs the pods of this template and scales this Deployment to 0: a new template rolls out in the steps of the Rollout.`,
      sample: { rollout: 'api' },
    }),
  },
});

/** Reports that a Rollout runs the pods of a Deployment. */
export function checkOwnsDeployment(rollout: string): Finding[] {
  return [ownsDeployment.createFinding('referenced', { path: toFieldPath`spec.template`, data: { rollout } })];
}
