import { planChange, planManifests } from '../../../src/headless';
import type { PlannedRollout } from '../../../src/core/document/rollout';
import type { DeploymentSimulation } from '../../../src/core/simulations/deployment';

const GPU = 'nvidia.com/gpu';
const ONE_BY_ONE = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

function container(gpus: number, image = 'web:1') {
  return {
    name: 'web',
    image,
    readinessProbe: { tcpSocket: { port: 8080 } },
    resources: { requests: { cpu: '1' }, ...(gpus > 0 && { limits: { [GPU]: gpus } }) },
  };
}

function deployment(podSpec: object, spec: object = {}) {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 2,
      strategy: ONE_BY_ONE,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
      ...spec,
    },
  };
}

function quota(hard: object, status?: object) {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'gpus', namespace: 'shop' },
    spec: { hard },
    ...(status && { status }),
  };
}

function node(name: string, allocatable: object, labels: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: {},
    status: { allocatable: { cpu: '16', pods: '110', ...allocatable }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function pod(
  name: string,
  nodeName: string,
  spec: object,
  owner?: { readonly kind: string; readonly name: string; readonly apiVersion?: string },
) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'train',
      labels: { app: name },
      ...(owner && { ownerReferences: [{ apiVersion: 'ray.io/v1', uid: owner.name, controller: true, ...owner }] }),
    },
    spec: { nodeName, ...spec },
    status: { phase: 'Running' },
  };
}

function wavesOf({ simulation }: PlannedRollout) {
  const { waves } = simulation as DeploymentSimulation;
  return waves.map(({ newReplicas, oldReplicas, total, available }) => [newReplicas, oldReplicas, total, available]);
}

function changeOf(old: readonly object[], next: readonly object[], capacity?: object): PlannedRollout {
  return planChange(old, next, { ...(capacity && { capacity }) }).rollouts[0]!;
}

describe('old pods keep their own requests', () => {
  const gpus = quota({ [`requests.${GPU}`]: 4 });
  const [two, one] = [deployment({ containers: [container(2)] }), deployment({ containers: [container(1, 'web:2')] })];

  test('two old pods of 2 GPUs use all of a quota of 4, so that a new pod of 1 GPU is refused', () => {
    const rollout = changeOf([two, gpus], [one, gpus]);
    expect(rollout.capacity).toMatchObject({
      verdict: 'deadlocks',
      deadlockWave: 1,
      message: `Deadlocks at wave 1: it peaks at 5 requests.${GPU} and ResourceQuota "gpus" has 4 left.`,
    });
    expect(wavesOf(rollout)).toEqual([]);
  });

  test('new pods of 2 GPUs fit into 5 GPUs one after another, because old pods of 1 GPU go in between', () => {
    const rollout = changeOf([one, quota({ [`requests.${GPU}`]: 5 })], [two]);
    expect(rollout.capacity).toMatchObject({ verdict: 'fits' });
    expect(changeOf([one, gpus], [two, gpus]).capacity).toMatchObject({ verdict: 'deadlocks', deadlockWave: 2 });
  });

  test('the use in the status of a quota is what is used now', () => {
    const used = quota({ [`requests.${GPU}`]: 6 }, { used: { [`requests.${GPU}`]: 6 } });
    expect(changeOf([two, used], [one]).capacity).toMatchObject({ verdict: 'deadlocks' });
    const free = quota({ [`requests.${GPU}`]: 6 }, { used: { [`requests.${GPU}`]: 5 } });
    expect(changeOf([two, free], [one]).capacity).toMatchObject({ verdict: 'fits' });
  });
});

test('if the number of pods changes too, old pods keep their own requests', () => {
  const gpus = quota({ [`requests.${GPU}`]: 4 });
  const [old, next] = [deployment({ containers: [container(2)] }), deployment({ containers: [container(1)] }, { replicas: 3 })];
  expect(changeOf([old, gpus], [next, gpus]).capacity).toMatchObject({
    verdict: 'deadlocks',
    newPodsAtMost: 0,
  });
});

