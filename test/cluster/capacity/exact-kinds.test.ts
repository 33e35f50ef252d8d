import type { PlannedRollout } from '../../../src/core/document/rollout';
import { planChange } from '../../../src/headless';

const GPU = 'nvidia.com/gpu';

function podSpec(gpus: number, image: string) {
  return { containers: [{ name: 'model', image, resources: { limits: { [GPU]: gpus } } }] };
}

function named(name: string, labels?: object) {
  return { name, namespace: 'models', ...(labels && { labels }) };
}

function node(name: string, gpus: number) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    status: { allocatable: { cpu: '64', pods: '110', [GPU]: `${gpus}` }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function pod(name: string, nodeName: string, spec: object, labels: object, [apiVersion, kind, owner]: readonly [string, string, string]) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...named(name, labels), ownerReferences: [{ apiVersion, kind, name: owner, uid: owner, controller: true }] },
    spec: { ...spec, nodeName },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function gpuQuota(gpus: number) {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: named('gpus'), spec: { hard: { [`requests.${GPU}`]: `${gpus}` } } };
}

/** Plans a change of running objects on nodes. */
function planOn(nodes: readonly object[], old: readonly object[], next: readonly object[]): readonly PlannedRollout[] {
  return planChange(old, next, nodes.length > 0 ? { capacity: { apiVersion: 'v1', kind: 'List', items: nodes } } : {}).rollouts;
}

function outcomeOf([rollout]: readonly PlannedRollout[]): string {
  const { verdict, deadlockWave, because } = rollout!.capacity!;
  return [verdict, ...(deadlockWave === undefined ? [] : [deadlockWave]), ...(because ?? [])].join(' ');
}

describe('a StatefulSet replaces its pods from the highest ordinal down', () => {
  const statefulSet = (gpus: number, image: string, partition = 0) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: named('db'),
    spec: {
      replicas: 2,
      serviceName: 'db',
      updateStrategy: { rollingUpdate: { partition } },
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: podSpec(gpus, image) },
    },
  });
  const pods = (gpus: number, nodes: readonly string[]) =>
    nodes.map((name, ordinal) => pod(`db-${ordinal}`, name, podSpec(gpus, 'db:1'), { app: 'db' }, ['apps/v1', 'StatefulSet', 'db']));

  test.each([
    ['a new pod takes the place of the old one', [2, 2], 2, 2, ['a', 'b'], 'fits'],
    ['a larger pod does not fit next to the pod of the lower ordinal', [2, 0], 1, 2, ['a', 'a'], 'deadlocks 1'],
    ['larger pods fit on nodes of their own', [2, 2], 1, 2, ['a', 'b'], 'fits'],
  ] as const)('%s', (_, [a, b], old, next, nodes, expected) => {
    const rollouts = planOn([node('a', a), node('b', b)], [statefulSet(old, 'db:1'), ...pods(old, nodes)], [statefulSet(next, 'db:2')]);
    expect(outcomeOf(rollouts)).toBe(expected);
  });

  test('a quota admits the first larger pod, but not the second one', () => {
    const rollouts = planOn([], [statefulSet(1, 'db:1'), gpuQuota(3)], [statefulSet(2, 'db:2'), gpuQuota(3)]);
    expect(outcomeOf(rollouts)).toBe('deadlocks 2');
    expect(rollouts[0]!.simulation).toMatchObject({ batches: [[1], [0]], halted: { wave: 2 } });
  });

  test('a pod below the partition keeps its requests', () => {
    const rollouts = planOn([node('a', 3)], [statefulSet(1, 'db:1', 1), ...pods(1, ['a', 'a'])], [statefulSet(2, 'db:2', 1)]);
    expect(outcomeOf(rollouts)).toBe('fits');
  });
});

