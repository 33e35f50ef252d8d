import { planChange } from '../../../src/headless';

const node = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  status: { allocatable: { cpu: '16', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
});
const NODES = ['a', 'b', 'c'].map(node);

const named = (name: string) => ({ name, namespace: 'shop' });

/** A claim that only one pod of the cluster may use, and its volume, which any node can mount. */
const CLAIM = [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: named('data'),
    spec: { accessModes: ['ReadWriteOncePod'], volumeName: 'data' },
    status: { phase: 'Bound' },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOncePod'], claimRef: named('data'), csi: { driver: 'disk.example.com', volumeHandle: 'data' } },
    status: { phase: 'Bound' },
  },
];
const QUOTA = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: named('compute'), spec: { hard: { 'requests.cpu': '20' } } };

const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
const template = (image: string, podSpec: object = {}) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image, resources: { requests: { cpu: '1' } } }], ...podSpec },
});
const selector = { matchLabels: { app: 'web' } };

function daemonSet(image: string, podSpec: object, maxSurge = 0) {
  const rollingUpdate = { maxSurge, maxUnavailable: maxSurge > 0 ? 0 : 1 };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: named('web'),
    spec: { updateStrategy: { rollingUpdate }, selector, template: template(image, podSpec) },
  };
}

function deployment(image: string, replicas: number, podSpec: object) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: named('web'),
    spec: { replicas, strategy: { type: 'Recreate' }, selector, template: template(image, podSpec) },
  };
}

function statefulSet(image: string) {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: named('web'),
    spec: {
      replicas: 1,
      serviceName: 'web',
      selector,
      template: template(image),
      volumeClaimTemplates: [
        { metadata: { name: 'disk' }, spec: { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: '1Gi' } } } },
      ],
    },
  };
}

function groups(image: string, replicas: number, podSpec: object) {
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: named('web'),
    spec: { replicas, leaderWorkerTemplate: { size: 2, workerTemplate: template(image, podSpec) } },
  };
}

const verdictOf = (old: readonly object[], next: object) => {
  const { capacity } = planChange([...old, ...CLAIM, ...NODES], [next]).rollouts[0]!;
  return capacity?.message;
};

