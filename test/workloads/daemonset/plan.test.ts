import { planManifests } from '../../../src/headless';
import type { PlanOptions } from '../../../src/headless';
import type { Finding } from '../../../src/core/findings/finding';
import { expectValidPlan } from '../../plan-schema';
import { sound } from '../../sound-workload';

interface PodOptions {
  readonly ports?: readonly object[];
  readonly cpu?: number;
  readonly spec?: object;
}

function agent(updateStrategy: object = {}, { ports, cpu = 1, spec }: PodOptions = {}) {
  const container = {
    name: 'agent',
    image: 'agent:2',
    readinessProbe: { httpGet: { path: '/ready', port: 9100 } },
    resources: { requests: { cpu } },
    ...(ports && { ports }),
  };
  return sound({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'ops' },
    spec: { updateStrategy, template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [container], ...spec } } },
  });
}

function node(name: string, { taints = [] as object[], ready = 'True', labels = {}, cpu = 4 } = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: { taints },
    status: { allocatable: { cpu }, conditions: [{ type: 'Ready', status: ready }] },
  };
}

const DOWN = {
  ready: 'Unknown',
  taints: [
    { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
    { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' },
  ],
};

function nodes(count: number, options?: Parameters<typeof node>[1]) {
  return Array.from({ length: count }, (_, index) => node(`node-${index + 1}`, options));
}

/** Returns nodes in the format of `--capacity`. */
function capacityOf(items: readonly object[]): PlanOptions {
  return { capacity: { apiVersion: 'v1', kind: 'List', items } };
}

function planOf(objects: readonly object[], options?: PlanOptions) {
  const plan = planManifests(objects, options);
  expectValidPlan(plan);
  return plan;
}

function rolloutOf(objects: readonly object[], options?: PlanOptions) {
  return planOf(objects, options).rollouts[0]!;
}

function things(findings: readonly Finding[]) {
  return findings.map(({ code, severity, messageId, path, data }) => ({ code, severity, messageId, path, data }));
}

describe('nodes', () => {
  test('without nodes there are no waves, and the plan reports this once for all DaemonSets', () => {
    const other = { ...agent(), metadata: { name: 'other' } };
    const plan = planOf([agent(), other]);
    expect(plan.rollouts.map(({ strategy, simulation, findings }) => ({ strategy, simulation, findings }))).toEqual([
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }, simulation: null, findings: [] },
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }, simulation: null, findings: [] },
    ]);
    expect(things(plan.findings)).toEqual([
      { code: 'kubernetes/no-nodes', severity: 'info', messageId: 'none', path: '', data: { daemonSets: 2 } },
    ]);
  });

  test('are required only for DaemonSets that are accepted, including one with a dropped field', () => {
    const withReplicas = { ...agent(), spec: { ...agent().spec, replicas: 2 } };
    expect(things(planOf([withReplicas]).findings)).toMatchObject([{ code: 'kubernetes/no-nodes', data: { daemonSets: 1 } }]);
    expect(planOf([agent({ type: 'Recreate' })]).findings).toEqual([]);
  });

  test('are counted like the controller does: with cordoned nodes, without tainted ones, and matching the node selector', () => {
    const cordoned = { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] };
    const dedicated = { taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] };
    const cluster = [node('a'), node('b', cordoned), node('c', dedicated), node('d', { labels: { zone: 'west' } })];
    expect(rolloutOf([agent(), ...cluster]).simulation).toMatchObject({ kind: 'daemonset', nodes: 3 });
    const tolerant = agent({}, { spec: { tolerations: [{ operator: 'Exists' }] } });
    expect(rolloutOf([tolerant, ...cluster]).simulation).toMatchObject({ nodes: 4 });
    const western = agent({}, { spec: { nodeSelector: { zone: 'west' } } });
    expect(rolloutOf([western, ...cluster]).simulation).toMatchObject({ nodes: 1 });
  });

  test('are read from the pools of a capacity file and from Nodes', () => {
    const pools = {
      nodePools: [
        { name: 'a', count: 20 },
        { name: 'b', count: 5, taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
      ],
    };
    expect(rolloutOf([agent({ rollingUpdate: { maxUnavailable: '10%' } })], { capacity: pools }).simulation).toMatchObject({
      nodes: 20,
      unavailable: 2,
      minAvailable: 18,
    });
  });

  test('that are down use up the default limit, and the rollout deadlocks', () => {
    const { simulation, findings } = rolloutOf([agent(), ...nodes(3), node('lost', DOWN)]);
    expect(simulation).toMatchObject({ nodes: 3, otherNodesDown: 1, peakPods: 4, halted: { wave: 1, nodes: 1, reason: 'nodes-down' } });
    expect(things(findings)).toEqual([
      {
        code: 'kubernetes/daemonset-nodes-down',
        severity: 'error',
        messageId: 'halted',
        path: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
        data: { down: 1, unavailable: 1, wave: 1, remaining: 3 },
      },
    ]);
    expect(rolloutOf([agent({ rollingUpdate: { maxUnavailable: 2 } }), ...nodes(3), node('lost', DOWN)]).findings).toEqual([]);
  });
});

