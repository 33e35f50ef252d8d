import { withoutProse } from './prose';

/** A web shop with a quota, a disruption budget, an autoscaler and a volume. */
const SHOP = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  minReadySeconds: 10
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: web:2
          readinessProbe: {httpGet: {path: /, port: 80}}
          resources: {requests: {cpu: 1}}
      volumes: [{name: cache, persistentVolumeClaim: {claimName: cache}}]
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: cpus, namespace: shop}
spec: {hard: {requests.cpu: 6}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 4, selector: {matchLabels: {app: web}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {minReplicas: 4, maxReplicas: 6, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: cache, namespace: shop}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;

/** A model on four GPUs that is upgraded in steps of half a cluster. */
const MODEL = `apiVersion: ray.io/v1
kind: RayService
metadata: {name: llm, namespace: models}
spec:
  upgradeStrategy:
    type: NewClusterWithIncrementalUpgrade
    clusterUpgradeOptions: {gatewayClassName: istio, maxSurgePercent: 50, stepSizePercent: 50, intervalSeconds: 60}
  serveConfigV2: |
    applications: [{name: llm, import_path: serve:app, deployments: [{name: LLM, autoscaling_config: {min_replicas: 1, max_replicas: 4}}]}]
  rayClusterConfig:
    enableInTreeAutoscaling: true
    headGroupSpec:
      rayStartParams: {}
      template: {spec: {containers: [{name: ray-head, image: "ray:2.46", resources: {limits: {cpu: 2}}}]}}
    workerGroupSpecs:
      - groupName: gpus
        replicas: 4
        minReplicas: 0
        maxReplicas: 4
        rayStartParams: {}
        template: {spec: {containers: [{name: ray-worker, image: "ray:2.46", resources: {limits: {nvidia.com/gpu: 1}}}]}}
`;

/** An agent for every cluster: staging first, then one production cluster at a time. */
const AGENT = `apiVersion: fleet.cattle.io/v1alpha1
kind: Bundle
metadata: {name: agent, namespace: fleet-default}
spec:
  targets: [{clusterSelector: {}}]
  rolloutStrategy:
    maxUnavailable: 2
    maxUnavailablePartitions: 0
    partitions:
      - {name: staging, maxUnavailable: 1, clusterSelector: {matchLabels: {env: staging}}}
      - {name: production, maxUnavailable: 1, clusterSelector: {matchLabels: {env: prod}}}
`;

const CLUSTERS = {
  clusters: [
    { name: 'test-1', labels: { env: 'staging' } },
    { name: 'paris', labels: { env: 'prod' } },
    { name: 'tokyo', labels: { env: 'prod' } },
  ],
};

/** Two nodes with CPUs for the shop and the head of the model, and three with two GPUs each. */
const CAPACITY = `nodePools:
  - {name: cpu, count: 2, allocatable: {cpu: 8}}
  - {name: gpu, count: 3, allocatable: {cpu: 8, nvidia.com/gpu: 2}}
`;

const files = {
  'apps/agent.yaml': AGENT,
  'apps/llm.yaml': MODEL,
  'apps/shop.yaml': SHOP,
  'clusters.json': JSON.stringify(CLUSTERS),
  'capacity.yaml': CAPACITY,
  'full.yaml': CAPACITY.replace('count: 3', 'count: 2'),
};
const AROUND = 'apps --clusters clusters.json --startup-seconds 30';

test('rolloutkit plan shows the context of each rollout: capacity, budgets, autoscalers, volumes and time', async () => {
  const { exitCode, stdout, stderr } = await withoutProse(`plan ${AROUND} --capacity capacity.yaml`, { files });
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatchInlineSnapshot(`
"3 rollouts on Kubernetes 1.36, KubeRay 1.7 and Fleet 0.16 (all assumed): 2 warnings and 1 info
shared capacity: One after another: may not fit, because the pods have constraints that plans do not model. All at once: may not fit, because the pods have constraints that plans do not model.

  available  steady  one after another  all at once  resource  limit
         40   7300m             10200m       11200m  cpu       node pools

warning  kubernetes/pdb-blocks-eviction  Deployment shop/web  apps/shop.yaml:25:8  PodDisruptionBudget shop/web spec.minAvailable
  <blocked>
  fix: <blocked: fix>

warning  kubernetes/rwo-volume-surge  Deployment shop/web  apps/shop.yaml:15:55  spec.template.spec.volumes[0].persistentVolumeClaim.claimName
  <waits>
  fix: <waits: fix>

!  Deployment shop/web         4 pods: 3 waves, peak 5, at least 3 available
   Bundle fleet-default/agent  2 waves over 2 partitions, up to 2 clusters at once
   RayService models/llm       promoted after 2m, peak capacity 150%
a wave is one step: the controller creates and deletes pods, then waits until the new ones are ready
a wave of clusters is one step: Fleet releases the change to these clusters, then waits for their reports

Bundle fleet-default/agent (fleet)
  maxUnavailable 2 (rollout-strategy, over fleet-default 100%), maxUnavailable 1 (partition staging, over rollout-strategy 2 and fleet-default 100%), maxUnavailable 1 (partition production, over rollout-strategy 2 and fleet-default 100%), maxUnavailablePartitions 0 (rollout-strategy), maxNew 50 (fleet-default)
  takes about 1m, at least 1m; a broken image is never detected and breaks 2 clusters
  at most 2 clusters unavailable, and no partitions over the limit

  partition   clusters  max unavailable
  staging            1                1
  production         2                1

  install: 1 wave, up to 3 clusters pull images at once; done
  wave  clusters
  1            3  paris, test-1, tokyo

  update: 2 waves, up to 2 clusters pull images at once; done
  wave  clusters
  1            2  paris, test-1
  2            1  tokyo

RayService models/llm (kuberay)
  NewClusterWithIncrementalUpgrade, maxSurgePercent 50, stepSizePercent 50, intervalSeconds 60, gatewayClassName istio (user)
  Fits: there is capacity for its peak of 8 pods.
  takes about 2m2s, at least 2m; a broken image is never detected and breaks 3 pods
  workers: up to 4 pods with 4 GPUs; the peak adds up to 2 pods and 2 GPUs, and the new head pod
  NewClusterWithIncrementalUpgrade: promoted after 2m with 4 capacity changes and 2 traffic shifts, peak capacity 150%
  a rollback from half of the traffic takes 1m

  seconds  capacity old  new  traffic old  new
        0           100    0          100    0
       30           100   50          100    0
       60           100   50           50   50
       60            50   50           50   50
       60            50  100           50   50
      120            50  100            0  100
      120             0  100            0  100

Deployment shop/web (kubernetes)
  RollingUpdate, maxSurge 25%, maxUnavailable 25% (kubernetes-default)
  HorizontalPodAutoscaler "web": 4 replicas peak at 5 pods with at least 3 available; 6 replicas peak at 6 pods with at least 5 available
  at its maximum: May not fit: it takes 6 waves that create pods, with fewer pods at once, because it peaks at 8 requests.cpu and ResourceQuota "cpus" has 6 left, and plans do not model volumes.
  May not fit: there is capacity for its peak of 5 pods, but plans do not model volumes.
  takes about 1m50s, at least 1m20s; a broken image is detected after 10m and breaks 2 pods
  4 replicas: 3 waves (2 create pods), peak 5 pods, at least 3 available

  wave  new  old  total  available
     1    2    3      5          3
     2    4    1      5          3
     3    4    0      4          4

  info  kubernetes/insufficient-capacity  apps/shop.yaml:10:7  spec.template.spec.containers
    <undecided>
    fix: <undecided: fix>

  warning  kubernetes/pdb-blocks-eviction  apps/shop.yaml:25:8  PodDisruptionBudget shop/web spec.minAvailable

  warning  kubernetes/rwo-volume-surge  apps/shop.yaml:15:55  spec.template.spec.volumes[0].persistentVolumeClaim.claimName

Service models/llm-active-serve-svc: 5 ready endpoints; the stable Service of RayService models/llm; share of the new version in %: 0, 50, 100
  used by HTTPRoute models/llm-httproute
Service models/llm-pending-serve-svc: 0 -> 5 ready endpoints; the canary Service of RayService models/llm
  used by HTTPRoute models/llm-httproute

3 rollouts on Kubernetes 1.36, KubeRay 1.7 and Fleet 0.16 (all assumed): 2 warnings and 1 info
explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
});

test('rolloutkit check fails if one of them does not fit', async () => {
  const { exitCode, stdout } = await withoutProse(`check ${AROUND} --capacity full.yaml`, { files });
  expect(exitCode).toBe(1);
  expect(stdout).toMatchInlineSnapshot(`
"3 rollouts on Kubernetes 1.36, KubeRay 1.7 and Fleet 0.16 (all assumed): 1 never finishes, 1 error, 2 warnings and 1 info

error  kubernetes/insufficient-capacity  RayService models/llm  apps/llm.yaml:10:3  spec.rayClusterConfig
  <cluster>
  fix: <cluster: fix>

warning  kubernetes/pdb-blocks-eviction  Deployment shop/web  apps/shop.yaml:25:8  PodDisruptionBudget shop/web spec.minAvailable
  <blocked>
  fix: <blocked: fix>

warning  kubernetes/rwo-volume-surge  Deployment shop/web  apps/shop.yaml:15:55  spec.template.spec.volumes[0].persistentVolumeClaim.claimName
  <waits>
  fix: <waits: fix>

info  kubernetes/insufficient-capacity  Deployment shop/web  apps/shop.yaml:10:7  spec.template.spec.containers
  <undecided>
  fix: <undecided: fix>

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
});
