/** Tests first fit with examples, and against a reference that checks node after node. */
import * as fc from 'fast-check';
import type { NodePool } from '../../../src/cluster/context/capacity';
import {
  createEmptyNodes,
  fitsOnEmptyNode,
  joinNodes,
  findLargestFree,
  countNodesWithCapacity,
  schedulePods,
  countPodsThatFit,
} from '../../../src/cluster/capacity/nodes/placement';
import { sortLargestFirst } from '../../../src/cluster/capacity/nodes/placement-order';
import { computeAdditionalNodes } from '../../../src/cluster/capacity/nodes/additional-nodes';
import { hasCapacityFor } from '../../../src/cluster/capacity/amounts';
import type { Demand } from '../../../src/cluster/capacity/nodes/placement';
import type { PodSet } from '../../../src/cluster/rollout/pod-set';
import { PlanCache } from '../../../src/core/collections/plan-cache';
import { scaleRuns } from '../../setup/scale-runs';

const UNIT = 1_000_000_000n;
const amounts = (values: Readonly<Record<string, number>>) =>
  new Map(Object.entries(values).map(([resource, amount]) => [resource, BigInt(amount) * UNIT]));

function pool(name: string, count: number, allocatable: Readonly<Record<string, number>>, rest: Partial<NodePool> = {}): NodePool {
  return { name, count, labels: { pool: name }, allocatable: amounts(allocatable), ...rest };
}

function podSet(app: string, requests: Readonly<Record<string, number>>, spec: object = {}): PodSet {
  const quantities = Object.fromEntries(Object.entries(requests).map(([resource, amount]) => [resource, `${amount}`]));
  return {
    replicas: 1,
    template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'a', resources: { requests: quantities } }], ...spec } },
  };
}

/** Builds anti-affinity that excludes other pods of the app from the node of a pod. */
const antiAffinity = (app: string) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app } }, topologyKey: 'kubernetes.io/hostname' }],
    },
  },
});

const named = (demands: readonly Demand[]) =>
  demands.map(({ podSet: { template }, pods }) => [(template as { metadata: { labels: { app: string } } }).metadata.labels.app, pods]);

describe('capacity for a pod', () => {
  test.each([
    ['as much as is left', { cpu: 2 }, { cpu: 2 }, true],
    ['more than is left', { cpu: 2 }, { cpu: 3 }, false],
    ['memory on a node that does not limit it', { cpu: 2 }, { cpu: 1, memory: 9 }, true],
    ['a GPU on a node without one', { cpu: 2 }, { 'nvidia.com/gpu': 1 }, false],
    ['nothing', {}, {}, true],
  ])('%s', (_what, free, requests, fits) => {
    expect(hasCapacityFor(amounts(free), amounts(requests))).toBe(fits);
  });

  test('is only counted on eligible nodes', () => {
    const memory = new PlanCache();
    expect(fitsOnEmptyNode(pool('a', 1, { cpu: 2 }), podSet('web', { cpu: 2 }), memory)).toBe(true);
    expect(fitsOnEmptyNode(pool('a', 1, { cpu: 2 }), podSet('web', { cpu: 2 }, { nodeSelector: { pool: 'b' } }), memory)).toBe(false);
  });
});