describe('a LeaderWorkerSet replaces groups, the highest index first', () => {
  const set = (gpus: number, image: string, maxSurge = 0) => ({
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: named('llm'),
    spec: {
      replicas: 2,
      rolloutStrategy: { rollingUpdateConfiguration: { maxSurge, maxUnavailable: maxSurge > 0 ? 0 : 1 } },
      leaderWorkerTemplate: { size: 2, workerTemplate: { spec: podSpec(gpus, image) } },
    },
  });
  const prefix = 'leaderworkerset.sigs.k8s.io';
  const pods = (gpus: number, nodes: readonly string[]) =>
    nodes.map((name, index) => {
      const [group, worker] = [Math.floor(index / 2), index % 2];
      const labels = { [`${prefix}/name`]: 'llm', [`${prefix}/group-index`]: `${group}`, [`${prefix}/worker-index`]: `${worker}` };
      const owner = worker === 0 ? 'llm' : `llm-${group}`;
      return pod(`llm-${index}`, name, podSpec(gpus, 'llm:1'), labels, ['apps/v1', 'StatefulSet', owner]);
    });

  test.each([
    ['a group takes the place of the old one', 1, 1, 2, 'fits'],
    ['larger pods fit only if the old group was half of the node', 1, 2, 4, 'fits'],
    ['larger pods do not fit in the place of smaller ones', 1, 2, 2, 'deadlocks 1'],
  ] as const)('%s', (_, old, next, gpus, expected) => {
    const nodes = [node('a', gpus), node('b', gpus)];
    expect(outcomeOf(planOn(nodes, [set(old, 'llm:1'), ...pods(old, ['a', 'a', 'b', 'b'])], [set(next, 'llm:2')]))).toBe(expected);
  });

  test('a quota that large old groups use up admits no smaller one', () => {
    expect(outcomeOf(planOn([], [set(2, 'llm:1', 1), gpuQuota(8)], [set(1, 'llm:2', 1), gpuQuota(8)]))).toBe('deadlocks 1');
    expect(outcomeOf(planOn([], [set(2, 'llm:1', 1), gpuQuota(10)], [set(1, 'llm:2', 1), gpuQuota(10)]))).toBe('fits');
  });

  test('at the maximum of its autoscaler, old groups of another size leave the verdict open', () => {
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: named('llm'),
      spec: {
        minReplicas: 2,
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', name: 'llm' },
      },
    };
    const others = [gpuQuota(10), autoscaler];
    const [rollout] = planOn([], [set(2, 'llm:1', 1), ...others], [set(1, 'llm:2', 1), ...others]);
    // 3 old groups of 4 GPUs do not fit into 10.
    expect(rollout).toMatchObject({
      capacity: { verdict: 'fits' },
      autoscaled: { maximumCapacity: { verdict: 'may-not-fit', because: ['old pods with other requests'] } },
    });
  });
});

describe('the old cluster of a RayService keeps its requests while the new one starts', () => {
  const service = (gpus: number, image: string) => ({
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: named('ray'),
    spec: {
      rayClusterConfig: {
        rayVersion: '2.46.0',
        headGroupSpec: { rayStartParams: {}, template: { spec: podSpec(0, image) } },
        workerGroupSpecs: [
          { groupName: 'gpu', replicas: 2, minReplicas: 2, maxReplicas: 2, rayStartParams: {}, template: { spec: podSpec(gpus, image) } },
        ],
      },
    },
  });
  const pods = (gpus: number, nodes: readonly string[]) =>
    nodes.map((name, index) => {
      const labels = index === 0 ? { 'ray.io/node-type': 'head' } : { 'ray.io/node-type': 'worker', 'ray.io/group': 'gpu' };
      return pod(`ray-${index}`, name, podSpec(index === 0 ? 0 : gpus, 'ray:1'), labels, ['ray.io/v1', 'RayCluster', 'ray-abcde']);
    });

  test.each([
    ['both clusters fit', 1, 1, [2, 2], 'fits'],
    ['the new workers do not fit next to the old ones', 1, 1, [1, 2], 'deadlocks 1'],
    ['one smaller worker lacks a node', 2, 1, [2, 3], 'deadlocks 1'],
  ] as const)('%s', (_, old, next, [a, b], expected) => {
    const rollouts = planOn([node('a', a), node('b', b)], [service(old, 'ray:1'), ...pods(old, ['a', 'a', 'b'])], [service(next, 'ray:2')]);
    expect(outcomeOf(rollouts)).toBe(expected);
  });

  test('under a quota, too', () => {
    expect(outcomeOf(planOn([], [service(2, 'ray:1'), gpuQuota(5)], [service(1, 'ray:2'), gpuQuota(5)]))).toBe('deadlocks 1');
    expect(outcomeOf(planOn([], [service(2, 'ray:1'), gpuQuota(6)], [service(1, 'ray:2'), gpuQuota(6)]))).toBe('fits');
  });
});

