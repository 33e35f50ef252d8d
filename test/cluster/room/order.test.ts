import * as fc from 'fast-check';
import { planManifests } from '../../../src/plan/plan';

interface Drawn {
  readonly kind: 'Deployment' | 'StatefulSet' | 'ReplicaSet';
  readonly replicas: number;
  readonly gpus: number;
  readonly surges: boolean;
  readonly namespace: string;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  kind: fc.constantFrom('Deployment', 'StatefulSet', 'ReplicaSet'),
  replicas: fc.integer({ min: 1, max: 4 }),
  gpus: fc.integer({ min: 1, max: 4 }),
  surges: fc.boolean(),
  namespace: fc.constantFrom('shop', 'models'),
});

function workload({ kind, replicas, gpus, surges, namespace }: Drawn, index: number) {
  const name = `w${index}`;
  const strategy = surges ? { maxSurge: 1, maxUnavailable: 0 } : { maxSurge: 0, maxUnavailable: 1 };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace },
    spec: {
      replicas,
      ...(kind === 'Deployment' && { strategy: { rollingUpdate: strategy } }),
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'a', image: 'a', resources: { limits: { 'nvidia.com/gpu': gpus } } }] },
      },
    },
  };
}

const QUOTA = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'q', namespace: 'shop' },
  spec: { hard: { 'requests.nvidia.com/gpu': '6' } },
};

const capacity = { nodePools: [{ name: 'gpus', count: 2, allocatable: { 'nvidia.com/gpu': 4 } }] };

test('what becomes of each rollout, and of all together, does not depend on the order of the objects', () => {
  const inTwoOrders = fc
    .array(drawn, { minLength: 2, maxLength: 6 })
    .map((all) => [...all.map(workload), QUOTA])
    .chain((objects) => fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length })));
  fc.assert(
    fc.property(inTwoOrders, ([objects, shuffled]) => {
      const [first, second] = [objects, shuffled].map((given) => planManifests(given, { capacity }));
      const byName = (plan: typeof first) =>
        Object.fromEntries(plan!.rollouts.map(({ resource, room, findings }) => [resource.name, { room, findings }]));
      expect(byName(second)).toEqual(byName(first));
      expect(second!.room).toEqual(first!.room);
    }),
  );
});
