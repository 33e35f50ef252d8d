/** Compares the nodes that are too small for DaemonSets with a reference that checks each node. */
import * as fc from 'fast-check';
import { canRunOn } from '../../../src/cluster/capacity/nodes/node-affinity';
import type { NodePool } from '../../../src/cluster/context/capacity';
import { computePodFootprint } from '../../../src/cluster/capacity/pod-requests';
import { hasCapacityFor, remainingOf } from '../../../src/cluster/capacity/amounts';
import { findUndersizedNodes } from '../../../src/cluster/capacity/nodes/daemon-use';
import type { PodSet } from '../../../src/cluster/rollout/pod-set';
import { PlanCache } from '../../../src/core/collections/plan-cache';
import { scaleRuns } from '../../setup/scale-runs';

const HOSTNAME = 'kubernetes.io/hostname';
const RESOURCES = ['cpu', 'memory', 'nvidia.com/gpu'];

function avoiding(names: readonly string[]): object {
  const nodeSelectorTerms = [{ matchExpressions: [{ key: HOSTNAME, operator: 'NotIn', values: names }] }];
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

const amounts = (most: number) => fc.dictionary(fc.constantFrom(...RESOURCES), fc.integer({ min: 0, max: most }), { maxKeys: 3 });
const name = fc.integer({ min: 0, max: 20 }).map((index) => `n${index}`);
const daemon = fc.tuple(amounts(3), fc.array(name, { maxLength: 2 }), fc.boolean()).map(([requests, names, isTolerant]): PodSet => {
  const rules = { ...(names.length > 0 && avoiding(names)), ...(isTolerant && { tolerations: [{ operator: 'Exists' }] }) };
  return { replicas: 1, onePerNode: true, template: { spec: { containers: [{ name: 'a', resources: { requests } }], ...rules } } };
});
const pools = fc
  .array(fc.tuple(amounts(12), fc.constantFrom(1, 1, 3), fc.constantFrom(undefined, 'NoSchedule' as const, 'NoExecute' as const)), {
    minLength: 1,
    maxLength: 20,
  })
  .map((all) =>
    all.map(([allocatable, count, effect], index): NodePool => ({
      name: `n${index}`,
      nodeName: `n${index}`,
      count,
      labels: { [HOSTNAME]: `n${index}` },
      taints: effect ? [{ key: 'a', effect }] : [],
      allocatable: new Map(Object.entries(allocatable).map(([resource, amount]) => [resource, BigInt(amount) * 1_000_000_000n])),
    })),
  );

/** Computes the undersized nodes by filling the nodes with one DaemonSet after another, node by node. */
function byEachNode(daemons: readonly PodSet[], all: readonly NodePool[]): Map<PodSet, object> {
  const cache = new PlanCache();
  const left = new Map(all.map((pool) => [pool, pool.allocatable]));
  const undersized = new Map<PodSet, object>();
  for (const set of daemons) {
    const footprint = computePodFootprint(set.template.spec);
    const runs = all.filter((pool) => canRunOn(set, pool, 'old', cache));
    const full = runs.filter((pool) => !hasCapacityFor(left.get(pool)!, footprint));
    for (const pool of runs.filter((candidate) => !full.includes(candidate))) {
      left.set(pool, new Map([...left.get(pool)!].map(([resource, amount]) => [resource, amount - (footprint.get(resource) ?? 0n)])));
    }
    const rejecting = full.filter((pool) => canRunOn(set, pool, 'new', cache));
    const shortages = RESOURCES.flatMap((resource) => {
      const request = footprint.get(resource) ?? 0n;
      const tooLittle = rejecting.flatMap((pool) => remainingOf(left.get(pool)!, resource) ?? request).filter((amount) => amount < request);
      return tooLittle.length === 0 ? [] : [{ resource, request, most: tooLittle.toSorted((a, b) => Number(b - a))[0]! }];
    });
    const [first] = shortages;
    if (!first) continue;
    const isShared = rejecting.some((pool) => hasCapacityFor(pool.allocatable, footprint));
    const texts = [first.request, first.most].map((amount) => `${amount / 1_000_000_000n}`);
    const nodes = rejecting.reduce((sum, { count }) => sum + count, 0);
    undersized.set(set, { nodes, resource: first.resource, needed: texts[0], available: texts[1], ...(isShared && { isShared }) });
  }
  return undersized;
}

test('the undersized nodes of DaemonSets are the same as when each node is checked', () => {
  fc.assert(
    fc.property(fc.array(daemon, { maxLength: 10 }), pools, (daemons, all) => {
      expect(findUndersizedNodes(daemons, all, new PlanCache())).toEqual(byEachNode(daemons, all));
    }),
    { numRuns: scaleRuns(300) },
  );
});
