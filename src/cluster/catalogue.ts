import { findingsOf } from '../core/finding';
import type { FindingCatalogue } from '../core/finding';

/** The findings about Deployments, StatefulSets and every strategy that ends in one. */
export const KUBERNETES_CATALOGUE = {
  'kubernetes/quoted-integer': {
    severity: 'error',
    fires: 'A number stands in quotes where the API server wants a whole number, or a whole number or a percentage.',
    why:
      'The only string that maxSurge and maxUnavailable take is a percentage (`^[0-9]+%$`), and fields such as replicas take no ' +
      'string at all. The KServe and IBM guides print `"1"`; copied as it is, the API server refuses the object, and a controller ' +
      'that copies it into a Deployment fails at every reconcile.',
    fix: 'Write the number without quotes, or a percentage with its sign.',
    example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate:
      maxSurge: "1"
      maxUnavailable: 1
`,
    fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 1
`,
  },
  'kubernetes/invalid-strategy': {
    severity: ['error', 'warning'],
    fires: 'The API server refuses a value of the strategy, or one of the numbers around it.',
    why:
      'Its rules: maxSurge and maxUnavailable are whole numbers of at least 0 or percentages, not both 0, maxUnavailable at most ' +
      '100%; Recreate takes no `rollingUpdate`, and neither does OnDelete; the type is one of those it knows; ' +
      'progressDeadlineSeconds is above minReadySeconds; replicas and the other counts are at least 0. Numbers are int32: no ' +
      'fraction, nothing above 2147483647. A HorizontalPodAutoscaler has a maxReplicas, at least 1 and not below minReplicas; a ' +
      'budget has one of minAvailable and maxUnavailable. A warning for minReplicas 0 where only an alpha gate allows it, before Kubernetes 1.37. ' +
      'Source: validation.go of pkg/apis/apps, autoscaling and policy of Kubernetes.',
    fix: 'Write a value that the message allows.',
    example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 0
`,
    fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
`,
  },
  'kubernetes/surge-needs-headroom': {
    severity: ['info', 'warning', 'error'],
    fires: 'maxUnavailable resolves to 0, so the rollout cannot start before the cluster has room for another pod.',
    why:
      'The controller deletes no old pod until a new one is ready. Where the new one finds no room (a full quota, no free GPU, one ' +
      'pod a node) the rollout stands still for good, with the old pods healthy. The default 25% comes to 0 for 1, 2 and 3 replicas. ' +
      'An info as a rule; a warning where the pods ask for an extended resource such as a GPU, which a cluster seldom has to spare; an ' +
      'error where a ResourceQuota in view, or the capacity given with `--capacity`, has no room for even one more pod.',
    fix: 'Keep room for maxSurge pods, or allow one pod to go first: `maxSurge: 0` with `maxUnavailable: 1`.',
    example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: model
          image: model:2
          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
          resources:
            limits: { nvidia.com/gpu: 1 }
`,
    fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 2
  strategy:
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 1
  template:
    spec:
      containers:
        - name: model
          image: model:2
          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
          resources:
            limits: { nvidia.com/gpu: 1 }
`,
  },
  'kubernetes/fencepost': {
    severity: 'info',
    fires: 'maxSurge and maxUnavailable both resolve to 0 pods, so the controller takes maxUnavailable as 1.',
    why:
      'A percentage of few replicas rounds down to 0 for maxUnavailable, and with no surge nothing could move. The API server only ' +
      'refuses two literal zeros; the controller then replaces one pod at a time, with one fewer available than was asked for ' +
      '(`ResolveFenceposts`).',
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
`,
  },
  'kubernetes/outage': {
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
  },
  'kubernetes/hpa-owns-replicas': {
    severity: 'warning',
    fires: 'replicas is set while a HorizontalPodAutoscaler or a KEDA ScaledObject targets the workload.',
    why:
      'Every apply puts the number back, and the autoscaler corrects it afterwards: pods are deleted under load, in the middle of a ' +
      'rollout too (k/k#25238). Replicas 0 switch a HorizontalPodAutoscaler off until someone scales the workload up by hand. In an ' +
      'InferenceService with autoscalerClass none it is minReplicas that KServe writes, at every reconcile.',
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
  },
  'kubernetes/no-readiness-probe': {
    severity: 'warning',
    fires: 'A container of a workload that updates by rolling has no readiness probe.',
    why:
      'Without one a pod counts as ready as soon as its containers run, so the rollout does not wait for the application and takes ' +
      'the old pods away too early. With a startup probe it waits for that to succeed once, and for nothing afterwards.',
    fix: 'Give the container a `readinessProbe` that succeeds only when it can serve.',
    example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  template:
    spec:
      containers:
        - name: web
          image: web:2
`,
    fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  template:
    spec:
      containers:
        - name: web
          image: web:2
          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
`,
  },
  'kubernetes/progress-deadline-too-short': {
    severity: 'warning',
    fires: 'A pod needs as long to become available as the rollout may stand without progress.',
    why:
      'A pod counts once it is ready (start-up) and has stayed so for minReadySeconds. If the start-up takes progressDeadlineSeconds (600 ' +
      'unless set) or more, the Deployment is marked as failed (ProgressDeadlineExceeded) while it is only slow, and what watches it ' +
      'gives up. Where only both together take that long, the rollout goes on, since a pod that becomes ready is progress too; a deadline ' +
      'above the sum does not depend on that. The start-up seconds are those of `--startup-seconds`, or of the annotation ' +
      '`rolloutkit/startup-seconds` on the pod template.',
    fix: 'Set `progressDeadlineSeconds` well above start-up plus minReadySeconds.',
    example: `# rolloutkit plan --startup-seconds 900 model.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 4
`,
    fixed: `# rolloutkit plan --startup-seconds 900 model.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 4
  progressDeadlineSeconds: 1800
`,
  },
  'kubernetes/statefulset-max-unavailable-dropped': {
    severity: 'warning',
    fires: 'A StatefulSet has maxUnavailable, and this Kubernetes version drops the field.',
    why:
      'The gate MaxUnavailableStatefulSet is off up to 1.34, from 1.35.4 on and in 1.36 (on in 1.35.0 to 1.35.3 and from 1.37 on). ' +
      'With the gate off the API server drops the field without a word and the controller replaces one pod at a time.',
    fix: 'Delete the field, or turn the gate on and plan for a version that keeps it: `--versions kubernetes=1.37`.',
    example: `# rolloutkit plan --versions kubernetes=1.34 db.yaml
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 5
  updateStrategy:
    rollingUpdate:
      maxUnavailable: 2
`,
    fixed: `# rolloutkit plan --versions kubernetes=1.37 db.yaml
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 5
  updateStrategy:
    rollingUpdate:
      maxUnavailable: 2
`,
  },
  'kubernetes/statefulset-partition-holds-all': {
    severity: 'info',
    fires: 'The partition is at or above the replicas, so no pod is updated.',
    why:
      'Only pods whose index is at or above the partition are updated. This is a legal way to stage a change; it stays staged until ' +
      'the partition is lowered.',
    fix: 'Lower `partition` to the first index that may be updated; 0 updates all.',
    example: `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 3
  updateStrategy:
    rollingUpdate:
      partition: 3
`,
    fixed: `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 3
  updateStrategy:
    rollingUpdate:
      partition: 2
`,
  },
  'kubernetes/foreign-owner': {
    severity: 'warning',
    fires: 'A strategy is written into a workload that another controller owns.',
    why:
      'The owner (an ownerReference with `controller: true`) writes the whole object from its own spec at its next reconcile, so the ' +
      'strategy is undone, or the two fight over it.',
    fix: 'Set the strategy on the owner, where its API has a field for it.',
    example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: iris-predictor
  ownerReferences:
    - { apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, name: iris, uid: 8d1f, controller: true }
spec:
  replicas: 4
  strategy:
    rollingUpdate:
      maxSurge: 1
`,
    fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: iris-predictor
  ownerReferences:
    - { apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, name: iris, uid: 8d1f, controller: true }
spec:
  replicas: 4
`,
  },
  'kubernetes/paused': {
    severity: 'info',
    fires: 'The Deployment is paused.',
    why:
      'The controller rolls nothing out while `spec.paused` is true; it only scales the ReplicaSets that are there. So there is ' +
      'nothing to simulate.',
    fix: 'Delete `spec.paused`, or run `kubectl rollout resume`.',
    example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  paused: true
`,
    fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
`,
  },
} satisfies FindingCatalogue;

/** Makes findings of this catalogue, here and for the systems that end in a Deployment. */
export const kubernetesFinding = findingsOf(KUBERNETES_CATALOGUE);