describe('the API server refuses', () => {
  test.each([
    [{ rollingUpdate: { maxSurge: 1 } }, 'daemonsBothSet', { maxSurge: 1, maxUnavailable: 1, isDefault: true }],
    [{ rollingUpdate: { maxSurge: 1, maxUnavailable: '10%' } }, 'daemonsBothSet', { maxSurge: 1, maxUnavailable: '10%', isDefault: false }],
    [{ rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } }, 'daemonsBothZero', { maxSurge: 0, maxUnavailable: 0 }],
    [{ rollingUpdate: { maxUnavailable: '101%' } }, 'aboveHundredPercent', { field: 'maxUnavailable', value: '101%' }],
    [{ type: 'Recreate' }, 'unknownUpdateType', { field: 'type', value: 'Recreate', choices: ['RollingUpdate', 'OnDelete'] }],
  ])('%j', (updateStrategy, messageId, data) => {
    const { strategy, simulation, findings } = rolloutOf([agent(updateStrategy), ...nodes(2)]);
    expect([strategy, simulation]).toEqual([null, null]);
    expect(findings.map((finding) => [finding.code, finding.messageId, finding.data])).toEqual([
      ['kubernetes/invalid-strategy', messageId, data],
    ]);
  });

  test('a strategy that is not a map', () => {
    const { strategy, simulation, findings } = rolloutOf([
      { ...agent(), spec: { ...agent().spec, updateStrategy: 'RollingUpdate' } },
      ...nodes(2),
    ]);
    expect([strategy, simulation]).toEqual([null, null]);
    expect(things(findings)).toEqual([
      {
        code: 'input/wrong-type',
        severity: 'error',
        messageId: 'field',
        path: 'spec.updateStrategy',
        data: { field: 'updateStrategy', value: 'RollingUpdate', expectedType: 'a map' },
      },
    ]);
  });

  test('a quoted number', () => {
    expect(rolloutOf([agent({ rollingUpdate: { maxUnavailable: '1' } }), ...nodes(2)]).findings[0]).toMatchObject({
      code: 'kubernetes/quoted-integer',
      messageId: 'numberOrPercent',
      data: { field: 'maxUnavailable', value: '1' },
    });
  });

  test('no replicas of a former Deployment, but drops them, which is a warning', () => {
    const object = { ...agent(), spec: { ...agent().spec, replicas: 3 } };
    expect(things(rolloutOf([object, ...nodes(2)]).findings)).toMatchObject([
      { code: 'input/unknown-field', severity: 'warning', path: 'spec.replicas', data: { parentPath: 'spec', field: 'replicas' } },
    ]);
  });
});