describe('pods are placed on the first nodes with capacity', () => {
  const memory = new PlanCache();
  const pools = [pool('small', 2, { cpu: 2 }), pool('none', 0, { cpu: 100 }), pool('large', 1, { cpu: 5 })];
  const web = podSet('web', { cpu: 2 });
  const api = podSet('api', { cpu: 1 });

  test('pods that do not fit are left over, the last ones in a run of identical pods', () => {
    const { unplaced, nodes } = schedulePods(
      createEmptyNodes(pools),
      [
        { podSet: web, pods: 3 },
        { podSet: podSet('web', { cpu: 2 }), pods: 0 },
        { podSet: podSet('also', { cpu: 2 }), pods: 4 },
        { podSet: api, pods: 2 },
      ],
      memory,
    );
    expect(named(unplaced)).toEqual([
      ['also', 3],
      ['api', 1],
    ]);
    expect(countPodsThatFit(nodes, api, 10, memory)).toBe(0);
  });

  test('placed pods and pods that would fit are counted, up to the requested number', () => {
    const empty = createEmptyNodes(pools);
    expect(countPodsThatFit(empty, web, 10, memory)).toBe(4);
    expect(countPodsThatFit(empty, api, 10, memory)).toBe(9);
    expect(countPodsThatFit(empty, podSet('other', { cpu: 1 }), 2, new PlanCache())).toBeGreaterThanOrEqual(2);
    expect(countNodesWithCapacity(empty, podSet('daemon', { cpu: 3 }), memory)).toBe(1);
    expect(countNodesWithCapacity(empty, web, memory)).toBe(3);
    const { nodes } = schedulePods(empty, [{ podSet: web, pods: 1 }], memory);
    expect(countNodesWithCapacity(nodes, web, memory)).toBe(2);
    expect(countPodsThatFit(nodes, web, 10, memory)).toBe(3);
  });

  test('a count for few pods is not reused for more', () => {
    const empty = createEmptyNodes([pool('a', 3, { cpu: 3 })]);
    expect(countPodsThatFit(empty, api, 1, memory)).toBeGreaterThanOrEqual(1);
    expect(countPodsThatFit(empty, api, 9, memory)).toBe(9);
    expect(countPodsThatFit(empty, api, 100, memory)).toBe(9);
    expect(countPodsThatFit(empty, api, 1, memory)).toBe(9);
  });

  test('the maximum left on one node is undefined if a node does not limit it', () => {
    const { nodes } = schedulePods(createEmptyNodes(pools), [{ podSet: api, pods: 5 }], memory);
    expect(findLargestFree(nodes, api, 'cpu', memory)).toBe(4n * UNIT);
    expect(findLargestFree(nodes, podSet('web', {}, { nodeSelector: { pool: 'small' } }), 'cpu', memory)).toBe(0n);
    expect(findLargestFree(nodes, api, 'memory', memory)).toBeUndefined();
    expect(findLargestFree(nodes, api, 'nvidia.com/gpu', memory)).toBe(0n);
  });

  test('pods that exclude each other get one node each', () => {
    const exclusive = podSet('web', { cpu: 1 }, antiAffinity('web'));
    const { nodes, unplaced } = schedulePods(createEmptyNodes(pools), [{ podSet: exclusive, pods: 4 }], memory);
    expect(named(unplaced)).toEqual([['web', 1]]);
    expect(countPodsThatFit(nodes, exclusive, 10, memory)).toBe(0);
    expect(countPodsThatFit(nodes, api, 10, memory)).toBe(6);
  });
});

describe('pods with the fewest eligible nodes come first, then the largest', () => {
  const pools = [pool('a', 2, { cpu: 8, memory: 64 }), pool('b', 1, { cpu: 4, memory: 16 })];
  const order = (...sets: readonly PodSet[]) =>
    named(
      sortLargestFirst(
        pools,
        sets.map((set) => ({ podSet: set, pods: 1 })),
        new PlanCache(),
      ),
    ).map(([app]) => app);

  test('by eligible nodes first', () => {
    const onB = podSet('on-b', { cpu: 1 }, { nodeSelector: { pool: 'b' } });
    const onA = podSet('on-a', { cpu: 1 }, { nodeSelector: { pool: 'a' } });
    expect(order(podSet('any', { cpu: 4 }), onA, onB)).toEqual(['on-b', 'on-a', 'any']);
  });

  test('by the largest fraction of the largest node that a pod needs of any resource', () => {
    expect(order(podSet('cpu', { cpu: 2 }), podSet('memory', { memory: 32 }), podSet('both', { cpu: 1, memory: 24 }))).toEqual([
      'memory',
      'both',
      'cpu',
    ]);
  });

  test('a pod that needs its own node counts as the full node', () => {
    expect(order(podSet('large', { cpu: 7 }), podSet('alone', { cpu: 1 }, antiAffinity('alone')))).toEqual(['alone', 'large']);
  });

  test('in input order if they are equal, with identical pods next to each other', () => {
    expect(order(podSet('x', { cpu: 1 }), podSet('y', { memory: 8 }), podSet('z', { cpu: 1 }))).toEqual(['x', 'z', 'y']);
  });
});

