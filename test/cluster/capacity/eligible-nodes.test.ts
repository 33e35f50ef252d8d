import { findEligibleNodes } from '../../../src/cluster/capacity/nodes/eligible-nodes';
import { PlanCache } from '../../../src/core/collections/plan-cache';
import type { NodeTraits } from '../../../src/cluster/context/capacity';
import type { PodSet } from '../../../src/cluster/rollout/pod-set';

function podSet(spec: object): PodSet {
  return { replicas: 1, template: { spec } };
}

function required(...terms: object[][]): object {
  const nodeSelectorTerms = terms.map((matchExpressions) => ({ matchExpressions }));
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

const NODES: readonly (NodeTraits & { readonly nodeName: string })[] = [
  { nodeName: 'a', labels: { pool: 'red', disk: 'ssd' } },
  { nodeName: 'b', labels: { pool: 'blue' } },
  { nodeName: 'c', labels: {} },
  { nodeName: 'd', labels: { pool: 'red' } },
];
const UNKNOWN: NodeTraits = {};

function namesFor(spec: object): string[] {
  return findEligibleNodes(podSet(spec), NODES, 'new', new PlanCache()).map(({ nodeName }) => nodeName);
}

const inPool = (...values: string[]) => ({ key: 'pool', operator: 'In', values });

test.each([
  ['no requirement', {}, ['a', 'b', 'c', 'd']],
  ['a node selector', { nodeSelector: { pool: 'red' } }, ['a', 'd']],
  ['a node selector that no node has', { nodeSelector: { pool: 'green' } }, []],
  ['several values, in the order of the nodes', required([inPool('blue', 'red')]), ['a', 'b', 'd']],
  ['two terms', required([inPool('blue')], [{ key: 'disk', operator: 'In', values: ['ssd'] }]), ['a', 'b']],
  ['several labels', { nodeSelector: { pool: 'red', disk: 'ssd' } }, ['a']],
  [
    'a term with another operator in addition to In',
    required([{ key: 'disk', operator: 'NotIn', values: ['hdd'] }, inPool('red')]),
    ['a', 'd'],
  ],
  ['a term that requires a label with any value', required([inPool('blue')], [{ key: 'disk', operator: 'Exists' }]), ['a', 'b']],
  ['a term that excludes a label', required([inPool('blue')], [{ key: 'disk', operator: 'DoesNotExist' }]), ['b', 'c', 'd']],
  ['a node selector in addition to terms', { nodeSelector: { pool: 'red' }, ...required([inPool('blue')]) }, []],
])('%s leaves these nodes', (_what, spec, names) => {
  expect(namesFor(spec)).toEqual(names);
});

test('a node with unknown labels is always eligible', () => {
  expect(findEligibleNodes(podSet({ nodeSelector: { pool: 'red' } }), [NODES[1]!, UNKNOWN, NODES[0]!], 'new', new PlanCache())).toEqual([
    UNKNOWN,
    NODES[0],
  ]);
});

test('the nodes of a pool have unknown host names, and a Node has the host name in its labels', () => {
  const host = (name: string) => ({ nodeName: name, labels: { 'kubernetes.io/hostname': name } });
  const pool: NodeTraits = { labels: { pool: 'red' } };
  const nodes = [host('a'), host('b'), pool, UNKNOWN, { nodeName: 'c', labels: {} }];
  expect(findEligibleNodes(podSet({ nodeSelector: { 'kubernetes.io/hostname': 'b' } }), nodes, 'new', new PlanCache())).toEqual([
    host('b'),
    pool,
    UNKNOWN,
  ]);
  expect(
    findEligibleNodes(podSet(required([{ key: 'kubernetes.io/hostname', operator: 'Exists' }])), nodes, 'new', new PlanCache()),
  ).toEqual([host('a'), host('b'), pool, UNKNOWN]);
});

test('pods of a team can run on the Nodes whose taint they tolerate', () => {
  const ofTeam = (team: string): NodeTraits => ({
    nodeName: team,
    labels: {},
    taints: [{ key: 'team', value: team, effect: 'NoSchedule' }],
  });
  const teams = [ofTeam('a'), ofTeam('b'), ofTeam('c')];
  const namesTolerating = (...tolerations: object[]) =>
    findEligibleNodes(podSet({ tolerations }), teams, 'new', new PlanCache()).map(({ nodeName }) => nodeName);

  expect(namesTolerating({ key: 'team', value: 'b' })).toEqual(['b']);
  expect(namesTolerating({ key: 'team', value: 'b' }, { key: 'team', operator: 'Equal', value: 'c' })).toEqual(['b', 'c']);
  expect(namesTolerating({ key: 'team', value: 'b' }, { key: 'team', operator: 'Exists' })).toEqual(['a', 'b', 'c']);
  expect(namesTolerating({ key: 'team' })).toEqual([]);
  expect(namesTolerating({ key: 'other', operator: 'Exists' })).toEqual([]);
});