describe('a second pod on each node', () => {
  const surge = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

  test('does not fit if the pods use a port of the node, so the rollout deadlocks at its first wave', () => {
    const { findings } = rolloutOf([agent(surge, { ports: [{ containerPort: 9100, hostPort: 9100 }] }), ...nodes(3)]);
    expect(things(findings)).toEqual([
      {
        code: 'kubernetes/daemonset-surge-host-port',
        severity: 'error',
        messageId: 'onePodPerNode',
        path: 'spec.updateStrategy.rollingUpdate.maxSurge',
        data: { reason: 'a hostPort', surge: 1 },
      },
    ]);
  });

  test('is also reported without nodes, and then without a number of nodes', () => {
    const surging = agent({ rollingUpdate: { maxSurge: '10%', maxUnavailable: 0 } }, { ports: [{ containerPort: 9100, hostPort: 9100 }] });
    const messagesOf = (objects: readonly object[]) => rolloutOf(objects).findings.map(({ message }) => message.split(',')[0]);
    expect(messagesOf([surging])).toEqual(['maxSurge allows nodes to run two pods']);
    expect(messagesOf([surging, ...nodes(20)])).toEqual(['maxSurge allows 2 nodes to run two pods']);
    expect(messagesOf([surging, ...nodes(10)])).toEqual(['maxSurge allows 1 node to run two pods']);
  });

  test('fits if each node has capacity for it', () => {
    const { capacity, findings } = rolloutOf([agent(surge, { cpu: 2 })], capacityOf(nodes(3)));
    expect(capacity).toMatchObject({ verdict: 'fits', peakPods: 4 });
    expect(things(findings)).toEqual([]);
  });

  test('needs headroom if the pods request a GPU, which Nodes of the input decide', () => {
    const daemons = agent(surge, {
      spec: { containers: [{ name: 'agent', resources: { limits: { 'nvidia.com/gpu': 1 } } }] },
    });
    const gpuNodes = (gpus: number) => nodes(3).map((one) => ({ ...one, status: { allocatable: { cpu: 4, 'nvidia.com/gpu': gpus } } }));
    expect(things(rolloutOf([daemons, ...gpuNodes(1)]).findings)).toMatchObject([
      {
        code: 'kubernetes/surge-needs-headroom',
        severity: 'error',
        messageId: 'insufficientCapacity',
        data: { replicas: 3, per: 'node' },
      },
    ]);
    expect(things(rolloutOf([daemons, ...gpuNodes(2)]).findings)).toEqual([]);
  });

  test('does not fit if a node is too small for two pods, so the rollout deadlocks', () => {
    const { capacity, findings } = rolloutOf([agent(surge, { cpu: 2 })], capacityOf([...nodes(2), node('small', { cpu: 3 })]));
    expect(capacity).toMatchObject({
      verdict: 'deadlocks',
      shortage: { kind: 'own-nodes', resource: 'nodes', needed: '3', available: '2' },
    });
    expect(things(findings)).toMatchObject([
      {
        code: 'kubernetes/surge-needs-headroom',
        severity: 'error',
        messageId: 'insufficientCapacity',
        data: { replicas: 3, per: 'node', podsThatFit: 3, deadlockWave: 1 },
      },
    ]);
  });

  test('must fit into the quota too', () => {
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods', namespace: 'ops' }, spec: { hard: { pods: '3' } } };
    expect(rolloutOf([agent(surge), quota, ...nodes(3)]).capacity).toMatchObject({
      verdict: 'deadlocks',
      deadlockWave: 1,
      shortage: { kind: 'quota', limit: 'ResourceQuota "pods"', needed: '4', available: '3' },
    });
    expect(rolloutOf([agent(), quota, ...nodes(3)]).capacity).toMatchObject({ verdict: 'fits' });
  });
});

