import { planManifests } from '../../../src/headless';
import { deployment, statefulSet } from '../../builders/workload';
import { findingsOf, rolloutOf } from '../../workloads/plan';

/** Builds required anti-affinity between the pods of app web, by node unless the term overrides it. */
function antiAffinity(term: object = {}) {
  const own = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
  return { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...own, ...term }] } };
}

const ANTI_AFFINITY = antiAffinity();

function headroom(podSpec: object, rollingUpdate: object = { maxSurge: 1, maxUnavailable: 0 }) {
  const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
  return findingsOf([deployment({ replicas: 3, strategy: { rollingUpdate }, template })], 'kubernetes/surge-needs-headroom');
}

describe('kubernetes/surge-needs-headroom for pods that need one node each', () => {
  test('reports that they need a node without one of them', () => {
    expect(headroom({ affinity: ANTI_AFFINITY })).toMatchObject([
      { severity: 'warning', messageId: 'surge', data: { ownNodeReason: 'required anti-affinity' } },
    ]);
    expect(headroom({ containers: [{ ports: [{ hostPort: 80 }] }] })).toMatchObject([{ data: { ownNodeReason: 'a hostPort' } }]);
    expect(headroom({ hostNetwork: true, containers: [{ ports: [{ containerPort: 80 }] }] })).toMatchObject([
      { data: { ownNodeReason: 'hostNetwork' } },
    ]);
  });

  test('reports nothing for pods that can share a node, or if an old pod is deleted first', () => {
    expect(headroom({})).toEqual([]);
    const withinRevision = antiAffinity({ matchLabelKeys: ['pod-template-hash'] });
    expect(headroom({ affinity: withinRevision })).toEqual([]);
    expect(headroom({ affinity: ANTI_AFFINITY }, { maxSurge: 0, maxUnavailable: 1 })).toEqual([]);
  });
});

const IN_PLACE = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };

function web(podSpec: object, replicas = 3, name = 'web', strategy: object = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }) {
  const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
  return deployment({ replicas, strategy, template }, { name, namespace: 'shop' });
}

function capacityOn(nodes: number, ...objects: object[]) {
  return rolloutOf(objects, { capacity: { nodePools: [{ name: 'a', count: nodes, allocatable: { cpu: 64 } }] } }).capacity;
}

describe('pods that need one node each', () => {
  test('find no node for the surge if each node already has one', () => {
    expect(capacityOn(3, web({ affinity: ANTI_AFFINITY }))).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 4,
      podsThatFit: 3,
      newPodsAtLeast: 0,
      newPodsAtMost: 0,
      shortage: { kind: 'own-nodes', limit: 'node pools', resource: 'nodes', needed: '4', available: '3' },
      moreNodes: { pool: 'a', nodes: 1 },
      message:
        'Fits only with 1 more node in pool "a". Without it the rollout deadlocks at wave 1: it peaks at 4 nodes and the node pools have 3 left.',
    });
    expect(capacityOn(4, web({ affinity: ANTI_AFFINITY }))).toMatchObject({ verdict: 'fits' });
    expect(capacityOn(3, web({ affinity: ANTI_AFFINITY }, 3, 'web', IN_PLACE))).toMatchObject({ verdict: 'fits' });
  });

  const port = { containerPort: 80 };
  const namedShop = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } };
  test.each([
    ['a host port', { containers: [{ ports: [{ ...port, hostPort: 80 }] }] }],
    ['a host port of a sidecar', { containers: [], initContainers: [{ restartPolicy: 'Always', ports: [{ ...port, hostPort: 80 }] }] }],
    ['the host network, where every port is a host port', { hostNetwork: true, containers: [{ ports: [port] }] }],
    ['anti-affinity that lists their own namespace', { affinity: antiAffinity({ namespaces: ['shop'] }) }],
    ['anti-affinity in all namespaces', { affinity: antiAffinity({ namespaceSelector: {} }) }],
    ['anti-affinity in namespaces with their name', { affinity: antiAffinity(namedShop) }],
  ])('include pods with %s', (_what, podSpec) => {
    expect(capacityOn(3, web(podSpec))).toMatchObject({ verdict: 'deadlocks', shortage: { kind: 'own-nodes', resource: 'nodes' } });
  });

  test.each([
    ['the port belongs to a container that ends', { containers: [], initContainers: [{ ports: [{ ...port, hostPort: 80 }] }] }],
    ['the host network is used without a port', { hostNetwork: true, containers: [{}] }],
    ['it excludes other pods', { affinity: antiAffinity({ labelSelector: { matchLabels: { app: 'db' } } }) }],
    ['it is in other namespaces', { affinity: antiAffinity({ namespaces: ['bank'] }) }],
  ])('do not include pods if %s', (_what, podSpec) => {
    expect(capacityOn(3, web(podSpec))).toMatchObject({ verdict: 'fits' });
  });

  test.each([
    ['anti-affinity is by zone', { affinity: antiAffinity({ topologyKey: 'topology.kubernetes.io/zone' }) }],
    ['it is in namespaces with unknown labels', { affinity: antiAffinity({ namespaceSelector: { matchLabels: { team: 'shop' } } }) }],
  ])('may include pods if %s', (_what, podSpec) => {
    expect(capacityOn(3, web(podSpec))).toMatchObject({ verdict: 'may-not-fit', because: ['podAntiAffinity'] });
  });

  test('include pods with anti-affinity in namespaces with the labels of theirs', () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'shop' } } };
    const affinity = antiAffinity({ namespaceSelector: { matchLabels: { team: 'shop' } } });
    expect(capacityOn(3, web({ affinity }), namespace)).toMatchObject({ verdict: 'deadlocks' });
  });
});

