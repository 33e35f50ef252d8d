/** Tests that the nodes without the pods of a set are those with the pods of all others. */
import * as fc from 'fast-check';
import { addAmounts, subtractPods } from '../../../src/cluster/capacity/amounts';
import type { NodePool } from '../../../src/cluster/context/capacity';
import type { NodeGroup } from '../../../src/cluster/capacity/nodes/placement';
import { AssumedPlaces } from '../../../src/cluster/capacity/surroundings/assumed-places';
import type { Surroundings, UnlocatedPods } from '../../../src/cluster/capacity/surroundings/surroundings';
import type { PodSet } from '../../../src/cluster/rollout/pod-set';
import { PlanCache } from '../../../src/core/collections/plan-cache';
import { scaleRuns } from '../../setup/scale-runs';

const UNIT = 1_000_000_000n;

interface DrawnPods {
  readonly cpu: number;
  readonly pods: number;
  readonly rule: 'none' | 'own node' | 'port 80' | 'port 81';
}

const drawnPods: fc.Arbitrary<DrawnPods> = fc.record({
  cpu: fc.integer({ min: 1, max: 2 }),
  pods: fc.integer({ min: 1, max: 3 }),
  rule: fc.constantFrom('none', 'own node', 'port 80', 'port 81'),
});

function podSpecOf(app: string, { cpu, rule }: DrawnPods): object {
  const term = { labelSelector: { matchLabels: { app } }, topologyKey: 'kubernetes.io/hostname' };
  const ports = rule.startsWith('port') ? [{ containerPort: 8080, hostPort: Number(rule.slice(5)) }] : [];
  return {
    containers: [{ name: 'a', ports, resources: { requests: { cpu: `${cpu}` } } }],
    ...(rule === 'own node' && { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }),
  };
}

function toDemand(drawn: DrawnPods, index: number): UnlocatedPods {
  const app = `app-${index}`;
  const podSet: PodSet = { replicas: drawn.pods, template: { metadata: { labels: { app } }, spec: podSpecOf(app, drawn) } };
  return { podSet, pods: drawn.pods };
}

const port = (number: number) => `${JSON.stringify(['TCP', number])} on any`;

/** Sums up what is left on all nodes, and the nodes on which each port is used. */
function summarize(groups: readonly NodeGroup[]) {
  const free = new Map<string, bigint>();
  for (const group of groups) addAmounts(free, group.free, BigInt(group.count));
  const countUsing = (number: number) => groups.reduce((sum, { count, marks }) => sum + (marks.has(port(number)) ? count : 0), 0);
  return { nodes: groups.reduce((sum, { count }) => sum + count, 0), free, port80: countUsing(80), port81: countUsing(81) };
}

test.each([
  ['named nodes', 30, 1],
  ['nodes of pools', 3, 10],
])('the places of a set are free again without it, and those of all others are not: %s', (_, poolCount, count) => {
  fc.assert(
    fc.property(fc.array(drawnPods, { minLength: 2, maxLength: 6 }), fc.integer({ min: 0, max: 5 }), (drawn, picked) => {
      const pools = Array.from({ length: poolCount }, (__, index): NodePool => {
        const name = `n${index}`;
        return { name, count, labels: {}, allocatable: new Map([['cpu', 50n * UNIT]]), ...(count === 1 && { nodeName: name }) };
      });
      const demands = drawn.map(toDemand);
      const free = new Map(pools.map((pool) => [pool, pool.allocatable]));
      const surroundings = { pools, free, cache: new PlanCache(), demands, hasUnplacedPods: false } as unknown as Surroundings;
      const places = new AssumedPlaces(surroundings, demands);
      const own = picked % drawn.length;
      const others = drawn.filter((__, index) => index !== own);
      const usedBy = (rule: string) => others.reduce((sum, each) => sum + (each.rule === rule ? each.pods : 0), 0);
      const cpu = others.reduce((sum, each) => sum + each.cpu * each.pods, 0);
      expect(summarize(places.without([demands[own]!.podSet]))).toEqual({
        nodes: 30,
        free: subtractPods(new Map([['cpu', 1500n * UNIT]]), new Map([['cpu', UNIT]]), cpu),
        port80: usedBy('port 80'),
        port81: usedBy('port 81'),
      });
    }),
    { numRuns: scaleRuns(200) },
  );
});