describe('if the number of pods changes too, smaller old pods are not counted as new ones', () => {
  // The 4 old pods become 5. The peak is 1 old pod of 1 GPU and 5 new ones of 2 GPUs.
  const planAt = (hard: number) => {
    const gpus = quota({ [`requests.${GPU}`]: hard });
    const old = deployment({ containers: [container(1)] }, { replicas: 4 });
    return changeOf([old, gpus], [deployment({ containers: [container(2)] }, { replicas: 5 }), gpus]).capacity;
  };

  test('11 GPUs are enough', () => {
    expect(planAt(11)).toEqual({
      verdict: 'fits',
      peakPods: 6,
      podsThatFit: 6,
      message: 'Fits: there is capacity for its peak of 6 pods.',
    });
  });

  test('10 GPUs are too few for the last old pod next to all new ones', () => {
    expect(planAt(10)).toMatchObject({ verdict: 'deadlocks', newPodsAtMost: 4 });
  });
});

describe('old pods keep their own nodes', () => {
  const pools = {
    nodePools: ['a100', 'h100'].map((gpu) => ({ name: gpu, count: 2, labels: { gpu }, allocatable: { cpu: 32, [GPU]: 1 } })),
  };
  const on = (gpu: string) => deployment({ nodeSelector: { gpu }, containers: [container(1)] });

  test('a node selector that moves to free nodes fits, although the old nodes are full', () => {
    expect(changeOf([on('a100')], [on('h100')], pools).capacity).toMatchObject({ verdict: 'fits' });
    expect(
      changeOf([on('a100')], [deployment({ nodeSelector: { gpu: 'a100' }, containers: [container(1, 'web:2')] })], pools).capacity,
    ).toMatchObject({
      verdict: 'deadlocks',
    });
  });

  test('the anti-affinity of a running pod keeps a new pod off its node, although the new template has none', () => {
    const term = { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const spec = { replicas: 1 };
    const old = deployment({ affinity, containers: [container(0)] }, spec);
    const next = deployment({ containers: [container(0, 'web:2')] }, spec);
    const capacity = (count: number) => ({ nodePools: [{ name: 'one', count, allocatable: { cpu: 4 } }] });
    expect(changeOf([old], [next], capacity(1)).capacity).toMatchObject({ verdict: 'deadlocks', podsThatFit: 1 });
    expect(changeOf([old], [next], capacity(2)).capacity).toMatchObject({ verdict: 'fits' });
  });
});

describe('every running pod uses its node', () => {
  const ray = { kind: 'RayCluster', name: 'rc' };
  const workers = [pod('w0', 'n0', { containers: [container(2)] }, ray), pod('w1', 'n1', { containers: [container(2)] }, ray)];
  const nodes = [node('n0', { [GPU]: '4' }), node('n1', { [GPU]: '4' })];
  const web = deployment({ containers: [container(2)] });

  test.each([
    ['Nodes in the capacity', { objects: [web, ...workers], capacity: { kind: 'List', items: nodes } }],
    ['Nodes in the input', { objects: [web, ...workers, ...nodes], capacity: undefined }],
  ])('whoever owns it, and the plan names the owner, with %s', (_what, { objects, capacity }) => {
    const [rollout] = planManifests(objects, { ...(capacity && { capacity }) }).rollouts;
    expect(rollout!.capacity).toMatchObject({ verdict: 'deadlocks', usedBy: ['2 pods of RayCluster train/rc'] });
    expect(rollout!.capacity!.message).toContain('The nodes also run pods that are not planned: 2 pods of RayCluster train/rc.');
  });

  test('and one that is being deleted uses it until it is gone', () => {
    const leaving = workers.map((worker) => ({ ...worker, metadata: { ...worker.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }));
    const [rollout] = planManifests([deployment({ containers: [container(2)] }), ...leaving, ...nodes]).rollouts;
    expect(rollout!.capacity).toMatchObject({ verdict: 'may-not-fit', because: ['pods that are being deleted'] });
  });

  test.each([
    ['a manifest', undefined],
    ['live', { hard: { 'requests.cpu': '3' }, used: { 'requests.cpu': '3' } }],
  ])('and one that is being deleted is charged to a quota until it is gone; the quota is %s', (_, status) => {
    const other = pod('job', 'n0', { containers: [container(0)] }, { kind: 'Job', name: 'job' });
    const capacityWith = (metadata: object) => {
      const own = { ...other, metadata: { ...metadata, namespace: 'shop' } };
      const objects = [deployment({ containers: [container(0)] }), own, quota({ 'requests.cpu': '3' }, status)];
      return planManifests(objects).rollouts[0]!.capacity;
    };
    expect(capacityWith(other.metadata)).toMatchObject({ verdict: 'deadlocks' });
    expect(capacityWith({ ...other.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' })).toMatchObject({
      verdict: 'may-not-fit',
      because: ['pods that are being deleted'],
    });
  });

  test('and the plan names no owner whose pods are on nodes that the rollout may not use', () => {
    const pinned = deployment({ nodeSelector: { pool: 'a' }, containers: [container(2)] }, { replicas: 1 });
    const pools = [node('n0', { [GPU]: '4' }, { pool: 'a' }), node('n1', { [GPU]: '4' }, { pool: 'b' })];
    const [rollout] = planManifests([pinned, ...workers, ...pools]).rollouts;
    expect(rollout!.capacity).toMatchObject({ verdict: 'deadlocks', usedBy: ['1 pod of RayCluster train/rc'] });
  });

  test('and the pods of a planned DaemonSet keep a new pod with an anti-affinity to them off their nodes', () => {
    const labels = { app: 'agent' };
    const template = { metadata: { labels }, spec: { containers: [container(0)] } };
    const agent = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent', namespace: 'train' },
      spec: { selector: { matchLabels: labels }, template },
    };
    const agents = ['n0', 'n1'].map((name) => {
      const running = pod(`agent-${name}`, name, template.spec, { kind: 'DaemonSet', name: 'agent', apiVersion: 'apps/v1' });
      return { ...running, metadata: { ...running.metadata, labels } };
    });
    const term = { labelSelector: { matchLabels: labels }, namespaces: ['train'], topologyKey: 'kubernetes.io/hostname' };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const verdictOf = (spec: object) =>
      planManifests([deployment(spec, { replicas: 1 }), agent, ...agents, ...nodes]).rollouts[0]!.capacity;
    expect(verdictOf({ containers: [container(0)] })).toMatchObject({ verdict: 'fits' });
    expect(verdictOf({ affinity, containers: [container(0)] })).toMatchObject({ verdict: 'deadlocks' });
  });

  test('a pod of lower priority may be evicted, so that nothing is certain', () => {
    const low = workers.map((worker) => ({ ...worker, spec: { ...worker.spec, priority: -10 } }));
    const [rollout] = planManifests([web, ...low, ...nodes]).rollouts;
    expect(rollout!.capacity).toMatchObject({ verdict: 'may-not-fit', because: ['preemption'] });
  });

  test('from Kubernetes 1.36 on, a DeviceClass may serve the GPUs that no node has left', () => {
    const deviceClass = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'gpu' },
      spec: { extendedResourceName: GPU },
    };
    const verdictAt = (kubernetes: string) =>
      planManifests([web, ...workers, ...nodes, deviceClass], { versions: { kubernetes } }).rollouts[0]!.capacity;
    expect(verdictAt('1.36')).toMatchObject({ verdict: 'may-not-fit', because: ['DeviceClass "gpu"'] });
    expect(verdictAt('1.35')).toMatchObject({ verdict: 'deadlocks' });
    const [withoutGpus] = planManifests([web, node('n2', {}), deviceClass]).rollouts;
    expect(withoutGpus).toMatchObject({ capacity: { verdict: 'may-not-fit', because: ['DeviceClass "gpu"'] } });
    expect(withoutGpus!.findings.map(({ code }) => code)).toEqual(['kubernetes/surge-needs-headroom', 'kubernetes/insufficient-capacity']);
  });

  test('a NodePool with some of its limit left may make another node', () => {
    const nodePool = (gpus: string) => ({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'gpu' },
      spec: { limits: { [GPU]: '8' } },
      status: { resources: { [GPU]: gpus } },
    });
    const verdictWith = (...more: object[]) => planManifests([web, ...workers, ...nodes, ...more]).rollouts[0]!.capacity!;
    expect(verdictWith(nodePool('4'))).toMatchObject({ verdict: 'may-not-fit', because: ['NodePool "gpu"'] });
    expect(verdictWith(nodePool('8'))).toMatchObject({ verdict: 'deadlocks' });
    expect(verdictWith(nodePool('4'), { ...quota({ pods: 2 }) })).toMatchObject({ verdict: 'deadlocks' });
  });
});

