import * as fc from 'fast-check';
import { findCandidateNodes } from '../../../src/cluster/capacity/nodes/candidate-nodes';
import { PlanCache } from '../../../src/core/plan-cache';
import { canRunOn } from '../../../src/cluster/capacity/nodes/node-affinity';
import type { NodeTraits } from '../../../src/cluster/capacity/nodes/node-affinity';
import type { PodSet } from '../../../src/cluster/pod-set';

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
  return findCandidateNodes(podSet(spec), NODES, new PlanCache()).map(({ nodeName }) => nodeName);
}

const inPool = (...values: string[]) => ({ key: 'pool', operator: 'In', values });

test.each([
  ['no requirement', {}, ['a', 'b', 'c', 'd']],
  ['a node selector', { nodeSelector: { pool: 'red' } }, ['a', 'd']],
  ['a node selector that no node has', { nodeSelector: { pool: 'green' } }, []],
  ['several values, in the order of the nodes', required([inPool('blue', 'red')]), ['a', 'b', 'd']],
  ['two terms', required([inPool('blue')], [{ key: 'disk', operator: 'In', values: ['ssd'] }]), ['a', 'b']],
  ['several labels: the least common one counts', { nodeSelector: { pool: 'red', disk: 'ssd' } }, ['a']],
  [
    'a term with another operator in addition to In',
    required([{ key: 'disk', operator: 'NotIn', values: ['hdd'] }, inPool('red')]),
    ['a', 'd'],
  ],
  ['a term that requires a label with any value', required([inPool('blue')], [{ key: 'disk', operator: 'Exists' }]), ['a', 'b']],
  ['a term that requires no label', required([inPool('blue')], [{ key: 'disk', operator: 'DoesNotExist' }]), ['a', 'b', 'c', 'd']],
  ['a node selector in addition to terms', { nodeSelector: { pool: 'red' }, ...required([inPool('blue')]) }, ['b']],
])('%s leaves these candidates', (_what, spec, names) => {
  expect(namesFor(spec)).toEqual(names);
});

test('a node with unknown labels is always a candidate', () => {
  expect(findCandidateNodes(podSet({ nodeSelector: { pool: 'red' } }), [NODES[1]!, UNKNOWN, NODES[0]!], new PlanCache())).toEqual([
    UNKNOWN,
    NODES[0],
  ]);
});

test('the nodes of a pool have unknown host names, and a Node has the host name in its labels', () => {
  const host = (name: string) => ({ nodeName: name, labels: { 'kubernetes.io/hostname': name } });
  const pool: NodeTraits = { labels: { pool: 'red' } };
  const nodes = [host('a'), host('b'), pool, UNKNOWN, { nodeName: 'c', labels: {} }];
  expect(findCandidateNodes(podSet({ nodeSelector: { 'kubernetes.io/hostname': 'b' } }), nodes, new PlanCache())).toEqual([
    host('b'),
    pool,
    UNKNOWN,
  ]);
  expect(findCandidateNodes(podSet(required([{ key: 'kubernetes.io/hostname', operator: 'Exists' }])), nodes, new PlanCache())).toEqual([
    host('a'),
    host('b'),
    pool,
    UNKNOWN,
  ]);
});

test('no node that the pods can run on is skipped', () => {
  const value = fc.constantFrom('red', 'blue', 'green');
  const key = fc.constantFrom('pool', 'disk');
  const expression = fc.record({
    key,
    operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'),
    values: fc.array(value, { minLength: 1, maxLength: 2 }),
  });
  const node = fc.option(fc.dictionary(key, value), { nil: undefined }).map((labels): NodeTraits => ({ labels }));
  const spec = fc.oneof(
    fc.dictionary(key, value).map((nodeSelector) => ({ nodeSelector, ...required([inPool('red')]) })),
    fc.dictionary(key, value).map((nodeSelector) => ({ nodeSelector })),
    fc.array(fc.array(expression, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }).map((terms) => required(...terms)),
  );
  fc.assert(
    fc.property(spec, fc.array(node, { maxLength: 6 }), (podSpec, nodes) => {
      const cache = new PlanCache();
      const pods = podSet(podSpec);
      const found = findCandidateNodes(pods, nodes, cache);
      expect(found).toEqual(expect.arrayContaining(nodes.filter((traits) => canRunOn(pods, traits, 'new', cache))));
    }),
  );
});
