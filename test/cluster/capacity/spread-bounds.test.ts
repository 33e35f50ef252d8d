import * as fc from 'fast-check';
import { createNodeCheck } from '../../../src/cluster/capacity/exact/placement-constraints';
import type { RolloutModel } from '../../../src/cluster/capacity/exact/rollout-model';
import { computeSpreadBounds } from '../../../src/cluster/capacity/exact/spread-bounds';

const REPLICAS = 4;

const nodes = fc.array(
  fc.record({
    free: fc.integer({ min: 0, max: 3 }),
    oldLimit: fc.integer({ min: 0, max: 2 }),
    domain: fc.integer({ min: -1, max: 2 }),
    isCounted: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

const models = fc
  .record({
    nodes,
    others: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 3, maxLength: 3 }),
    maxSkew: fc.integer({ min: 1, max: 2 }),
    minDomains: fc.integer({ min: 1, max: 3 }),
    countsOld: fc.boolean(),
    leastOutside: fc.constantFrom(Infinity, Infinity, 0, 1, 2),
  })
  .map(({ nodes: list, others, maxSkew, minDomains, countsOld, leastOutside }): RolloutModel => {
    const isCounted = list.map((node) => node.domain >= 0 && node.isCounted);
    return {
      replicas: REPLICAS,
      surge: 1,
      unavailable: 0,
      // The scheduler places no new pod on a node that is not counted.
      nodes: list.map(({ free, oldLimit }, index) => ({
        newPodsBesideOld: Array.from({ length: oldLimit + 1 }, (_, old) => (isCounted[index] ? Math.max(0, free - old) : 0)),
        signature: `${index}`,
      })),
      oldLimitByNode: list.map(({ oldLimit }) => oldLimit),
      spreads: [
        {
          domainOf: list.map(({ domain }) => domain),
          domains: 3,
          maxSkew,
          minDomains,
          countsOld,
          countsNew: true,
          countsItself: true,
          isCounted,
          exists: [0, 1, 2].map((domain) => list.some((node, index) => node.domain === domain && isCounted[index])),
          others,
          leastOutside,
          domainsOutside: leastOutside === Infinity ? 0 : 1,
        },
      ],
      antiAffinities: [],
      newPodsAdmitted: [],
    };
  });

/** Lists all numbers of pods by node, up to a limit for each node. */
function listCounts(limits: readonly number[]): number[][] {
  return limits.reduce<number[][]>(
    (all, limit) => all.flatMap((counts) => Array.from({ length: limit + 1 }, (_, pods) => [...counts, pods])),
    [[]],
  );
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Returns the fewest new pods next to which no node accepts another, by the number of old pods, over all placements. */
function findFewest(model: RolloutModel): number[] {
  const fewest = Array.from({ length: REPLICAS + 1 }, () => Infinity);
  for (const old of listCounts(model.oldLimitByNode)) {
    if (sum(old) > REPLICAS) continue;
    for (const ready of listCounts(model.nodes.map(({ newPodsBesideOld }, node) => newPodsBesideOld[old[node]!]!))) {
      const isAllowed = createNodeCheck(model, { old, next: ready });
      if (!model.nodes.some((_, node) => isAllowed(node))) fewest[sum(old)] = Math.min(fewest[sum(old)]!, sum(ready));
    }
  }
  return fewest;
}

test('the fewest new pods at a standstill under a spread constraint are those of a comparison of all placements', () => {
  fc.assert(
    fc.property(models, (model) => {
      expect(computeSpreadBounds(model)!.map((pods) => Math.min(pods, REPLICAS))).toEqual(
        findFewest(model).map((pods) => Math.min(pods, REPLICAS)),
      );
    }),
    { numRuns: 400 },
  );
});