describe('without surge, nodes that are too small for the pod', () => {
  const mixed = capacityOf([...nodes(4), node('small', { cpu: 1 })]);

  test('use up maxUnavailable, so no other node is updated', () => {
    const { capacity, findings, simulation } = rolloutOf([agent({}, { cpu: 2 })], mixed);
    expect(capacity).toMatchObject({
      verdict: 'deadlocks',
      podsThatFit: 4,
      deadlockWave: 1,
      shortage: { kind: 'own-nodes', needed: '5', available: '4' },
    });
    expect(simulation).toMatchObject({
      waves: [{ wave: 1, newPods: 1, oldPods: 4, total: 5, available: 4 }],
      halted: { wave: 1, reason: 'insufficient-capacity' },
    });
    expect(things(findings)).toEqual([
      {
        code: 'kubernetes/insufficient-capacity',
        severity: 'error',
        messageId: 'nodes',
        path: 'spec.template.spec',
        data: { nodes: 5, undersizedNodes: { nodes: 1, resource: 'cpu', needed: '2', available: '1' }, deadlockWave: 1 },
      },
    ]);
  });

  test('leave the rest of a larger maxUnavailable to the other nodes, and the rollout deadlocks', () => {
    const { capacity, simulation } = rolloutOf([agent({ rollingUpdate: { maxUnavailable: 3 } }, { cpu: 2 })], mixed);
    expect(capacity).toMatchObject({ verdict: 'deadlocks', deadlockWave: 2 });
    expect(simulation).toMatchObject({
      waves: [
        { wave: 1, newPods: 3, oldPods: 2, available: 2 },
        { wave: 2, newPods: 5, oldPods: 0, available: 2 },
      ],
      halted: { wave: 2, reason: 'insufficient-capacity' },
    });
  });

  test('do not count if the pods cannot be scheduled on them', () => {
    const [small] = nodes(1, { cpu: 1, labels: { size: 'small' } });
    const large = nodes(4, { labels: { size: 'large' } });
    const onLarge = agent({}, { cpu: 2, spec: { nodeSelector: { size: 'large' } } });
    expect(rolloutOf([onLarge], capacityOf([small!, ...large])).findings).toEqual([]);
    expect(rolloutOf([onLarge, small!, ...large]).findings).toEqual([]);
  });

  test('are also reported for Nodes of the input, if these have allocatable resources', () => {
    const small = node('small', { cpu: 1 });
    const expected = {
      messageId: 'nodes',
      data: { nodes: 5, undersizedNodes: { nodes: 1, resource: 'cpu', needed: '2', available: '1' } },
    };
    expect(rolloutOf([agent({}, { cpu: 2 }), small, ...nodes(4)]).findings).toMatchObject([expected]);
    expect(rolloutOf([agent({}, { cpu: 2 }), { ...small, status: {} }, ...nodes(4)]).findings).toEqual([]);
  });

  test('accept a pod with a nodeName, since it bypasses the scheduler', () => {
    const pinned = (nodeName?: string) => rolloutOf([agent({}, { cpu: 8, ...(nodeName && { spec: { nodeName } }) }), ...nodes(2)]);
    const onOne = pinned('node-2');
    expect(onOne).toMatchObject({ simulation: { nodes: 1 } });
    expect([onOne.simulation, onOne]).toEqual([
      expect.not.objectContaining({ halted: expect.anything() }),
      expect.not.objectContaining({ capacity: expect.anything() }),
    ]);
    expect(pinned('node-3')).toMatchObject({ simulation: { nodes: 0 } });
    expect(pinned()).toMatchObject({ simulation: { nodes: 2 }, capacity: { verdict: 'deadlocks' } });
  });

  test('are refused if their allocatable resources are no quantities, and the plan uses the other nodes', () => {
    const malformed = { ...node('node-9'), status: { allocatable: { cpu: 'many' } } };
    const plan = planOf([agent(), ...nodes(2), malformed]);
    expect(plan.rollouts).toMatchObject([{ simulation: { nodes: 2 } }]);
    expect(things(plan.findings)).toMatchObject([{ code: 'input/wrong-type', path: 'status.allocatable[cpu]', severity: 'error' }]);
  });

  test('do not affect a DaemonSet with OnDelete', () => {
    expect(rolloutOf([agent({ type: 'OnDelete' }, { cpu: 2 })], mixed).findings).toEqual([]);
  });
});

