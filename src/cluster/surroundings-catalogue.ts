import { findingsOf } from '../core/finding';
import type { FindingCatalogue } from '../core/finding';

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
`;

const WEB_PODS = `  template:
    metadata:
      labels: { app: web }
`;

const BUDGET = `---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
`;

const AUTOSCALER = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
`;

/** The findings that a workload gives together with other objects: budgets, autoscalers, volumes, quotas, capacity. */
export const SURROUNDINGS_CATALOGUE = {
  'kubernetes/pdb-blocks-eviction': {
    severity: 'warning',
    fires: 'A PodDisruptionBudget allows no eviction even while all of its pods are healthy, or two of them select the same pods.',
    why:
      'A drain evicts pods and retries for as long as the budget says no; a budget that asks for all of its pods says no for ever, so ' +
      'nodes can be neither drained nor upgraded. minAvailable and maxUnavailable are both rounded up: 50% of 1 is 1. An eviction of a ' +
      'pod that two budgets select fails whatever they allow. Rollouts delete pods without asking the budget and are not stopped by it.',
    fix: 'Write `maxUnavailable: 1`, which holds for any number of replicas, run at least 2, and have one budget for them.',
    example: `${DEPLOYMENT}spec:
  replicas: 3
${WEB_PODS}${BUDGET}spec:
  minAvailable: 3
  selector: { matchLabels: { app: web } }
`,
    fixed: `${DEPLOYMENT}spec:
  replicas: 3
${WEB_PODS}${BUDGET}spec:
  maxUnavailable: 1
  selector: { matchLabels: { app: web } }
`,
  },
  'kubernetes/pdb-broken-by-rollout': {
    severity: 'warning',
    fires: 'A rollout leaves fewer pods available than a PodDisruptionBudget asks for.',
    why:
      'Controllers delete pods directly and never ask a budget (k/k#34776), so the promise that it makes holds for drains and not for ' +
      'rollouts. While a rollout is below the budget, nodes cannot be drained either. Pods of several workloads under one budget add up.',
    fix: 'Lower maxUnavailable of the rollout to what the budget allows, or loosen the budget.',
    example: `${DEPLOYMENT}spec:
  replicas: 4
  strategy:
    rollingUpdate: { maxSurge: 0, maxUnavailable: 2 }
${WEB_PODS}${BUDGET}spec:
  minAvailable: 3
  selector: { matchLabels: { app: web } }
`,
    fixed: `${DEPLOYMENT}spec:
  replicas: 4
  strategy:
    rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }
${WEB_PODS}${BUDGET}spec:
  minAvailable: 3
  selector: { matchLabels: { app: web } }
`,
  },
  'kubernetes/hpa-without-target': {
    severity: 'warning',
    fires: 'A HorizontalPodAutoscaler names a Deployment or StatefulSet without apiVersion, or in a group that has none.',
    why:
      'The API server takes a `scaleTargetRef` without apiVersion. The controller then looks for the kind in the core group, finds none ' +
      '(FailedGetScale) and never scales anything; nor does it find one in `extensions`, which Deployments left with Kubernetes 1.16. ' +
      'Such an autoscaler does not count as the owner of the replicas.',
    fix: 'Write `apiVersion: apps/v1` into the scaleTargetRef.',
    example: `${DEPLOYMENT}spec:
  template: {}
${AUTOSCALER}spec:
  scaleTargetRef: { kind: Deployment, name: web }
  maxReplicas: 9
`,
    fixed: `${DEPLOYMENT}spec:
  template: {}
${AUTOSCALER}spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  maxReplicas: 9
`,
  },
  'kubernetes/rwo-volume-surge': {
    severity: ['warning', 'error'],
    fires: 'A Deployment creates new pods before the old ones are gone, and they mount a claim that is ReadWriteOnce.',
    why:
      'A ReadWriteOnce volume is attached to one node, also where it is only read. A new pod on another node waits until the old pods ' +
      'are gone, and with maxUnavailable 0 they wait for it: the rollout stands still. ReadWriteOncePod does not even allow a second ' +
      'pod on the same node: an error with 2 replicas or more, of a StatefulSet too, and where the only pod does not go first. Of an ' +
      'InferenceService, the claim of a storageUri `pvc://claim/path` counts too.',
    fix:
      'Let a single pod go first (Recreate, or `maxSurge: 0` with `maxUnavailable: 1`). Several pods need a ReadWriteMany claim, or one ' +
      'each: a StatefulSet with volumeClaimTemplates.',
    example: `${DEPLOYMENT}spec:
  replicas: 1
  template:
    spec:
      volumes:
        - name: data
          persistentVolumeClaim: { claimName: data }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
spec:
  accessModes: [ReadWriteOnce]
`,
    fixed: `${DEPLOYMENT}spec:
  replicas: 1
  strategy: { type: Recreate }
  template:
    spec:
      volumes:
        - name: data
          persistentVolumeClaim: { claimName: data }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
spec:
  accessModes: [ReadWriteOnce]
`,
  },
  'kubernetes/no-room': {
    severity: ['error', 'warning'],
    fires:
      'A rollout never ends, because its pods find no room in the capacity given or in a ResourceQuota in view, surge or not, or because ' +
      'the quota lets none of them in.',
    why:
      'New pods that find no room stay Pending, or are not even created where a quota refuses them, and nothing frees a place for ' +
      'them: the replicas alone ask for more than there is. Where only the surge lacks room, or maxUnavailable comes to 0 under a full ' +
      'quota, kubernetes/surge-needs-headroom says so. A warning where there is room now, and none at the maximum of an autoscaler. ' +
      'Old pods are taken to ask for as much as new ones, and the pods of the other workloads to stay as they are. A quota on ' +
      'CPU or memory refuses every pod with a container that does not name it, and one on count/replicasets.apps the ReplicaSet that ' +
      'each change of a Deployment begins with, whatever room there is.',
    fix:
      'Raise the quota or add nodes, or lower the replicas or what a pod asks for; name the CPU and memory that a quota counts in every ' +
      'container, or let a LimitRange fill it in.',
    example: `${DEPLOYMENT}spec:
  replicas: 4
  template:
    spec:
      containers:
        - name: web
          image: web:2
          resources: { requests: { cpu: 2 } }
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: compute
spec:
  hard: { requests.cpu: 6 }
`,
    fixed: `${DEPLOYMENT}spec:
  replicas: 4
  template:
    spec:
      containers:
        - name: web
          image: web:2
          resources: { requests: { cpu: 1 } }
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: compute
spec:
  hard: { requests.cpu: 6 }
`,
  },
} satisfies FindingCatalogue;

export const surroundingsFinding = findingsOf(SURROUNDINGS_CATALOGUE);