describe('pods that need one node each within a revision', () => {
  const affinity = antiAffinity({ matchLabelKeys: ['pod-template-hash'] });

  test('surge next to old ones, but still need as many nodes as there are replicas', () => {
    expect(capacityOn(3, web({ affinity }))).toMatchObject({ verdict: 'fits' });
    expect(capacityOn(3, web({ affinity }, 4))).toMatchObject({
      verdict: 'deadlocks',
      podsThatFit: 3,
      shortage: { kind: 'nodes', resource: 'pods', needed: '5', available: '3' },
      message:
        'Fits only with 2 more nodes in pool "a". Without them the rollout deadlocks at wave 1: it peaks at 5 pods and the node pools have 3 left.',
    });
  });

  test('only exist in a Deployment: pods of a StatefulSet have another label', () => {
    const template = { metadata: { labels: { app: 'web' } }, spec: { affinity } };
    expect(headroom({ affinity })).toEqual([]);
    expect(capacityOn(2, statefulSet({ replicas: 2, template }))).toMatchObject({ verdict: 'fits' });
    expect(capacityOn(1, statefulSet({ replicas: 2, template }))).toMatchObject({ verdict: 'deadlocks' });
  });

  test('can share a node within a revision if only other revisions are excluded', () => {
    const betweenRevisions = antiAffinity({ mismatchLabelKeys: ['pod-template-hash'] });
    expect(capacityOn(1, web({ affinity: betweenRevisions }, 3))).toMatchObject({ verdict: 'deadlocks', podsThatFit: 3 });
    // If both nodes have old pods, neither accepts a new one.
    expect(capacityOn(2, web({ affinity: betweenRevisions }, 3))).toMatchObject({
      verdict: 'may-not-fit',
      because: ['the choice of nodes'],
      newPodsAtLeast: 0,
      newPodsAtMost: 3,
    });
    expect(capacityOn(4, web({ affinity: betweenRevisions }, 3))).toMatchObject({ verdict: 'fits' });
  });
});

describe('host ports', () => {
  const on = (port: object, name: string) => web({ containers: [{ ports: [{ containerPort: 80, ...port }] }] }, 2, name, IN_PLACE);

  test.each([
    ['the same port', {}, {}, 'deadlocks'],
    ['another port', {}, { hostPort: 81 }, 'fits'],
    ['another protocol', {}, { protocol: 'UDP' }, 'fits'],
    ['one address and all addresses', {}, { hostIP: '10.0.0.1' }, 'deadlocks'],
    ['another address', { hostIP: '10.0.0.2' }, { hostIP: '10.0.0.1' }, 'fits'],
    ['the same address', { hostIP: '10.0.0.1' }, { hostIP: '10.0.0.1' }, 'deadlocks'],
  ])('conflict between the pods of two workloads as expected for %s', (_what, first, second, verdict) => {
    const both = [on({ hostPort: 80, ...first }, 'a'), on({ hostPort: 80, ...second }, 'b')];
    const capacity = { nodePools: [{ name: 'a', count: 3, allocatable: { cpu: 64 } }] };
    const { rollouts } = planManifests(both, { capacity });
    expect(rollouts.map(({ capacity: result }) => result!.verdict)).toEqual(['fits', verdict]);
  });
});

test('pods of others on unknown nodes leave open whether nodes are left, since those may be other nodes than assumed', () => {
  const sets = ['a', 'b', 'c', 'd', 'e'].map((app) => {
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const containers = [{ name: app, image: `${app}:1`, resources: { requests: { cpu: 1 } } }];
    const spec = {
      replicas: 4,
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { affinity, containers } },
    };
    return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: app }, spec };
  });
  const capacity = (count: number) => ({ nodePools: [{ name: 'pool', count, allocatable: { cpu: 2 } }] });
  const verdictsOf = (objects: readonly object[], count: number) =>
    planManifests(objects, { capacity: capacity(count) }).rollouts.map((rollout) => rollout.capacity!.verdict);
  // 10 nodes have room for the 20 pods, and each Deployment frees the place that its next pod takes.
  expect(verdictsOf(sets, 10)).toEqual(['slower', 'slower', 'slower', 'slower', 'may-not-fit']);
  // 4 pods need 4 nodes, wherever the others are.
  expect(verdictsOf(sets.slice(0, 2), 3)).toEqual(['deadlocks', 'deadlocks']);
});
