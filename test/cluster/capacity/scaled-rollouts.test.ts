import { planChange } from '../../../src/headless';
import type { PlannedRollout } from '../../../src/core/document/rollout';
import type { DeploymentSimulation } from '../../../src/core/simulations/deployment';
import { scaleRuns } from '../../setup/scale-runs';

const GPU = 'nvidia.com/gpu';

/** Pods of one side of a change, and their strategy. */
interface Side {
  readonly replicas: number;
  readonly gpus: number;
  readonly maxSurge?: number;
  readonly maxUnavailable?: number;
}

function deployment({ replicas, gpus, maxSurge, maxUnavailable }: Side) {
  const labels = { app: 'web' };
  const strategy = maxSurge === undefined ? { type: 'Recreate' } : { rollingUpdate: { maxSurge, maxUnavailable } };
  const containers = [
    { name: 'web', image: 'web:1', readinessProbe: { tcpSocket: { port: 80 } }, resources: { limits: { [GPU]: `${gpus}` } } },
  ];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas, strategy, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

function quota(gpus: number) {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'gpus', namespace: 'shop' },
    spec: { hard: { [`requests.${GPU}`]: `${gpus}` } },
  };
}

function planned(old: Side, next: Side, gpus: number): PlannedRollout {
  return planChange([deployment(old), quota(gpus)], [deployment({ ...old, ...next }), quota(gpus)]).rollouts[0]!;
}

/** Returns the verdict and the rows: new pods, old pods and available ones. */
function outcomeOf(old: Side, next: Side, gpus: number) {
  const { capacity, simulation } = planned(old, next, gpus);
  const { waves } = simulation as DeploymentSimulation;
  return {
    message: capacity!.message,
    rows: waves.map(({ newReplicas, oldReplicas, available }) => `new ${newReplicas}, old ${oldReplicas}, available ${available}`),
  };
}

/** ReplicaSets and pods: the sizes of both ReplicaSets, their pods that exist, and new pods that are ready. */
interface Cluster {
  readonly oldSize: number;
  readonly newSize: number;
  readonly old: number;
  readonly oldReady: number;
  readonly created: number;
  readonly ready: number;
}

/** A rollout under a quota, with sizes after the fencepost rule. */
interface Case {
  readonly running: number;
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
  readonly oldGpus: number;
  readonly newGpus: number;
  readonly quota: number;
}

/**
 * Returns the sizes after one sync of the Deployment controller that rolls. Source: k/k v1.34.4 pkg/controller/deployment/rolling.go
 * (`reconcileNewReplicaSet`, `reconcileOldReplicaSets`).
 */
function sync({ replicas, surge, unavailable }: Case, { oldSize, newSize, oldReady, ready }: Cluster): readonly [number, number] {
  const most = replicas + surge;
  if (newSize < replicas && oldSize + newSize < most) return [oldSize, newSize + Math.min(most - oldSize - newSize, replicas - newSize)];
  const available = Math.min(oldReady, oldSize);
  const leastAvailable = replicas - unavailable;
  const maxScaledDown = oldSize + newSize - leastAvailable - (newSize - ready);
  if (maxScaledDown <= 0) return [oldSize, newSize];
  const unhealthy = Math.min(maxScaledDown, oldSize - available);
  const surplus = Math.max(0, available + ready - leastAvailable);
  return [Math.max(0, oldSize - unhealthy - surplus), newSize];
}