describe('the rows are those that happen', () => {
  test('under a full quota there are never more pods than it admits', () => {
    const web = deployment({ containers: [container(2)] }, { replicas: 4, strategy: {} });
    const [rollout] = planManifests([web, quota({ [`requests.${GPU}`]: 8 })]).rollouts;
    expect(rollout!.capacity).toMatchObject({ verdict: 'slower', iterations: 4 });
    expect(rollout!.simulation).toMatchObject({ peakPods: 4, iterations: 4, minAvailable: 3 });
    expect(wavesOf(rollout!)).toEqual([
      [1, 3, 4, 3],
      [2, 2, 4, 3],
      [3, 1, 4, 3],
      [4, 0, 4, 3],
    ]);
  });

  test('a quota on a device class refuses the claim of the fifth pod, which exists and waits', () => {
    const web = deployment(
      { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }], containers: [container(0)] },
      { replicas: 4 },
    );
    const requests = [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }];
    const claim = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaimTemplate',
      metadata: { name: 'one-gpu', namespace: 'shop' },
      spec: { spec: { devices: { requests } } },
    };
    const [rollout] = planManifests([web, claim, quota({ 'gpu.deviceclass.resource.k8s.io/devices': 4 })]).rollouts;
    expect(rollout!.capacity).toMatchObject({ verdict: 'deadlocks', deadlockWave: 1 });
    expect(wavesOf(rollout!)).toEqual([[1, 4, 5, 4]]);
  });
});