describe('a DaemonSet replaces the pod of each node', () => {
  const cpuSpec = (cpu: string, image: string) => ({ containers: [{ name: 'agent', image, resources: { requests: { cpu } } }] });
  const agent = (cpu: string, image: string) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: named('agent'),
    spec: { selector: { matchLabels: { app: 'agent' } }, template: { metadata: { labels: { app: 'agent' } }, spec: cpuSpec(cpu, image) } },
  });
  const running = ['a', 'b'].map((name) =>
    pod(`agent-${name}`, name, cpuSpec('1', 'agent:1'), { app: 'agent' }, ['apps/v1', 'DaemonSet', 'agent']),
  );

  test('a larger pod does not fit next to the pods of a Job', () => {
    const job = pod('train-0', 'a', cpuSpec('63', 'train:1'), { app: 'train' }, ['batch/v1', 'Job', 'train']);
    const rollouts = planOn([node('a', 0), node('b', 0)], [agent('1', 'agent:1'), ...running, job], [agent('2', 'agent:2')]);
    expect(outcomeOf(rollouts)).toBe('deadlocks 1');
    // It depends on which node is first.
    expect(rollouts[0]!.capacity).toMatchObject({ newPodsAtLeast: 0, newPodsAtMost: 1 });
  });

  test('on 100 nodes, of which one has no capacity for it, any number of the others', () => {
    const names = Array.from({ length: 100 }, (_, index) => `n${index}`);
    const agents = names.map((name) =>
      pod(`agent-${name}`, name, cpuSpec('1', 'agent:1'), { app: 'agent' }, ['apps/v1', 'DaemonSet', 'agent']),
    );
    const job = pod('train-0', 'n50', cpuSpec('63', 'train:1'), { app: 'train' }, ['batch/v1', 'Job', 'train']);
    const nodes = names.map((name) => node(name, 0));
    const rollouts = planOn(nodes, [agent('1', 'agent:1'), ...agents, job], [agent('2', 'agent:2')]);
    expect(rollouts[0]!.capacity).toMatchObject({ verdict: 'deadlocks', newPodsAtLeast: 0, newPodsAtMost: 99 });
  });
});

describe('an Argo Rollout adds canary pods next to the stable ones', () => {
  const canary = (gpus: number, image: string) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: named('web'),
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      strategy: { canary: { maxSurge: 1, maxUnavailable: 0, steps: [{ setWeight: 25 }, { pause: { duration: 10 } }, { setWeight: 50 }] } },
      template: { metadata: { labels: { app: 'web' } }, spec: podSpec(gpus, image) },
    },
  });
  const pods = ['a', 'a', 'b', 'b'].map((name, index) =>
    pod(`web-5d9c7b6f4d-${index}`, name, podSpec(1, 'web:1'), { app: 'web', 'rollouts-pod-template-hash': '5d9c7b6f4d' }, [
      'apps/v1',
      'ReplicaSet',
      'web-5d9c7b6f4d',
    ]),
  );

  test.each([
    ['the canary fits', 1, [3, 2], 'fits'],
    ['a canary of 2 GPUs does not fit on two nodes with 1 free GPU each', 2, [3, 3], 'deadlocks 1'],
  ] as const)('%s', (_, gpus, [a, b], expected) => {
    expect(outcomeOf(planOn([node('a', a), node('b', b)], [canary(1, 'web:1'), ...pods], [canary(gpus, 'web:2')]))).toBe(expected);
  });

  test('a quota that the stable pods use up refuses a smaller canary', () => {
    expect(outcomeOf(planOn([], [canary(2, 'web:1'), gpuQuota(8)], [canary(1, 'web:2'), gpuQuota(8)]))).toBe('deadlocks 1');
  });
});

describe('rollouts of one change share a quota', () => {
  const web = (name: string, gpus: number, image: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: named(name),
    spec: {
      replicas: 2,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: podSpec(gpus, image) },
    },
  });

  test.each([
    [6, 'deadlocks 1'],
    [7, 'may-not-fit other rollouts of the change'],
    [8, 'may-not-fit other rollouts of the change'],
    [9, 'fits'],
  ])('two that grow from 2 to 4 GPUs each, under a quota of %i', (gpus, expected) => {
    const old = [web('x', 1, 'web:1'), web('y', 1, 'web:1'), gpuQuota(gpus)];
    const rollouts = planOn([], old, [web('x', 2, 'web:2'), web('y', 2, 'web:2'), gpuQuota(gpus)]);
    expect(rollouts.map((rollout) => outcomeOf([rollout]))).toEqual([expected, expected]);
  });
});

