import type { PlannedRollout } from '../../../src/core/document/rollout';
import type { Simulation } from '../../../src/core/simulations/simulation';
import { planManifests } from '../../../src/headless';

const GPU = 'nvidia.com/gpu';
const LABELS = { app: 'llm' };
const METADATA = { name: 'llm', namespace: 'models' };

/** The pods of every workload here: one container with 2 GPUs. */
const POD = { containers: [{ name: 'model', image: 'llm:2', resources: { limits: { [GPU]: 2 } } }] };
const TEMPLATE = { metadata: { labels: LABELS }, spec: POD };

function gpuQuota(gpus: number) {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'gpus', namespace: 'models' },
    spec: { hard: { [`requests.${GPU}`]: `${gpus}` } },
  };
}

/** A namespace in which the API server refuses all pods of these workloads. */
const RESTRICTED = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'models', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
};

/** A LimitRange that allows 1 GPU for a container. */
const ONE_GPU = {
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'one-gpu', namespace: 'models' },
  spec: { limits: [{ type: 'Container', max: { [GPU]: '1' } }] },
};

const NODES = ['a', 'b', 'c', 'd'].map((name) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  status: { allocatable: { cpu: '64', memory: '64Gi', pods: '110', [GPU]: '8' }, conditions: [{ type: 'Ready', status: 'True' }] },
}));

function deployment(maxSurge: number, maxUnavailable: number) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: METADATA,
    spec: {
      replicas: 4,
      strategy: { rollingUpdate: { maxSurge, maxUnavailable } },
      selector: { matchLabels: LABELS },
      template: TEMPLATE,
    },
  };
}

const STATEFUL_SET = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: METADATA,
  spec: { replicas: 4, serviceName: 'llm', selector: { matchLabels: LABELS }, template: TEMPLATE },
};

function daemonSet(maxSurge: number, maxUnavailable: number) {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: METADATA,
    spec: { updateStrategy: { rollingUpdate: { maxSurge, maxUnavailable } }, selector: { matchLabels: LABELS }, template: TEMPLATE },
  };
}

function inferenceService(maxSurge: number, maxUnavailable: number) {
  return {
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { ...METADATA, annotations: { 'serving.kserve.io/deploymentMode': 'RawDeployment' } },
    spec: {
      predictor: {
        minReplicas: 4,
        maxReplicas: 4,
        deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
        containers: [{ ...POD.containers[0], name: 'kserve-container' }],
      },
    },
  };
}

function canary(maxSurge: number, maxUnavailable: number) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: METADATA,
    spec: {
      replicas: 4,
      selector: { matchLabels: LABELS },
      strategy: { canary: { maxSurge, maxUnavailable, steps: [{ setWeight: 25 }, { pause: { duration: 10 } }] } },
      template: TEMPLATE,
    },
  };
}

const BLUE_GREEN = {
  ...canary(1, 0),
  spec: { ...canary(1, 0).spec, strategy: { blueGreen: { activeService: 'llm', autoPromotionEnabled: true } } },
};

/** Groups of a leader and workers. */
function groups(replicas: number, size: number, maxSurge: number, maxUnavailable: number) {
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: METADATA,
    spec: {
      replicas,
      rolloutStrategy: { rollingUpdateConfiguration: { maxSurge, maxUnavailable } },
      leaderWorkerTemplate: { size, workerTemplate: { spec: POD } },
    },
  };
}

/** Formats rows as `new/old`, with the available pods. */
function formatRows(simulation: Simulation): string {
  switch (simulation.kind) {
    case 'deployment':
      return simulation.waves.map((row) => `${row.newReplicas}/${row.oldReplicas} ${row.available}`).join(', ');
    case 'daemonset':
    case 'argorollout':
      return simulation.waves.map((row) => `${row.newPods}/${row.oldPods} ${row.available}`).join(', ');
    case 'leaderworkerset':
      return simulation.waves.map((row) => `${row.newGroups}/${row.oldGroups} ${row.available}`).join(', ');
    case 'statefulset':
      return simulation.batches.map((batch) => batch.join(' ')).join(', ');
    default:
      throw new Error(simulation.kind);
  }
}

function planOne(objects: readonly object[]): PlannedRollout {
  return planManifests(objects, { capacity: { apiVersion: 'v1', kind: 'List', items: NODES } }).rollouts[0]!;
}

/** Returns the verdict, the rows, the most pods (for groups: in pods) and where the rollout halts. */
function outcomeOf(objects: readonly object[]) {
  const { simulation, capacity } = planOne(objects);
  const { peakPods, halted } = simulation as { readonly peakPods?: number; readonly halted?: { readonly wave: number } };
  return [capacity!.verdict, formatRows(simulation!), peakPods, halted?.wave];
}