test('a spread constraint is decided by the nodes', () => {
  const constraint = {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'web' } },
  };
  const spread = (image: string) =>
    deployment({ topologySpreadConstraints: [constraint], containers: [container(0, image)] }, { replicas: 5, strategy: {} });
  const capacity = { nodePools: [{ name: 'workers', count: 3, allocatable: { cpu: 8 } }] };
  expect(changeOf([spread('web:1')], [spread('web:2')], capacity).capacity).toMatchObject({ verdict: 'fits' });
});

describe('many nodes', () => {
  test('are counted by class, so that thousands of them are decided', () => {
    const capacity = { nodePools: [{ name: 'many', count: 5_000, allocatable: { cpu: 8 } }] };
    const [old, next] = ['web:1', 'web:2'].map((image) => deployment({ containers: [container(0, image)] }, { replicas: 300 }));
    expect(changeOf([old!], [next!], capacity).capacity).toMatchObject({ verdict: 'fits' });
  });
});

describe('a volume ties a pod to the nodes of its zone', () => {
  const zone = 'topology.kubernetes.io/zone';
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'shop' },
    spec: { accessModes: ['ReadWriteOnce'], volumeName: 'disk' },
  };
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'disk' },
    spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: 'In', values: ['a'] }] }] } } },
  };
  const web = (cpu: string, image: string) => {
    const containers = [{ ...container(0, image), resources: { requests: { cpu } } }];
    const podSpec = { containers, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
    return deployment(podSpec, { replicas: 1, strategy: { type: 'Recreate' } });
  };
  const capacity = { kind: 'List', items: [node('a', { cpu: '2' }, { [zone]: 'a' }), node('b', { cpu: '8' }, { [zone]: 'b' })] };

  test('a larger pod fits only on the node of another zone, where its volume is not', () => {
    const changed = (cpu: string) => changeOf([web('1', 'web:1'), claim, volume], [web(cpu, 'web:2'), claim, volume], capacity);
    expect(changed('2').capacity).toMatchObject({ verdict: 'fits' });
    expect(changed('4').capacity).toMatchObject({ verdict: 'deadlocks' });
  });
});

test('preemption that makes no room changes nothing', () => {
  const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 };
  const web = deployment({ priorityClassName: 'high', containers: [container(2)] }, { replicas: 1 });
  const job = { kind: 'Job', name: 'train' };
  const plan = (gpus: string) => {
    const nodes = [node('n0', { [GPU]: '2' }), node('n1', { [GPU]: gpus })];
    const train = pod('train-0', 'n1', { priority: 0, containers: [container(Number(gpus))] }, job);
    return planManifests([web, high, train, ...nodes]).rollouts[0]!.capacity!;
  };
  expect(plan('1')).toMatchObject({ verdict: 'deadlocks' });
  expect(plan('2')).toMatchObject({ verdict: 'may-not-fit', because: ['preemption'] });
  expect(plan('2').message).toContain('it fits only by evicting pods of lower priority, such as 1 pod of Job');
});

