import * as fc from 'fast-check';
import { planManifests } from '../../../src/plan/plan';
import { autoscaler } from '../../builders/autoscaler';
import { disruptionBudget } from '../../builders/disruption-budget';
import { limitRange, quota } from '../../builders/quota';

interface DrawnWorkload {
  readonly kind: 'Deployment' | 'StatefulSet' | 'ReplicaSet';
  readonly replicas: number;
  readonly gpus: number;
  readonly surges: boolean;
  readonly namespace: string;
}

const drawnWorkload: fc.Arbitrary<DrawnWorkload> = fc.record({
  kind: fc.constantFrom('Deployment', 'StatefulSet', 'ReplicaSet'),
  replicas: fc.integer({ min: 1, max: 4 }),
  gpus: fc.integer({ min: 1, max: 4 }),
  surges: fc.boolean(),
  namespace: fc.constantFrom('shop', 'models'),
});

function workload({ kind, replicas, gpus, surges, namespace }: DrawnWorkload, index: number) {
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

const QUOTA = quota({ 'requests.nvidia.com/gpu': '6' }, { namespace: 'shop' });

const capacity = { nodePools: [{ name: 'gpus', count: 2, allocatable: { 'nvidia.com/gpu': 4 } }] };

test('the evaluation of each rollout, and of all together, does not depend on the order of the objects', () => {
  const inTwoOrders = fc
    .array(drawnWorkload, { minLength: 2, maxLength: 6 })
    .map((all) => [...all.map(workload), QUOTA])
    .chain((objects) => fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length })));
  fc.assert(
    fc.property(inTwoOrders, ([objects, shuffled]) => {
      const [first, second] = [objects, shuffled].map((input) => planManifests(input, { capacity }));
      const byName = (plan: typeof first) =>
        Object.fromEntries(plan!.rollouts.map(({ resource, capacity: verdict, findings }) => [resource.name, { verdict, findings }]));
      expect(byName(second)).toEqual(byName(first));
      expect(second!.capacity).toEqual(first!.capacity);
    }),
  );
});

const GPU_LIMIT = { 'nvidia.com/gpu': 1 };

/** Objects of kinds that can occur several times. Their order must not matter. */
const RIVALS: Readonly<Record<string, (name: string, amount: number) => object>> = {
  LimitRange: (name, cpu) => limitRange([{ type: 'Container', defaultRequest: { cpu } }], { name, namespace: 'shop' }),
  HorizontalPodAutoscaler: (name, minReplicas) => {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'w0' };
    return autoscaler({ minReplicas, maxReplicas: minReplicas + 2, scaleTargetRef }, { name, namespace: 'shop' });
  },
  PodDisruptionBudget: (name, minAvailable) => {
    const matchLabels = minAvailable % 2 === 0 ? { app: 'w0' } : { tier: 'all' };
    return disruptionBudget({ minAvailable, selector: { matchLabels } }, { name, namespace: 'shop' });
  },
  ResourceQuota: (name, amount) => quota({ pods: amount, 'requests.nvidia.com/gpu': amount }, { name, namespace: 'shop' }),
};

test('findings do not depend on the order of autoscalers, budgets, quotas and LimitRanges', () => {
  const rivals = fc.array(fc.tuple(fc.constantFrom(...Object.keys(RIVALS)), fc.integer({ min: 1, max: 7 })), {
    minLength: 2,
    maxLength: 5,
  });
  const workloads = fc.integer({ min: 1, max: 3 });
  const inTwoOrders = fc
    .tuple(rivals, workloads)
    .map(([drawnRivals, count]) => [
      ...drawnRivals.map(([kind, amount], index) => RIVALS[kind]!(`r${index}`, amount)),
      ...Array.from({ length: count }, (_, index) => ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: `w${index}`, namespace: 'shop' },
        spec: {
          replicas: 2,
          selector: { matchLabels: { app: `w${index}` } },
          template: {
            metadata: { labels: { app: `w${index}`, tier: 'all' } },
            spec: { containers: [{ name: 'a', image: 'a', resources: { limits: GPU_LIMIT } }] },
          },
        },
      })),
    ])
    .chain((objects) => fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length })));
  const nodes = { nodePools: [{ name: 'gpus', count: 2, allocatable: { cpu: 6, 'nvidia.com/gpu': 4 } }] };
  fc.assert(
    fc.property(inTwoOrders, ([objects, shuffled]) => {
      const [first, second] = [objects, shuffled].map((input) => planManifests(input, { capacity: nodes }));
      const summarize = (plan: typeof first) => ({
        capacity: plan!.capacity,
        findings: plan!.findings.map((finding) => JSON.stringify(finding)).toSorted(),
        rollouts: Object.fromEntries(plan!.rollouts.map((rollout) => [rollout.resource.name, rollout])),
      });
      expect(summarize(second)).toEqual(summarize(first));
    }),
  );
});