describe('a DaemonSet on nodes that are known with its pods', () => {
  const daemonSet = (gpus: number, spec: object, maxSurge = 0) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: named('probe'),
    spec: {
      updateStrategy: { rollingUpdate: { maxSurge, maxUnavailable: maxSurge > 0 ? 0 : 1 } },
      selector: { matchLabels: { app: 'probe' } },
      template: { metadata: { labels: { app: 'probe' } }, spec: { ...podSpec(gpus, 'probe:1'), ...spec } },
    },
  });
  const oldPods = (nodes: readonly string[]) =>
    nodes.map((name) => pod(`probe-${name}`, name, podSpec(1, 'probe:1'), { app: 'probe' }, ['apps/v1', 'DaemonSet', 'probe']));
  const near = (app: string) => ({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } },
        ],
      },
    },
  });
  const other = pod('web', 'a', podSpec(0, 'web:1'), { app: 'web' }, ['example.com/v1', 'Site', 'web']);

  test.each([
    ['each new pod takes the place of the old one', 1, {}, 0, 'fits'],
    ['a larger pod does not fit next to the old one', 2, {}, 1, 'deadlocks 1'],
    ['no pod that is required runs on one of the nodes', 1, near('web'), 0, 'deadlocks 2'],
    ['each new pod needs one of its own kind on its node, which is deleted first', 1, near('probe'), 0, 'deadlocks 1'],
    ['each new pod starts next to one of its own kind', 1, near('probe'), 1, 'fits'],
  ] as const)('%s', (_, gpus, spec, maxSurge, expected) => {
    const nodes = [node('a', 2), node('b', 2)];
    const old = [daemonSet(1, {}, maxSurge), ...oldPods(['a', 'b']), other];
    expect(outcomeOf(planOn(nodes, old, [daemonSet(gpus, { ...spec, terminationGracePeriodSeconds: 5 }, maxSurge)]))).toBe(expected);
  });
});

test('a blueGreen Rollout ends in every placement if each zone has capacity for its share of the new pods', () => {
  const rollout = (image: string) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: named('web'),
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      strategy: { blueGreen: { activeService: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          ...podSpec(1, image),
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                {
                  topologyKey: 'kubernetes.io/hostname',
                  labelSelector: { matchLabels: { app: 'web' } },
                  matchLabelKeys: ['rollouts-pod-template-hash'],
                },
              ],
            },
          },
        },
      },
    },
  });
  const outcomeOn = (gpus: readonly number[]) =>
    outcomeOf(
      planOn(
        gpus.map((each, index) => node(`n${index}`, each)),
        [rollout('web:1')],
        [rollout('web:2')],
      ),
    );
  expect(outcomeOn([2, 2])).toBe('fits');
  expect(outcomeOn([2, 1])).toBe('deadlocks 1');
});

describe('a StatefulSet without Pods in the input', () => {
  const statefulSet = (image: string, spec: object = {}, claims: readonly object[] = []) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: named('db'),
    spec: {
      replicas: 1,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: { ...podSpec(1, image), ...spec } },
      volumeClaimTemplates: claims,
    },
  });
  const claimTemplate = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: named('data-db-0'),
    spec: { ...claimTemplate.spec, volumeName: 'pv-1' },
  };
  const volumeOn = (nodeName: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv-1' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName] }] }],
        },
      },
    },
  });
  const selected = { affinity: { nodeAffinity: volumeOn('b').spec.nodeAffinity } };
  const onB = { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: selected.affinity.nodeAffinity.required } } };
  const withClaim = statefulSet('db:1', {}, [claimTemplate]);
  const movedToB = statefulSet('db:1', onB, [claimTemplate]);

  test('cannot leave the node of its volume, which the name of the claim tells', () => {
    expect(outcomeOf(planOn([node('a', 1), node('b', 1)], [withClaim, claim, volumeOn('a')], [movedToB]))).toBe('deadlocks 1');
    expect(outcomeOf(planOn([node('a', 1), node('b', 1)], [withClaim, claim, volumeOn('b')], [movedToB]))).toBe('fits');
  });

  test('may not fit on another node if the volume of its claim is not in the input', () => {
    expect(outcomeOf(planOn([node('a', 1), node('b', 1)], [withClaim], [movedToB]))).toBe('may-not-fit volumes');
    expect(outcomeOf(planOn([node('a', 1), node('b', 1)], [withClaim], [statefulSet('db:2', {}, [claimTemplate])]))).toBe('fits');
  });

  test('is decided over all places and orders of its old pods', () => {
    const zoned = (name: string, zone: string) => {
      const { metadata, ...rest } = node(name, 4);
      return { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, 'topology.kubernetes.io/zone': zone } } };
    };
    const spread = (minDomains: number) => ({
      topologySpreadConstraints: [
        {
          topologyKey: 'topology.kubernetes.io/zone',
          maxSkew: 1,
          minDomains,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'db' } },
        },
      ],
    });
    const ofThree = (manifest: ReturnType<typeof statefulSet>) => ({ ...manifest, spec: { ...manifest.spec, replicas: 3 } });
    const planWith = (minDomains: number) =>
      planOn([zoned('a', 'a'), zoned('b', 'b')], [ofThree(statefulSet('db:1'))], [ofThree(statefulSet('db:2', spread(minDomains)))]);
    expect(outcomeOf(planWith(1))).toBe('fits');
    // A third zone counts as empty, so that each zone takes one pod, old or new.
    expect(outcomeOf(planWith(3))).toMatch(/^deadlocks/);
  });
});

