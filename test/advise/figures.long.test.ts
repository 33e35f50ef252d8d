import * as fc from 'fast-check';
import { adviseManifests, planManifests } from '../../src/headless';
import type { AdvisedRollout, Candidate, PlanOptions } from '../../src/headless';
import { autoscaler } from '../builders/autoscaler';
import { quota } from '../builders/quota';
import { podTemplate, workload } from '../builders/workload';

/** A workload whose strategy is replaced by each candidate, and where that is written. */
interface Case {
  readonly object: { readonly metadata: object; readonly spec: object };
  readonly field: string;
  readonly others: readonly object[];
  readonly options: PlanOptions;
}

const RESOURCES = { resources: { requests: { cpu: '1' }, limits: { 'nvidia.com/gpu': 1 } } };

function template(grace: number, startup: number | undefined) {
  const annotations = startup === undefined ? {} : { annotations: { 'rolloutkit/startup-seconds': String(startup) } };
  return { metadata: annotations, ...podTemplate(RESOURCES, { terminationGracePeriodSeconds: grace }) };
}

const templates = fc.tuple(fc.constantFrom(0, 30, 200), fc.constantFrom(undefined, 20)).map(([grace, startup]) => template(grace, startup));
const quotas = fc
  .constantFrom(undefined, 0, 1, 2, 5)
  .map((free) => (replicas: number) => (free === undefined ? [] : [quota({ 'requests.nvidia.com/gpu': String(replicas + free) })]));
const autoscalers = fc.constantFrom<readonly [number, number] | undefined>(undefined, [1, 4], [3, 9]);

const deployments = fc
  .record({
    replicas: fc.integer({ min: 0, max: 9 }),
    pod: templates,
    minReadySeconds: fc.constantFrom(0, 15),
    limited: quotas,
    range: autoscalers,
  })
  .map(({ replicas, pod, minReadySeconds, limited, range }): Case => ({
    object: workload('Deployment', { replicas, minReadySeconds, template: pod }),
    field: 'strategy',
    others: [...limited(replicas), ...(range ? [autoscaler({ minReplicas: range[0], maxReplicas: range[1] })] : [])],
    options: { startupSeconds: 45 },
  }));

const statefulSets = fc
  .record({
    replicas: fc.integer({ min: 0, max: 9 }),
    pod: templates,
    policy: fc.constantFrom('OrderedReady', 'Parallel'),
    partition: fc.constantFrom(0, 2),
    limited: quotas,
  })
  .map(({ replicas, pod, policy, partition, limited }): Case => ({
    object: workload('StatefulSet', {
      replicas,
      podManagementPolicy: policy,
      updateStrategy: { rollingUpdate: { partition } },
      template: pod,
    }),
    field: 'updateStrategy',
    others: limited(replicas),
    options: { startupSeconds: 45, versions: { kubernetes: '1.35.0' } },
  }));

function nodes(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-${index}` },
    status: { allocatable: { cpu: index === 0 ? '1500m' : '8', 'nvidia.com/gpu': '2', pods: '110' } },
  }));
}

const daemonSets = fc.record({ count: fc.integer({ min: 1, max: 9 }), pod: templates }).map(({ count, pod }): Case => ({
  object: workload('DaemonSet', { template: pod }),
  field: 'updateStrategy',
  others: nodes(count),
  options: { startupSeconds: 45 },
}));

const onNodes = fc
  .record({ replicas: fc.integer({ min: 1, max: 5 }), count: fc.integer({ min: 1, max: 4 }), pod: templates })
  .map(({ replicas, count, pod }): Case => ({
    object: workload('Deployment', { replicas, template: pod }),
    field: 'strategy',
    others: nodes(count),
    options: { startupSeconds: 45 },
  }));

const groups = fc
  .record({
    replicas: fc.integer({ min: 1, max: 5 }),
    size: fc.integer({ min: 1, max: 3 }),
    pod: templates,
    limited: quotas,
    kubernetes: fc.constantFrom('1.34', '1.37'),
  })
  .map(({ replicas, size, pod, limited, kubernetes }): Case => ({
    object: {
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      metadata: { name: 'web' },
      spec: { replicas, leaderWorkerTemplate: { size, workerTemplate: pod } },
    } as Case['object'],
    field: 'rolloutStrategy',
    others: limited(replicas * size),
    options: { startupSeconds: 45, versions: { kubernetes } },
  }));

/** Returns the figures that a plan shows for the manifest with a strategy, in the terms of a candidate. */
function planWith({ object, field, others, options }: Case, strategy: unknown) {
  const [rollout] = planManifests([{ ...object, spec: { ...object.spec, [field]: strategy } }, ...others], options).rollouts;
  const { simulation, capacity, duration } = rollout!;
  const counts = simulation as unknown as Record<string, number>;
  const peakPods = counts.peakPods ?? counts.replicas;
  return {
    strategy: rollout!.strategy,
    peakPods,
    leastAvailable: counts.minAvailable,
    seconds: duration ? duration.expectedSeconds : 0,
    brokenByBadVersion: duration?.blastRadius ?? 0,
    verdict: capacity?.verdict ?? 'fits',
  };
}

function figuresOf({ strategy, peakPods, leastAvailable, seconds, brokenByBadVersion, verdict }: Candidate) {
  return { strategy, peakPods, leastAvailable, seconds, brokenByBadVersion, verdict };
}

function advise({ object, others, options }: Case): AdvisedRollout {
  const [advised] = adviseManifests([object, ...others], {}, options).rollouts;
  return advised!;
}

describe('every figure is that of the plan of the same manifest with that strategy', () => {
  test.each([
    ['Deployments, quotas and autoscalers', deployments, 25],
    ['StatefulSets', statefulSets, 30],
    ['DaemonSets', daemonSets, 20],
    ['Deployments on nodes', onNodes, 30],
    ['LeaderWorkerSets', groups, 30],
  ])('%s', (_, cases, numRuns) => {
    fc.assert(
      fc.property(cases, (one) => {
        const { front, current } = advise(one);
        for (const candidate of front) expect(planWith(one, candidate.strategy)).toEqual(figuresOf(candidate));
        const written = (one.object.spec as Record<string, unknown>)[one.field];
        expect(planWith(one, written)).toEqual(figuresOf(current));
      }),
      { numRuns },
    );
  });
});

test('the figures at the limits of an autoscaler are those of the plan with that many replicas', () => {
  fc.assert(
    fc.property(deployments, (one) => {
      const { front } = advise(one);
      const fixed = one.others.filter((object) => (object as { kind: string }).kind !== 'HorizontalPodAutoscaler');
      for (const { strategy, atMinimum, atMaximum } of front.slice(0, 10)) {
        for (const at of [atMinimum, atMaximum]) {
          if (!at) continue;
          const object = { ...one.object, spec: { ...one.object.spec, replicas: at.replicas } };
          const planned = planWith({ ...one, object, others: fixed }, strategy);
          expect({ ...planned, strategy, verdict: at.verdict }).toMatchObject(figuresOf({ ...at, strategy, meets: true }));
        }
      }
    }),
    { numRuns: 15 },
  );
});