/** Lists what may happen next: a sync of one of the controllers, or one pod that becomes ready. */
function listNext(rollout: Case, cluster: Cluster): Cluster[] {
  const { oldGpus, newGpus, quota: hard } = rollout;
  const { oldSize, newSize, old, oldReady, created, ready } = cluster;
  const admits = (oldPods: number, newPods: number) => oldPods * oldGpus + newPods * newGpus <= hard;
  const [nextOld, nextNew] = sync(rollout, cluster);
  return [
    ...(nextOld !== oldSize || nextNew !== newSize ? [{ ...cluster, oldSize: nextOld, newSize: nextNew }] : []),
    // Pods that are not ready are deleted first.
    ...(old > oldSize ? [{ ...cluster, old: oldSize, oldReady: Math.min(oldReady, oldSize) }] : []),
    ...(old < oldSize && admits(old + 1, created) ? [{ ...cluster, old: old + 1 }] : []),
    ...(created < newSize && admits(old, created + 1) ? [{ ...cluster, created: created + 1 }] : []),
    ...(oldReady < old ? [{ ...cluster, oldReady: oldReady + 1 }] : []),
    ...(ready < created ? [{ ...cluster, ready: ready + 1 }] : []),
  ];
}

/** Visits every state of the controllers and returns whether the rollout finishes: always, sometimes or never. */
function explore(rollout: Case): 'fits' | 'may-not-fit' | 'deadlocks' {
  const { running, replicas } = rollout;
  // The old ReplicaSet is scaled before the new one exists.
  const start = { oldSize: replicas, newSize: 0, old: running, oldReady: running, created: 0, ready: 0 };
  const visited = new Set<string>();
  const ends = new Set<boolean>();
  const pending: Cluster[] = [start];
  for (let cluster = pending.pop(); cluster; cluster = pending.pop()) {
    const key = Object.values(cluster).join(' ');
    if (visited.has(key)) continue;
    visited.add(key);
    const next = listNext(rollout, cluster);
    if (next.length === 0) ends.add(cluster.ready === replicas && cluster.old === 0);
    pending.push(...next);
  }
  if (ends.size > 1) return 'may-not-fit';
  return ends.has(true) ? 'fits' : 'deadlocks';
}

function ourVerdict({ running, replicas, surge, unavailable, oldGpus, newGpus, quota: hard }: Case) {
  const old = { replicas: running, gpus: oldGpus, maxSurge: surge, maxUnavailable: unavailable };
  const { capacity } = planned(old, { replicas, gpus: newGpus }, hard);
  return capacity!.verdict === 'slower' ? 'fits' : capacity!.verdict;
}

/** Lists rollouts whose old pods fit before the change. */
function listCases(): Case[] {
  const cases: Case[] = [];
  for (const [running, replicas] of [
    [1, 2],
    [1, 4],
    [2, 3],
    [2, 4],
    [2, 5],
    [3, 2],
    [4, 1],
  ] as const)
    for (const [surge, unavailable] of [
      [0, 1],
      [1, 0],
      [1, 1],
      [0, 2],
      [2, 0],
    ] as const)
      for (const [oldGpus, newGpus] of [
        [2, 1],
        [1, 2],
        [3, 1],
        [3, 2],
        [5, 1],
      ] as const)
        for (let hard = running * oldGpus; hard <= Math.max(running, replicas) * oldGpus + replicas * newGpus; hard++)
          cases.push({ running, replicas, surge, unavailable, oldGpus, newGpus, quota: hard });
  return cases;
}

