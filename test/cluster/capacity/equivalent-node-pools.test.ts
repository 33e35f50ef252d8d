import * as fc from 'fast-check';
import { findEquivalentLabelledPools, findEquivalentPools } from '../../../src/cluster/capacity/nodes/equivalent-node-pools';
import { hasLabels, nodeRulesOf, canRunOn } from '../../../src/cluster/capacity/nodes/node-affinity';
import type { NodePool } from '../../../src/cluster/capacity/nodes/node-pools';
import { computeDaemonUse } from '../../../src/cluster/capacity/other-pods';
import { hasCapacityFor } from '../../../src/cluster/capacity/amounts';
import { computePodFootprint } from '../../../src/cluster/capacity/pod-requests';
import { findUndersizedNodes } from '../../../src/cluster/capacity/daemons/undersized-nodes';
import type { PodSet } from '../../../src/cluster/pod-set';
import { PlanCache } from '../../../src/core/plan-cache';

const HOSTNAME = 'kubernetes.io/hostname';

function podSet(spec: object, cpu = '1'): PodSet {
  return { replicas: 1, onePerNode: true, template: { spec: { containers: [{ name: 'a', resources: { requests: { cpu } } }], ...spec } } };
}

function required(...terms: object[][]): object {
  const nodeSelectorTerms = terms.map((matchExpressions) => ({ matchExpressions }));
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

function node(index: number, rest: Partial<NodePool> = {}): NodePool {
  const labels = { [HOSTNAME]: `n${index}`, zone: `z${index % 2}` };
  return { name: `n${index}`, nodeName: `n${index}`, count: 1, labels, allocatable: new Map([['cpu', 4_000_000_000n]]), ...rest };
}

const NODES = Array.from({ length: 12 }, (_, index) => node(index));
const avoiding = (...values: string[]) => ({ key: HOSTNAME, operator: 'NotIn', values });

test.each([
  ['pods without constraints have one entry for each zone', {}, { n0: 6, n1: 6 }],
  ['an avoided Node is a separate entry', required([avoiding('n0')]), { n0: 1, n1: 6, n2: 5 }],
  ['Nodes of other zones are left out', required([avoiding('n2'), { key: 'zone', operator: 'In', values: ['z0'] }]), { n0: 5, n2: 1 }],
  ['the term with fewer exceptions counts', required([avoiding('n0', 'n2')], [avoiding('n4')]), { n0: 5, n4: 1, n1: 6 }],
  ['a required Node is the only entry', required([{ key: HOSTNAME, operator: 'In', values: ['n3'] }]), { n3: 1 }],
])('%s', (_what, spec, counts) => {
  const found = findEquivalentPools(podSet(spec), NODES, new PlanCache()).map(({ pool, count }) => [pool.name, count]);
  expect(Object.fromEntries(found)).toEqual(counts);
});

test('pods of a team only check the Nodes whose taint their team tolerates', () => {
  const ofTeam = (index: number, team: string) => node(index, { name: team, taints: [{ key: 'team', value: team, effect: 'NoSchedule' }] });
  const teams = [ofTeam(0, 'a'), ofTeam(1, 'b'), ofTeam(2, 'c')];
  const namesFor = (...tolerations: object[]) =>
    findEquivalentPools(podSet({ tolerations }), teams, new PlanCache()).map(({ pool }) => pool.name);

  expect(namesFor({ key: 'team', value: 'b' })).toEqual(['b']);
  expect(namesFor({ key: 'team', value: 'b' }, { key: 'team', operator: 'Equal', value: 'c' })).toEqual(['b', 'c']);
  expect(namesFor({ key: 'team', value: 'b' }, { key: 'team', operator: 'Exists' })).toEqual(['a', 'b', 'c']);
  expect(namesFor({ key: 'team' })).toEqual([]);
  expect(namesFor({ key: 'other', operator: 'Exists' })).toEqual([]);
});

const name = fc.integer({ min: 0, max: 15 }).map((index) => `n${index}`);
const expression = fc.oneof(
  fc.record({
    key: fc.constant(HOSTNAME),
    operator: fc.constantFrom('NotIn', 'In'),
    values: fc.array(name, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ key: fc.constantFrom('zone', 'disk'), operator: fc.constantFrom('NotIn', 'In'), values: fc.constant(['z0']) }),
  fc.record({ key: fc.constantFrom('zone', 'disk', HOSTNAME), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const toleration = fc.constantFrom(
  { operator: 'Exists' },
  { key: 'a', operator: 'Exists' },
  { key: 'a', value: 'x' },
  { key: 'a', operator: 'Equal', value: 'y', effect: 'NoSchedule' },
  { key: 'b', effect: 'NoExecute' },
);
const spec = fc.record(
  {
    nodeSelector: fc.constantFrom({}, { zone: 'z0' }, { disk: 'z0' }),
    affinity: fc
      .array(fc.array(expression, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
      .map((terms) => (required(...terms) as { affinity: object }).affinity),
    tolerations: fc.array(toleration, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const taint = fc.record({
  key: fc.constantFrom('a', 'b', 'node.kubernetes.io/unschedulable'),
  value: fc.constantFrom('', 'x', 'y'),
  effect: fc.constantFrom('NoSchedule' as const, 'NoExecute' as const, 'PreferNoSchedule' as const),
});
const nodes = fc.array(
  fc.record({
    taints: fc.array(taint, { maxLength: 1 }),
    isDown: fc.boolean(),
    count: fc.constantFrom(1, 1, 3),
    labels: fc.record({ zone: fc.constantFrom('z0', 'z1'), disk: fc.constantFrom('z0', 'x') }, { requiredKeys: [] }),
    cpu: fc.constantFrom(2n, 4n),
    isKnown: fc.boolean(),
  }),
  { minLength: 1, maxLength: 16 },
);
const pools = nodes.map((all) =>
  all.map(({ cpu, labels, isKnown, ...rest }, index) =>
    node(index, {
      ...rest,
      labels: isKnown ? { ...labels, [HOSTNAME]: `n${index}` } : undefined,
      allocatable: new Map([['cpu', cpu * 1_000_000_000n]]),
    }),
  ),
);

function nodesOf(all: readonly { readonly count: number }[]): number {
  return all.reduce((sum, { count }) => sum + count, 0);
}

test('as many nodes are found as by checking each pool', () => {
  fc.assert(
    fc.property(spec, pools, fc.constantFrom('old' as const, 'new' as const), (podSpec, all, revision) => {
      const cache = new PlanCache();
      const pods = podSet(podSpec);
      const equivalent = findEquivalentPools(pods, all, cache, { byAllocatable: true }).filter(({ pool }) =>
        canRunOn(pods, pool, revision, cache),
      );
      expect(nodesOf(equivalent)).toBe(nodesOf(all.filter((pool) => canRunOn(pods, pool, revision, cache))));
      const rules = nodeRulesOf(pods, cache);
      const labelled = findEquivalentLabelledPools(pods, all, cache).filter(({ pool }) => hasLabels(rules, pool));
      expect(nodesOf(labelled)).toBe(nodesOf(all.filter((pool) => hasLabels(rules, pool))));
    }),
  );
});

const daemons = fc
  .array(fc.tuple(spec, fc.constantFrom('1', '2', '3')), { maxLength: 5 })
  .map((all) => all.map(([podSpec, cpu]) => podSet(podSpec, cpu)));

test('DaemonSets use as much of each pool as when each pool is checked', () => {
  fc.assert(
    fc.property(daemons, pools, (sets, all) => {
      const cache = new PlanCache();
      const use = computeDaemonUse(sets, all, cache);
      for (const pool of all) {
        const own = sets
          .filter((set) => canRunOn(set, pool, 'old', cache))
          .map((set) => computePodFootprint(set.template.spec).get('cpu')!);
        expect(use.get(pool)!.get('cpu') ?? 0n).toBe(own.reduce((sum, cpu) => sum + cpu, 0n));
      }
    }),
  );
});

/** Places DaemonSets one after another on each Node. Returns the number of nodes that do not take their pods. */
function countRejectingNodes(sets: readonly PodSet[], all: readonly NodePool[], cache: PlanCache): Map<PodSet, number> {
  const left = new Map(all.map((pool) => [pool, new Map(pool.allocatable)]));
  const rejecting = new Map<PodSet, number>();
  for (const set of sets) {
    const footprint = computePodFootprint(set.template.spec);
    for (const pool of all.filter((candidate) => canRunOn(set, candidate, 'old', cache))) {
      const free = left.get(pool)!;
      if (hasCapacityFor(free, footprint)) free.set('cpu', free.get('cpu')! - footprint.get('cpu')!);
      else if (canRunOn(set, pool, 'new', cache)) rejecting.set(set, (rejecting.get(set) ?? 0) + pool.count);
    }
  }
  return rejecting;
}

test('as many nodes are too small for DaemonSets as when each Node is filled individually', () => {
  fc.assert(
    fc.property(daemons, pools, (sets, all) => {
      const cache = new PlanCache();
      const small = [...findUndersizedNodes(sets, all, cache)].map(([set, { nodes: count }]) => [set, count] as const);
      expect(new Map(small)).toEqual(countRejectingNodes(sets, all, cache));
    }),
  );
});
