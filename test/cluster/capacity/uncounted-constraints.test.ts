import { planChange } from '../../../src/headless';

const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';

const node = (name: string, zone: string, cpu = '16') => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { [HOSTNAME]: name, [ZONE]: zone } },
  status: { allocatable: { cpu, pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
});

const named = (name: string) => ({ name, namespace: 'shop' });

/** A claim that any number of pods may use, on a volume of one zone. */
const inZone = (zone: string) => [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: named('data'),
    spec: { accessModes: ['ReadWriteMany'], volumeName: 'data' },
    status: { phase: 'Bound' },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'data' },
    spec: {
      accessModes: ['ReadWriteMany'],
      csi: { driver: 'disk.example.com', volumeHandle: 'data' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [zone] }] }] } },
    },
  },
];

const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
const ports = [{ containerPort: 80, hostPort: 80 }];
const selecting = (app: string) => [{ topologyKey: HOSTNAME, labelSelector: { matchLabels: { app } } }];
const near = (app: string) => ({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: selecting(app) } } });
const awayFrom = (app: string) => ({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: selecting(app) } } });

const container = (image: string, rest: object = {}) => ({ name: 'web', image, resources: { requests: { cpu: '1' } }, ...rest });
const template = (image: string, podSpec: object) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [container(image)], ...podSpec },
});

function deployment(image: string, replicas: number, podSpec: object = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: named('web'),
    spec: {
      replicas,
      strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } },
      selector: { matchLabels: { app: 'web' } },
      template: template(image, podSpec),
    },
  };
}

function groups(image: string, replicas: number, podSpec: object = {}) {
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: named('web'),
    spec: { replicas, leaderWorkerTemplate: { size: 2, workerTemplate: template(image, podSpec) } },
  };
}

const database = (podSpec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...named('db'), labels: { app: 'db' } },
  spec: { containers: [container('db:1')], nodeName: 'a', ...podSpec },
  status: { phase: 'Running' },
});

const quota = (cpu: string) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: named('compute'),
  spec: { hard: { 'requests.cpu': cpu } },
});

function messageOf(old: readonly object[], next: object): string | undefined {
  return planChange([...old], [next]).rollouts[0]!.capacity?.message;
}

describe('the volumes of pods that only numbers decide', () => {
  test('leave open whether they fit if they exclude nodes', () => {
    const nodes = [...inZone('b'), node('a', 'a'), node('b', 'b', '0')];
    expect({
      'a new Deployment': messageOf(nodes, deployment('web:1', 3, { volumes })),
      'added pods': messageOf([deployment('web:1', 1, { volumes }), ...nodes], deployment('web:1', 3, { volumes })),
      groups: messageOf([groups('web:1', 2), ...nodes], groups('web:2', 2, { volumes })),
    }).toMatchInlineSnapshot(`
{
  "a new Deployment": "May not fit: there is capacity for 3 pods, but plans do not model volumes.",
  "added pods": "May not fit: there is capacity for 3 pods, but plans do not model volumes.",
  "groups": "May not fit: there is capacity for its peak of 4 pods, but plans do not model volumes.",
}
`);
  });

  test('decide nothing if every node may mount them', () => {
    const nodes = [...inZone('a'), node('a', 'a'), node('b', 'a')];
    expect([
      messageOf(nodes, deployment('web:1', 3, { volumes })),
      messageOf([deployment('web:1', 1, { volumes }), ...nodes], deployment('web:1', 3, { volumes })),
      messageOf([deployment('web:1', 1, { volumes }), ...nodes], deployment('web:2', 3, { volumes })),
      messageOf([groups('web:1', 2), ...nodes], groups('web:2', 2, { volumes })),
    ]).toEqual([
      'Fits: there is capacity for 3 pods.',
      'Fits: there is capacity for 3 pods.',
      'Fits: there is capacity for its peak of 5 pods.',
      'Fits: there is capacity for its peak of 4 pods.',
    ]);
  });
});

describe('running pods of others', () => {
  test('leave open whether added pods fit if they may keep these off', () => {
    const withPort = { containers: [container('web:1', { ports })] };
    expect({
      'by their anti-affinity': messageOf([deployment('web:1', 1), database(awayFrom('web')), node('a', 'a')], deployment('web:1', 3)),
      'by a host port': messageOf(
        [database({ containers: [container('db:1', { ports })] }), node('a', 'a')],
        deployment('web:1', 1, withPort),
      ),
    }).toMatchInlineSnapshot(`
{
  "by a host port": "May not fit: there is capacity for 1 pod, but plans do not model hostPort.",
  "by their anti-affinity": "May not fit: there is capacity for 3 pods, but plans do not model podAntiAffinity.",
}
`);
  });

  test('decide nothing if their anti-affinity selects other pods, or if they belong to the workload', () => {
    expect([
      messageOf([deployment('web:1', 1), database(awayFrom('cache')), node('a', 'a')], deployment('web:1', 3)),
      messageOf([database({}), node('a', 'a')], deployment('web:1', 3)),
    ]).toEqual(['Fits: there is capacity for 3 pods.', 'Fits: there is capacity for 3 pods.']);
  });
});

test('a rollout that numbers call slower may not fit if its pods have a constraint that they do not count', () => {
  const nodes = [node('a', 'a'), node('b', 'b')];
  const old = [deployment('web:1', 2), quota('4'), ...nodes];
  expect([messageOf(old, deployment('web:2', 3)), messageOf(old, deployment('web:2', 3, near('nobody')))]).toMatchInlineSnapshot(`
[
  "Takes 2 waves that create pods, with fewer pods at once: it peaks at 5 requests.cpu and ResourceQuota "compute" has 4 left.",
  "May not fit: this depends on podAffinity.",
]
`);
});

test('added pods that wait until others are deleted may not fit if they have a constraint that numbers do not count', () => {
  const cache = { ...deployment('cache:1', 4), metadata: named('cache') };
  const shrunk = { ...deployment('cache:1', 1), metadata: named('cache') };
  const verdictOf = (podSpec: object) =>
    planChange([cache, node('a', 'a', '4')], [shrunk, deployment('web:1', 2, podSpec)]).rollouts.map(({ capacity }) => capacity?.verdict);
  expect([verdictOf({}), verdictOf(near('nobody'))]).toEqual([
    [undefined, 'slower'],
    [undefined, 'may-not-fit'],
  ]);
});