describe('with surge, nodes that are too small for the pod', () => {
  const surging = agent({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }, { cpu: 2 });

  test('get a new pod at once, and the other nodes are updated too', () => {
    const { capacity, simulation, findings } = rolloutOf([surging], capacityOf([...nodes(2), node('small', { cpu: 1 })]));
    expect(capacity).toMatchObject({ verdict: 'deadlocks', podsThatFit: 2, deadlockWave: 3 });
    expect(simulation).toMatchObject({
      waves: [
        { wave: 1, newPods: 2, oldPods: 2, available: 2 },
        { wave: 2, newPods: 3, oldPods: 1, available: 2 },
        { wave: 3, newPods: 3, oldPods: 0, available: 2 },
      ],
      halted: { wave: 3, reason: 'insufficient-capacity' },
    });
    expect(things(findings)).toEqual([
      {
        code: 'kubernetes/insufficient-capacity',
        severity: 'error',
        messageId: 'nodes',
        path: 'spec.template.spec',
        data: { nodes: 3, undersizedNodes: { nodes: 1, resource: 'cpu', needed: '2', available: '1' }, deadlockWave: 3 },
      },
    ]);
  });

  test('are not reported if the rollout deadlocks earlier on nodes without capacity for a second pod', () => {
    const { findings } = rolloutOf([surging], capacityOf([node('one', { cpu: 1 }), node('three', { cpu: 3 }), ...nodes(2)]));
    expect(things(findings)).toMatchObject([
      { code: 'kubernetes/surge-needs-headroom', messageId: 'insufficientCapacity', data: { deadlockWave: 1 } },
    ]);
  });
});

describe('DaemonSets that only together exceed the capacity of a node', () => {
  const named = (name: string, cpu: number, spec?: object) => {
    const daemons = agent({}, { cpu, ...(spec && { spec }) });
    return { ...daemons, metadata: { name, namespace: 'ops' } };
  };
  const mixed = capacityOf([...nodes(2, { cpu: 8 }), node('small', { cpu: 4 })]);
  const undersizedNodesOf = (objects: readonly object[]) =>
    planOf(objects, mixed).rollouts.map(({ resource, findings }) => [resource.name, findings.map(({ data }) => data.undersizedNodes)]);

  test('the first by name is assumed to run there, and the others never do', () => {
    expect(undersizedNodesOf([named('b', 3), named('a', 3), named('c', 1)])).toEqual([
      ['b', [{ nodes: 1, resource: 'cpu', needed: '3', available: '1', isShared: true }]],
      ['a', []],
      ['c', []],
    ]);
  });

  test('system-critical DaemonSets take precedence over all others', () => {
    expect(undersizedNodesOf([named('a', 3), named('proxy', 3, { priorityClassName: 'system-node-critical' })])).toEqual([
      ['a', [{ nodes: 1, resource: 'cpu', needed: '3', available: '1', isShared: true }]],
      ['proxy', []],
    ]);
  });
});

test('daemons use a part of each node, and an unrelated Deployment gets only the remaining capacity', () => {
  const web = sound({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      template: {
        spec: { containers: [{ name: 'web', readinessProbe: { tcpSocket: { port: 80 } }, resources: { requests: { cpu: 1 } } }] },
      },
    },
  });
  const capacity = capacityOf(nodes(2, { cpu: 3 }));
  const [, surging] = planOf([agent({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }), web], capacity).rollouts;
  expect(surging!.capacity).toMatchObject({ verdict: 'fits', peakPods: 3 });
  const [, crowded] = planOf([agent({}, { cpu: 2 }), web], capacity).rollouts;
  expect(crowded!.capacity).toMatchObject({ verdict: 'deadlocks', podsThatFit: 2 });
});

test('a rollout may break a budget, and a budget is not checked against drains, which skip daemons', () => {
  const budget = (spec: object) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'agent', namespace: 'ops' },
    spec: { selector: { matchLabels: { app: 'agent' } }, ...spec },
  });
  expect(things(rolloutOf([agent(), budget({ minAvailable: 3 }), ...nodes(3)]).findings)).toMatchObject([
    { code: 'kubernetes/pdb-broken-by-rollout', messageId: 'singleWorkload', data: { desiredHealthy: 3, lowestAvailable: 2 } },
  ]);
  expect(rolloutOf([agent(), budget({ minAvailable: 2 }), ...nodes(3)]).findings).toEqual([]);
  expect(rolloutOf([agent(), budget({ maxUnavailable: 0 }), ...nodes(3)]).findings).toEqual([]);
});