describe('additional nodes', () => {
  const pools = [pool('small', 1, { cpu: 2 }), pool('large', 0, { cpu: 4 })];
  const additional = (...demands: readonly Demand[]) => computeAdditionalNodes(pools, demands, new PlanCache());

  test('are of the first pool in which all pods fit, even if it has no nodes now', () => {
    expect(additional({ podSet: podSet('a', { cpu: 1 }), pods: 5 })).toEqual({ pool: 'small', nodes: 3 });
    expect(additional({ podSet: podSet('a', { cpu: 1 }), pods: 5 }, { podSet: podSet('b', { cpu: 3 }), pods: 1 })).toEqual({
      pool: 'large',
      nodes: 2,
    });
  });

  test('are undefined if the pods fit in no pool, or if there are none', () => {
    expect(additional({ podSet: podSet('a', { cpu: 5 }), pods: 1 })).toBeUndefined();
    expect(additional()).toBeUndefined();
  });
});

const anyPool = fc.record({
  count: fc.constantFrom(0, 1, 1, 1, 2, 3),
  cpu: fc.integer({ min: 0, max: 4 }),
  memory: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
  gpu: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
});
const anyDemand = fc.record({
  cpu: fc.integer({ min: 1, max: 3 }),
  memory: fc.integer({ min: 0, max: 2 }),
  gpu: fc.constantFrom(0, 0, 0, 1),
  pods: fc.integer({ min: 0, max: 6 }),
  pool: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  needsOwnNode: fc.boolean(),
});

interface OneNode {
  readonly pool: NodePool;
  readonly free: Map<string, number>;
  readonly apps: Set<string>;
}

/** Places one pod on the first node with capacity. Returns whether there was one. */
function placePod(
  nodes: readonly OneNode[],
  app: string,
  requests: Readonly<Record<string, number>>,
  only: string | undefined,
  needsOwnNode: boolean,
) {
  const left = ({ free }: OneNode, resource: string) => free.get(resource) ?? (resource === 'nvidia.com/gpu' ? 0 : Infinity);
  const node = nodes.find(
    (one) =>
      (only === undefined || one.pool.name === only) &&
      !(needsOwnNode && one.apps.has(app)) &&
      Object.entries(requests).every(([resource, amount]) => amount <= left(one, resource)),
  );
  if (!node) return false;
  for (const [resource, amount] of Object.entries(requests))
    if (node.free.has(resource)) node.free.set(resource, left(node, resource) - amount);
  node.apps.add(app);
  return true;
}

test('as many pods fit as when checking node after node, for any number of pools', () => {
  fc.assert(
    fc.property(
      fc.array(anyPool, { maxLength: 150, size: 'max' }),
      fc.nat(150),
      fc.array(anyDemand, { maxLength: 8 }),
      (drawnPools, cut, drawnDemands) => {
        const pools = drawnPools.map(({ count, cpu, memory, gpu }, index) =>
          pool(`p${index % 4}`, count, {
            cpu,
            ...(memory !== undefined && { memory }),
            ...(gpu !== undefined && { 'nvidia.com/gpu': gpu }),
          }),
        );
        const nodes = pools.flatMap((one) =>
          Array.from({ length: one.count }, () => ({
            pool: one,
            free: new Map([...one.allocatable].map(([resource, amount]) => [resource, Number(amount / UNIT)])),
            apps: new Set<string>(),
          })),
        );
        const memory = new PlanCache();
        let placed = joinNodes(createEmptyNodes(pools.slice(0, cut)), createEmptyNodes(pools.slice(cut)));
        drawnDemands.forEach(({ cpu, memory: bytes, gpu, pods, pool: only, needsOwnNode }, index) => {
          const app = `a${index}`;
          const requests = { cpu, ...(bytes > 0 && { memory: bytes }), ...(gpu > 0 && { 'nvidia.com/gpu': gpu }) };
          const where = only === undefined ? undefined : `p${only}`;
          const set = podSet(app, requests, { ...(where && { nodeSelector: { pool: where } }), ...(needsOwnNode && antiAffinity(app)) });
          const { nodes: after, unplaced } = schedulePods(placed, [{ podSet: set, pods }], memory);
          const expected = Array.from({ length: pods }, () => placePod(nodes, app, requests, where, needsOwnNode)).filter(
            (found) => !found,
          ).length;
          expect(unplaced.reduce((sum, demand) => sum + demand.pods, 0)).toBe(expected);
          const lefts = nodes.filter((node) => where === undefined || node.pool.name === where).map(({ free }) => free.get('cpu')!);
          expect(findLargestFree(after, set, 'cpu', memory)).toBe(BigInt(Math.max(0, ...lefts)) * UNIT);
          placed = after;
        });
      },
    ),
    { numRuns: scaleRuns(60) },
  );
});