// Source: k/k pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go: while a pod uses the claim, no node accepts another.
describe('a volume that only one pod of the cluster may use', () => {
  const onA = { volumes, nodeSelector: { 'kubernetes.io/hostname': 'a' } };

  test('stops a DaemonSet after its first new pod', () => {
    expect(verdictOf([daemonSet('web:1', {})], daemonSet('web:2', { volumes }))).toMatchInlineSnapshot(
      `"Deadlocks at wave 2: it peaks at 3 nodes and the node pools have 1 left."`,
    );
  });

  test('lets a DaemonSet of one node delete the old pod first, and keeps off a new pod next to the old one', () => {
    expect([
      verdictOf([daemonSet('web:1', onA)], daemonSet('web:2', onA)),
      verdictOf([daemonSet('web:1', onA, 1)], daemonSet('web:2', onA, 1)),
    ]).toMatchInlineSnapshot(`
     [
       "Fits: there is capacity for its peak of 1 pod.",
       "Deadlocks at wave 1: it peaks at 1 node and the node pools have 0 left.",
     ]
    `);
  });

  test('keeps off all pods of a DaemonSet while a pod of others uses it', () => {
    const other = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: named('job'),
      spec: { ...template('job:1', { volumes }).spec, nodeName: 'b' },
    };
    expect(verdictOf([daemonSet('web:1', {}), other], daemonSet('web:2', onA))).toMatchInlineSnapshot(
      `"Deadlocks at wave 1: it peaks at 1 node and the node pools have 0 left."`,
    );
  });

  test('leaves open what only numbers of pods decide: under a quota, added pods, groups', () => {
    expect({
      quota: verdictOf([daemonSet('web:1', {}), QUOTA], daemonSet('web:2', { volumes })),
      added: verdictOf([deployment('web:1', 1, { volumes })], deployment('web:1', 3, { volumes })),
      'added and changed': verdictOf([deployment('web:1', 1, { volumes })], deployment('web:2', 3, { volumes })),
      groups: verdictOf([groups('web:1', 2, {})], groups('web:2', 2, { volumes })),
    }).toMatchInlineSnapshot(`
     {
       "added": "May not fit: there is capacity for 3 pods, but plans do not model ReadWriteOncePod volumes of several pods.",
       "added and changed": "May not fit: there is capacity for its peak of 3 pods, but plans do not model ReadWriteOncePod volumes of several pods.",
       "groups": "May not fit: there is capacity for its peak of 4 pods, but plans do not model ReadWriteOncePod volumes of several pods.",
       "quota": "May not fit: there is capacity for its peak of 3 pods, but plans do not model ReadWriteOncePod volumes of several pods.",
     }
    `);
  });

  test('does not concern a single pod, whether it is new or replaced', () => {
    expect([
      verdictOf([], deployment('web:1', 1, { volumes })),
      verdictOf([deployment('web:1', 1, { volumes })], deployment('web:2', 1, { volumes })),
    ]).toEqual(['Fits: there is capacity for 1 pod.', 'Fits: there is capacity for its peak of 1 pod.']);
  });

  test('leaves open whether a single pod fits while a pod of others uses it', () => {
    const other = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: named('job'),
      spec: { ...template('job:1', { volumes }).spec, nodeName: 'b' },
      status: { phase: 'Running' },
    };
    const ofOrdinal = { ...CLAIM[0]!, metadata: named('disk-web-0') };
    const usesOrdinal = {
      ...other,
      spec: { ...other.spec, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'disk-web-0' } }] },
    };
    const shared = { ...deployment('cache:1', 1, { volumes }), metadata: named('cache') };
    expect({
      'a new Deployment': verdictOf([other], deployment('web:1', 1, { volumes })),
      'a new StatefulSet': verdictOf([usesOrdinal, ofOrdinal], statefulSet('web:1')),
      'a Deployment that mounts it now': verdictOf([other, deployment('web:1', 1, {})], deployment('web:2', 1, { volumes })),
      'a StatefulSet': verdictOf([usesOrdinal, ofOrdinal, statefulSet('web:1')], statefulSet('web:2')),
      'a DaemonSet under a quota': verdictOf([other, QUOTA, daemonSet('web:1', onA)], daemonSet('web:2', onA)),
      'a Pod of others without a node': verdictOf(
        [{ ...other, spec: template('job:1', { volumes }).spec, status: { phase: 'Pending' } }],
        deployment('web:1', 1, { volumes }),
      ),
      'a Deployment without Pods that uses it': planChange(
        [shared, ...CLAIM, ...NODES],
        [shared, deployment('web:1', 1, { volumes })],
      ).rollouts.map(({ capacity }) => capacity?.message),
    }).toMatchInlineSnapshot(`
{
  "a DaemonSet under a quota": "May not fit: there is capacity for its peak of 1 pod, but plans do not model ReadWriteOncePod volumes of several pods.",
  "a Deployment that mounts it now": "Deadlocks at wave 2: it peaks at 1 pod and the node pools have 0 left.",
  "a Deployment without Pods that uses it": [
    undefined,
    "May not fit: there is capacity for 1 pod, but plans do not model ReadWriteOncePod volumes of several pods.",
  ],
  "a Pod of others without a node": "May not fit: there is capacity for 1 pod, but plans do not model ReadWriteOncePod volumes of several pods.",
  "a StatefulSet": "May not fit: there is capacity for its peak of 1 pod, but plans do not model ReadWriteOncePod volumes of several pods.",
  "a new Deployment": "May not fit: there is capacity for 1 pod, but plans do not model ReadWriteOncePod volumes of several pods.",
  "a new StatefulSet": "May not fit: there is capacity for 1 pod, but plans do not model ReadWriteOncePod volumes of several pods.",
}
`);
  });

  test('leaves open whether two workloads fit that mount it, whether they are new or mount it now', () => {
    const deploymentOf = (name: string, image: string, podSpec: object, replicas = 1) => ({
      ...deployment(image, replicas, podSpec),
      metadata: named(name),
    });
    const messagesOf = (old: readonly object[], next: readonly object[]) =>
      planChange([...old, ...CLAIM, ...NODES], [...next, ...CLAIM, ...NODES]).rollouts.map(({ capacity }) => capacity?.message);
    const both = (image: string, podSpec: object) => [deploymentOf('web', image, podSpec), deploymentOf('cache', image, podSpec)];
    expect({
      'both are new': messagesOf([], both('web:1', { volumes })),
      'both mount it now': messagesOf(both('web:1', {}), both('web:2', { volumes })),
      'one is new, and the other one mounts it no longer': messagesOf(
        [deploymentOf('cache', 'web:1', { volumes })],
        [deploymentOf('web', 'web:1', { volumes }), deploymentOf('cache', 'web:2', {})],
      ),
      'one of them has no pods': messagesOf(
        [],
        [deploymentOf('web', 'web:1', { volumes }), deploymentOf('cache', 'web:1', { volumes }, 0)],
      ),
    }).toMatchInlineSnapshot(`
{
  "both are new": [
    "May not fit: there is capacity for 1 pod, but plans do not model ReadWriteOncePod volumes of several pods.",
    "May not fit: there is capacity for 1 pod, but plans do not model ReadWriteOncePod volumes of several pods.",
  ],
  "both mount it now": [
    "May not fit: there is capacity for its peak of 1 pod, but plans do not model ReadWriteOncePod volumes of several pods.",
    "May not fit: there is capacity for its peak of 1 pod, but plans do not model ReadWriteOncePod volumes of several pods.",
  ],
  "one is new, and the other one mounts it no longer": [
    "May not fit: there is capacity for 1 pod, but plans do not model ReadWriteOncePod volumes of several pods.",
    "Fits: there is capacity for its peak of 1 pod.",
  ],
  "one of them has no pods": [
    "Fits: there is capacity for 1 pod.",
    undefined,
  ],
}
`);
  });

  test('does not concern a pod if other pods use other claims, or have finished', () => {
    const other = (podSpec: object, phase: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: named('job'),
      spec: { ...template('job:1', podSpec).spec, nodeName: 'b' },
      status: { phase },
    });
    expect([
      verdictOf([other({}, 'Running')], deployment('web:1', 1, { volumes })),
      verdictOf([other({ volumes }, 'Succeeded')], deployment('web:1', 1, { volumes })),
    ]).toEqual(['Fits: there is capacity for 1 pod.', 'Fits: there is capacity for 1 pod.']);
  });
});
