import { planManifests } from '../../../src/headless';
import { deployment, findingsOf, rolloutOf, statefulSet } from '../../workloads/plan';

/** Required anti-affinity among the pods of app web, by node unless the term says otherwise. */
function apart(term: object = {}) {
  const own = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
  return { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...own, ...term }] } };
}

const APART = apart();

function headroom(podSpec: object, rollingUpdate: object = { maxSurge: 1, maxUnavailable: 0 }) {
  const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
  return findingsOf([deployment({ replicas: 3, strategy: { rollingUpdate }, template })], 'kubernetes/surge-needs-headroom');
}

describe('kubernetes/surge-needs-headroom for pods that go one to a node', () => {
  test('says that the room has to be a node without any of them', () => {
    expect(headroom({ affinity: APART })).toMatchObject([
      { severity: 'warning', messageId: 'surge', data: { apart: 'required anti-affinity' } },
    ]);
    expect(headroom({ containers: [{ ports: [{ hostPort: 80 }] }] })).toMatchObject([{ data: { apart: 'a hostPort' } }]);
    expect(headroom({ hostNetwork: true, containers: [{ ports: [{ containerPort: 80 }] }] })).toMatchObject([
      { data: { apart: 'hostNetwork' } },
    ]);
  });

  test('is silent for pods that may share a node, and where an old pod goes first', () => {
    expect(headroom({})).toEqual([]);
    const ofOneRevision = apart({ matchLabelKeys: ['pod-template-hash'] });
    expect(headroom({ affinity: ofOneRevision })).toEqual([]);
    expect(headroom({ affinity: APART }, { maxSurge: 0, maxUnavailable: 1 })).toEqual([]);
  });
});

const IN_PLACE = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };

function web(podSpec: object, replicas = 3, name = 'web', strategy: object = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }) {
  const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
  return deployment({ replicas, strategy, template }, { name, namespace: 'shop' });
}

function roomOn(nodes: number, ...objects: object[]) {
  return rolloutOf(objects, { capacity: { nodePools: [{ name: 'a', count: nodes, allocatable: { cpu: 64 } }] } }).capacity;
}

describe('pods that go one to a node', () => {
  test('find no node for the surge where each has one already', () => {
    expect(roomOn(3, web({ affinity: APART }))).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 4,
      podsThatFit: 3,
      shortage: { kind: 'own-nodes', limit: 'node pools', resource: 'nodes', needed: '4', available: '3' },
      moreNodes: { pool: 'a', nodes: 1 },
      message:
        'Fits only with 1 node more of pool "a"; without it, deadlocks at wave 1: its peak needs 4 nodes, and node pools have 3 for it.',
    });
    expect(roomOn(4, web({ affinity: APART }))).toMatchObject({ verdict: 'fits' });
    expect(roomOn(3, web({ affinity: APART }, 3, 'web', IN_PLACE))).toMatchObject({ verdict: 'fits' });
  });

  const port = { containerPort: 80 };
  const namedShop = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } };
  test.each([
    ['a port of the node', { containers: [{ ports: [{ ...port, hostPort: 80 }] }] }],
    ['a port of a sidecar', { containers: [], initContainers: [{ restartPolicy: 'Always', ports: [{ ...port, hostPort: 80 }] }] }],
    ['the network of the node, where every port is one', { hostNetwork: true, containers: [{ ports: [port] }] }],
    ['anti-affinity that lists their own namespace', { affinity: apart({ namespaces: ['shop'] }) }],
    ['anti-affinity in all namespaces', { affinity: apart({ namespaceSelector: {} }) }],
    ['anti-affinity in namespaces of their name', { affinity: apart(namedShop) }],
  ])('do so for %s', (_what, podSpec) => {
    expect(roomOn(3, web(podSpec))).toMatchObject({ verdict: 'deadlocks', shortage: { kind: 'own-nodes', resource: 'nodes' } });
  });

  test.each([
    ['the port is that of a container that ends', { containers: [], initContainers: [{ ports: [{ ...port, hostPort: 80 }] }] }],
    ['the network of the node is used without a port', { hostNetwork: true, containers: [{}] }],
  ])('may share one where %s', (_what, podSpec) => {
    expect(roomOn(3, web(podSpec))).toMatchObject({ verdict: 'fits' });
  });

  test.each([
    ['anti-affinity is by zone', { affinity: apart({ topologyKey: 'topology.kubernetes.io/zone' }) }],
    ['it is from other pods', { affinity: apart({ labelSelector: { matchLabels: { app: 'db' } } }) }],
    ['it is in other namespaces', { affinity: apart({ namespaces: ['bank'] }) }],
    ['it is in namespaces with labels that are not known', { affinity: apart({ namespaceSelector: { matchLabels: { team: 'shop' } } }) }],
  ])('may share one where %s, which no plan looks at otherwise', (_what, podSpec) => {
    expect(roomOn(3, web(podSpec))).toMatchObject({ verdict: 'may-not-fit', because: ['podAntiAffinity'] });
  });

  test('do so for anti-affinity in namespaces with labels that theirs has', () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'shop' } } };
    const affinity = apart({ namespaceSelector: { matchLabels: { team: 'shop' } } });
    expect(roomOn(3, web({ affinity }), namespace)).toMatchObject({ verdict: 'deadlocks' });
  });
});