describe('a quota of 8 GPUs is full with 4 pods of 2 GPUs', () => {
  test.each([
    ['a Deployment with surge 1', deployment(1, 0), ['deadlocks', '', 4, 1]],
    ['a Deployment that may miss a pod', deployment(1, 1), ['slower', '1/3 3, 2/2 3, 3/1 3, 4/0 3', 4, undefined]],
    ['the Deployment of an InferenceService', inferenceService(1, 1), ['slower', '1/3 3, 2/2 3, 3/1 3, 4/0 3', 4, undefined]],
    ['a StatefulSet', STATEFUL_SET, ['fits', '3, 2, 1, 0', undefined, undefined]],
    ['a DaemonSet with surge 1', daemonSet(1, 0), ['deadlocks', '0/4 4', 4, 1]],
    ['a DaemonSet that may miss a pod', daemonSet(0, 1), ['fits', '1/3 3, 2/2 3, 3/1 3, 4/0 3', 4, undefined]],
    ['a canary with surge 1', canary(1, 0), ['deadlocks', '0/4 4', 4, 1]],
    ['a canary that may miss a pod', canary(1, 1), ['slower', '1/3 3, 1/3 4, 2/2 3, 3/1 3, 4/0 3, 4/0 4', 4, undefined]],
    ['a blue-green Rollout', BLUE_GREEN, ['deadlocks', '0/4 4', 4, 1]],
    ['groups of 1 pod', groups(4, 1, 1, 0), ['deadlocks', '0/4 4', 4, 1]],
    ['groups of 2 pods', groups(2, 2, 1, 0), ['deadlocks', '0/2 2', 4, 1]],
  ])('%s: no fifth pod exists', (_, workload, expected) => {
    expect(outcomeOf([workload, gpuQuota(8)])).toEqual(expected);
  });
});

describe('a quota of 10 GPUs has room for one more pod', () => {
  test.each([
    ['a Deployment with surge 2', deployment(2, 0), ['slower', '1/4 4, 2/3 4, 3/2 4, 4/1 4, 4/0 4', 5, undefined]],
    ['a DaemonSet with surge 2', daemonSet(2, 0), ['slower', '1/4 4, 2/3 4, 3/2 4, 4/1 4, 4/0 4', 5, undefined]],
    ['a canary with surge 2', canary(2, 0), ['slower', '1/4 4, 1/3 4, 2/3 4, 3/2 4, 4/1 4, 4/0 4', 5, undefined]],
    ['a blue-green Rollout', BLUE_GREEN, ['deadlocks', '1/4 4', 5, 1]],
    // The leader of the third group is admitted, and its worker is not.
    ['groups of 2 pods', groups(2, 2, 1, 0), ['deadlocks', '1/2 2', 5, 1]],
  ])('%s', (_, workload, expected) => {
    expect(outcomeOf([workload, gpuQuota(10)])).toEqual(expected);
  });
});

test('the StatefulSet of the leaders replaces the next group once the leader of an incomplete one is ready', () => {
  // 7 GPUs are too few for 4 pods of 2 GPUs: the leader of the first new group is admitted next to an old group, and its worker is not.
  expect(outcomeOf([groups(2, 2, 0, 2), gpuQuota(7)])).toEqual(['deadlocks', '1/1 1, 2/0 0', 4, 2]);
});

describe('if the API server refuses all new pods, none is counted', () => {
  const workloads = [
    ['a Deployment', deployment(1, 0), '', undefined],
    ['a Deployment that may miss a pod', deployment(1, 1), '0/3 3', undefined],
    ['an InferenceService', inferenceService(1, 1), '0/3 3', undefined],
    ['a StatefulSet', STATEFUL_SET, '3', undefined],
    ['a DaemonSet', daemonSet(1, 0), '0/4 4', undefined],
    ['a DaemonSet that may miss a pod', daemonSet(0, 1), '0/3 3', undefined],
    ['a canary', canary(1, 0), '0/4 4', undefined],
    ['a canary that may miss a pod', canary(1, 1), '0/3 3', undefined],
    ['a blue-green Rollout', BLUE_GREEN, '0/4 4', undefined],
    ['groups of 2 pods', groups(2, 2, 1, 0), '0/2 2', undefined],
  ] as const;

  test.each(workloads)('by Pod Security: %s', (_, workload, rows) => {
    expect(outcomeOf([workload, RESTRICTED])).toEqual(['deadlocks', rows, workload === STATEFUL_SET ? undefined : 4, 1]);
  });

  test.each(workloads.filter(([name]) => name !== 'an InferenceService'))('by a LimitRange: %s', (_, workload, rows) => {
    expect(outcomeOf([workload, ONE_GPU])).toEqual(['deadlocks', rows, workload === STATEFUL_SET ? undefined : 4, 1]);
  });
});