test('a spread constraint that counts pods of others only compares the zones with each other', () => {
  const constraint = {
    topologyKey: 'topology.kubernetes.io/zone',
    maxSkew: 1,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { team: 'db' } },
  };
  const web = (image: string) => deployment({ containers: [container(0, image)], topologySpreadConstraints: [constraint] });
  const nodes = ['a', 'b'].map((name) => node(name, {}, { 'topology.kubernetes.io/zone': name }));
  const planWith = (places: readonly string[]) => {
    const pods = places.map((place, index) => {
      const { metadata, ...rest } = pod(`db-${index}`, place, { containers: [container(0)] });
      return { ...rest, metadata: { ...metadata, namespace: 'shop', labels: { team: 'db' } } };
    });
    return changeOf([web('web:1'), ...nodes, ...pods], [web('web:2')]).capacity!.verdict;
  };
  // The new pod itself is not counted, so that a zone may have one pod more than the other.
  expect(planWith(['a', 'a', 'b', 'b'])).toBe('fits');
  expect(planWith(['a', 'a', 'b'])).toBe('fits');
});

test('the reason of a deadlock has the amounts of old pods, and no number of nodes that counts them on the nodes of new ones', () => {
  const cpus = quota({ 'requests.cpu': 3 });
  const sized = (cpu: string) => deployment({ containers: [{ ...container(0), resources: { requests: { cpu } } }] });
  expect(changeOf([sized('1'), cpus], [sized('2'), cpus]).capacity!.message).toBe(
    'Deadlocks at wave 1: it peaks at 5 requests.cpu and ResourceQuota "gpus" has 3 left.',
  );
  const on = (gpu: string) => deployment({ containers: [container(1)], nodeSelector: { gpu } });
  const nodes = [node('a1', { [GPU]: 2 }, { gpu: 'a100' }), node('h1', { [GPU]: 1 }, { gpu: 'h100' })];
  expect(changeOf([on('a100'), ...nodes], [on('h100')]).capacity).toMatchObject({
    message: `Deadlocks at wave 2: a pod needs 1 ${GPU}, and no eligible node has more than 0 left.`,
  });
});

test('the reason of a deadlock is the quota if the nodes of the new pods are free', () => {
  const on = (gpu: string, gpus: number) => deployment({ containers: [container(gpus)], nodeSelector: { gpu } });
  const nodes = [
    node('a1', { [GPU]: 4 }, { gpu: 'a100' }),
    node('h1', { [GPU]: 1 }, { gpu: 'h100' }),
    node('h2', { [GPU]: 1 }, { gpu: 'h100' }),
  ];
  const messageWith = (gpus: number) => {
    const gpuQuota = quota({ [`requests.${GPU}`]: gpus });
    return changeOf([on('a100', 2), gpuQuota, ...nodes], [on('h100', 1), gpuQuota]).capacity!.message;
  };
  expect([4, 5].map(messageWith)).toEqual([
    `Deadlocks at wave 1: it peaks at 5 requests.${GPU} and ResourceQuota "gpus" has 4 left.`,
    'Fits: there is capacity for its peak of 3 pods.',
  ]);
});

test.each([2, 3])('a quota that is raised as the reason says is enough for the whole rollout, with pods of %i CPUs', (cpu) => {
  const sized = (cpus: number) => deployment({ containers: [{ ...container(0), resources: { requests: { cpu: `${cpus}` } } }] });
  const verdictsWith = (limit: number): string[] => {
    const cpus = quota({ 'requests.cpu': limit });
    const { verdict, shortage } = changeOf([sized(1), cpus], [sized(cpu), cpus]).capacity!;
    return [`${limit}: ${verdict}`, ...(verdict === 'deadlocks' ? verdictsWith(Number(shortage!.needed)) : [])];
  };
  // Two replicas and a surge of one.
  expect(verdictsWith(2)).toEqual(['2: deadlocks', `${2 * cpu + 1}: fits`]);
});