test('on one node the default deletes the only pod first, which is an outage', () => {
  expect(things(rolloutOf([agent(), node('only')]).findings)).toMatchObject([
    {
      code: 'kubernetes/outage',
      severity: 'warning',
      messageId: 'unavailable',
      data: { unavailable: 1, replicas: 1, per: 'node' },
    },
  ]);
});

test('each wave waits until its deleted pods are gone, and then for their successors', () => {
  expect(rolloutOf([agent({ rollingUpdate: { maxUnavailable: 2 } }), ...nodes(10)], { startupSeconds: 20 }).duration).toEqual({
    startupSeconds: 20,
    lowerBoundSeconds: 100,
    expectedSeconds: 250,
    abortSeconds: null,
    blastRadius: 2,
  });
});

test('with surge the last wave only deletes old pods, and no wave waits until pods are gone', () => {
  const surging = agent({ rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } });
  const { simulation, duration } = rolloutOf([surging, ...nodes(6)], { startupSeconds: 20 });
  expect(simulation).toMatchObject({ waves: [{}, {}, {}, { newPods: 6, oldPods: 0 }] });
  expect(duration).toEqual({ startupSeconds: 20, lowerBoundSeconds: 60, expectedSeconds: 60, abortSeconds: null, blastRadius: 2 });
});

test('there is no duration if all nodes are down', () => {
  const { simulation, duration } = rolloutOf([agent(), node('lost', DOWN)], { startupSeconds: 20 });
  expect(simulation).toMatchObject({ nodes: 0, otherNodesDown: 1 });
  expect(duration).toBeUndefined();
});

test('a node that the pods select by nodeName counts as down if it is down', () => {
  const pinned = (nodeName: string) => rolloutOf([agent({}, { spec: { nodeName } }), node('up'), node('lost', DOWN)]).simulation;
  expect(pinned('up')).toMatchObject({ nodes: 1 });
  expect(pinned('up')).not.toHaveProperty('otherNodesDown');
  expect(pinned('lost')).toMatchObject({ nodes: 0, otherNodesDown: 1 });
});

test('the provenance lists the source of each field of the strategy', () => {
  const provenanceOf = (updateStrategy?: object) =>
    rolloutOf([agent(updateStrategy), ...nodes(2)]).provenance.map(({ field, value, layer, reason }) => [field, value, layer, reason]);
  const path = 'spec.updateStrategy';
  expect(provenanceOf()).toEqual([
    ['type', 'RollingUpdate', 'kubernetes-default', `${path}.type is not set; the API server fills in "RollingUpdate".`],
    ['maxSurge', 0, 'kubernetes-default', `${path}.rollingUpdate.maxSurge is not set; the API server fills in 0.`],
    ['maxUnavailable', 1, 'kubernetes-default', `${path}.rollingUpdate.maxUnavailable is not set; the API server fills in 1.`],
  ]);
  expect(provenanceOf({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } })).toEqual([
    ['type', 'RollingUpdate', 'user', `${path}.type is set.`],
    ['maxSurge', 0, 'kubernetes-default', `${path}.rollingUpdate.maxSurge is not set; the API server fills in 0.`],
    ['maxUnavailable', '10%', 'user', `${path}.rollingUpdate.maxUnavailable is set.`],
  ]);
});

test('OnDelete has no waves', () => {
  const { simulation, provenance, findings } = rolloutOf([agent({ type: 'OnDelete' }), ...nodes(3)]);
  expect(simulation).toMatchObject({ nodes: 3, waves: [], minAvailable: 3 });
  expect(provenance.map(({ field, layer }) => [field, layer])).toEqual([['type', 'user']]);
  expect(findings).toEqual([]);
});