describe('a change of both replicas and requests under a quota', () => {
  test('deadlocks if the old pods fill the quota and none may be deleted', () => {
    const old = { replicas: 2, gpus: 2, maxSurge: 0, maxUnavailable: 1 };
    expect(outcomeOf(old, { replicas: 4, gpus: 1 }, 4)).toMatchInlineSnapshot(`
{
  "message": "Deadlocks at wave 1: it peaks at 7 requests.nvidia.com/gpu and ResourceQuota "gpus" has 4 left.",
  "rows": [
    "new 0, old 2, available 2",
  ],
}
`);
  });

  test('finishes if maxUnavailable is more than the added replicas, so that an old pod is deleted first', () => {
    const old = { replicas: 2, gpus: 2, maxSurge: 0, maxUnavailable: 3 };
    expect(outcomeOf(old, { replicas: 4, gpus: 1 }, 4)).toMatchInlineSnapshot(`
{
  "message": "Takes 2 waves that create pods, with fewer pods at once: it peaks at 5 requests.nvidia.com/gpu and ResourceQuota "gpus" has 4 left.",
  "rows": [
    "new 2, old 1, available 1",
    "new 4, old 0, available 2",
  ],
}
`);
  });

  test('finishes with Recreate if the new pods fit, whatever the old ones use', () => {
    expect(outcomeOf({ replicas: 2, gpus: 2 }, { replicas: 4, gpus: 1 }, 4)).toMatchInlineSnapshot(`
{
  "message": "Fits: there is capacity for its peak of 4 pods.",
  "rows": [
    "new 0, old 0, available 0",
    "new 4, old 0, available 0",
  ],
}
`);
  });

  test('deadlocks at the pods that remain if replicas decrease', () => {
    const old = { replicas: 4, gpus: 1, maxSurge: 1, maxUnavailable: 0 };
    expect(outcomeOf(old, { replicas: 2, gpus: 2 }, 4)).toMatchInlineSnapshot(`
{
  "message": "Deadlocks at wave 2: it peaks at 5 requests.nvidia.com/gpu and ResourceQuota "gpus" has 4 left.",
  "rows": [
    "new 1, old 2, available 2",
    "new 1, old 1, available 2",
  ],
}
`);
  });

  test('may deadlock if old pods that the scale adds take what the new ones need', () => {
    const old = { replicas: 1, gpus: 2, maxSurge: 1, maxUnavailable: 0 };
    expect(outcomeOf(old, { replicas: 2, gpus: 1 }, 4)).toMatchInlineSnapshot(`
{
  "message": "May not fit: between 0 and 2 of 2 new pods run. This depends on whether old or new pods are created first.",
  "rows": [
    "new 1, old 2, available 1",
    "new 2, old 1, available 2",
    "new 2, old 0, available 2",
  ],
}
`);
  });

  test('finishes exactly if every order of the controllers and of ready pods does', () => {
    const cases = listCases();
    const step = Math.max(1, Math.floor(cases.length / scaleRuns(cases.length / 4)));
    const compared = cases.filter((_, index) => index % step === 0);
    expect(compared.map((each) => ({ ...each, verdict: ourVerdict(each) }))).toEqual(
      compared.map((each) => ({ ...each, verdict: explore(each) })),
    );
  });

  test('counts only the running old pods if a capacity is full, because the added ones find no node', () => {
    const [old, next] = [
      { replicas: 2, gpus: 2, maxSurge: 0, maxUnavailable: 1 },
      { replicas: 4, gpus: 1 },
    ];
    const capacityOf = (capacity: object) =>
      planChange([deployment(old)], [deployment({ ...old, ...next })], { capacity }).rollouts[0]!.capacity;
    expect(capacityOf({ total: { [GPU]: '4' } })).toMatchObject({ verdict: 'deadlocks', podsThatFit: 2, deadlockWave: 1 });
    const nodePools = [{ name: 'gpu', count: 2, allocatable: { [GPU]: '2' } }];
    expect(capacityOf({ nodePools })).toMatchObject({ verdict: 'deadlocks', podsThatFit: 2, deadlockWave: 1 });
  });

  test('is decided from the pods that remain if replicas of a StatefulSet decrease', () => {
    const statefulSet = (side: Side) => ({ ...deployment(side), kind: 'StatefulSet' });
    const verdictAt = (gpus: number) => {
      const stored = [
        { replicas: 4, gpus: 1 },
        { replicas: 2, gpus: 2 },
      ].map((side) => {
        const { spec, ...object } = statefulSet(side);
        const { strategy: _, ...others } = spec;
        return { ...object, spec: { ...others, serviceName: 'web' } };
      });
      return planChange([stored[0]!, quota(gpus)], [stored[1]!, quota(gpus)]).rollouts[0]!.capacity!.verdict;
    };
    expect([verdictAt(4), verdictAt(3)]).toEqual(['fits', 'deadlocks']);
  });
});