test('a quota on devices without a status counts the claims that users create', () => {
  const deviceClass = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'gpu.example.com' },
    spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] },
  };
  const devices = { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com', count: 1 } }] };
  const template = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: named('gpu'), spec: { spec: { devices } } };
  const shared = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: named('shared'), spec: { devices } };
  const hard = { 'gpu.example.com.deviceclass.resource.k8s.io/devices': '2' };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: named('devices'), spec: { hard } };
  const web = (image: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: named('web'),
    spec: {
      replicas: 1,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image }], resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }] },
      },
    },
  });
  const all = [deviceClass, template, quota];
  expect(outcomeOf(planOn([], [web('web:1'), ...all], [web('web:2'), ...all]))).toBe('may-not-fit resourceClaims');
  expect(outcomeOf(planOn([], [web('web:1'), ...all, shared], [web('web:2'), ...all, shared]))).toBe('deadlocks 1');
});

test('new pods under two spread constraints that count no old pods fit, wherever the old ones are', () => {
  const constraint = (topologyKey: string) => ({
    topologyKey,
    maxSkew: 1,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'web' } },
    matchLabelKeys: ['pod-template-hash'],
  });
  const web = (image: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: named('web'),
    spec: {
      replicas: 6,
      strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 0 } },
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [{ name: 'web', image }],
          topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map(constraint),
        },
      },
    },
  });
  const nodes = ['a', 'b', 'c'].flatMap((zone) =>
    [1, 2].map((index) => {
      const { metadata, ...rest } = node(`${zone}${index}`, 0);
      return { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, 'topology.kubernetes.io/zone': zone } } };
    }),
  );
  expect(outcomeOf(planOn(nodes, [web('web:1')], [web('web:2')]))).toBe('fits');
});

describe('a DaemonSet whose pods depend on other nodes', () => {
  const ZONE = 'topology.kubernetes.io/zone';
  const agent = (image: string, spec: object, gpus = 0) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: named('agent'),
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      updateStrategy: { rollingUpdate: { maxUnavailable: 1 } },
      template: { metadata: { labels: { app: 'agent' } }, spec: { ...podSpec(gpus, image), ...spec } },
    },
  });
  const labelSelector = { matchLabels: { app: 'agent' } };
  const spread = (minDomains: number) => ({
    topologySpreadConstraints: [
      { topologyKey: ZONE, maxSkew: 1, minDomains, nodeAffinityPolicy: 'Ignore', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
    ],
  });
  const antiAffinity = {
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: ZONE, labelSelector }] } },
  };
  const nodes = Array.from({ length: 90 }, (_, index) => {
    const { metadata, ...rest } = node(`n${index}`, 1);
    return { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, [ZONE]: 'abc'[index % 3]! } } };
  });
  const outcomeWith = (next: object) => outcomeOf(planOn(nodes, [agent('a:1', {})], [next]));

  test.each([
    ['fits if each zone has at most one pod less meanwhile', agent('a:2', spread(3)), 'fits'],
    ['deadlocks if a fourth zone counts as empty', agent('a:2', spread(4)), 'deadlocks 1'],
    ['deadlocks if the pods of a zone keep each other off', agent('a:2', antiAffinity), 'deadlocks 1'],
    ['deadlocks on nodes that are too small, without Pods in the input', agent('a:2', {}, 2), 'deadlocks 1'],
    ['fits on nodes that are large enough, without Pods in the input', agent('a:2', {}, 1), 'fits'],
  ] as const)('%s', (_, next, expected) => {
    expect(outcomeWith(next)).toBe(expected);
  });
});