describe('pods that go one to a node of each revision', () => {
  const affinity = apart({ matchLabelKeys: ['pod-template-hash'] });

  test('surge beside old ones, and need as many nodes as there are replicas all the same', () => {
    expect(roomOn(3, web({ affinity }))).toMatchObject({ verdict: 'fits' });
    expect(roomOn(3, web({ affinity }, 4))).toMatchObject({
      verdict: 'deadlocks',
      podsThatFit: 3,
      shortage: { kind: 'nodes', resource: 'pods', needed: '5', available: '3' },
      message:
        'Fits only with 2 nodes more of pool "a"; without it, deadlocks at wave 1: its peak needs 5 pods, and node pools have 3 for it.',
    });
  });

  test('are those of a Deployment: pods of a StatefulSet have another label', () => {
    const template = { metadata: { labels: { app: 'web' } }, spec: { affinity } };
    expect(headroom({ affinity })).toEqual([]);
    expect(roomOn(2, statefulSet({ replicas: 2, template }))).toMatchObject({ verdict: 'fits' });
    expect(roomOn(1, statefulSet({ replicas: 2, template }))).toMatchObject({ verdict: 'deadlocks' });
  });

  test('may share a node with each other where only other revisions are kept off', () => {
    const others = apart({ mismatchLabelKeys: ['pod-template-hash'] });
    expect(roomOn(1, web({ affinity: others }, 3))).toMatchObject({ verdict: 'deadlocks', podsThatFit: 3 });
    expect(roomOn(2, web({ affinity: others }, 3))).toMatchObject({ verdict: 'fits' });
  });
});

describe('ports of the node', () => {
  const on = (port: object, name: string) => web({ containers: [{ ports: [{ containerPort: 80, ...port }] }] }, 2, name, IN_PLACE);

  test.each([
    ['the same port', {}, {}, 'deadlocks'],
    ['another port', {}, { hostPort: 81 }, 'fits'],
    ['another protocol', {}, { protocol: 'UDP' }, 'fits'],
    ['an address beside all addresses', {}, { hostIP: '10.0.0.1' }, 'deadlocks'],
    ['another address', { hostIP: '10.0.0.2' }, { hostIP: '10.0.0.1' }, 'fits'],
    ['the same address', { hostIP: '10.0.0.1' }, { hostIP: '10.0.0.1' }, 'deadlocks'],
  ])('keep the pods of two workloads off each other on %s', (_what, first, second, verdict) => {
    const both = [on({ hostPort: 80, ...first }, 'a'), on({ hostPort: 80, ...second }, 'b')];
    const capacity = { nodePools: [{ name: 'a', count: 3, allocatable: { cpu: 64 } }] };
    const { rollouts } = planManifests(both, { capacity });
    expect(rollouts.map(({ capacity: room }) => room!.verdict)).toEqual(['fits', verdict]);
  });
});
