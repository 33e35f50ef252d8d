import * as fc from 'fast-check';
import { simulateDeployment } from '../../../src/workloads/deployment/simulate';
import { resolveFenceposts } from '../../../src/workloads/deployment/strategy';
import { newReplicaSetSize, reconcileNewReplicaSet, reconcileOldReplicaSets, scaleProportionally } from './controller';
import type { Limits, ReplicaSet } from './controller';
import { RolloutCluster } from './webernetes-cluster';
import type { Counts, Setting } from './webernetes-cluster';
import { portedFenceposts, PortedSync } from './webernetes-controller';
import { scaleRuns } from '../../setup/scale-runs';

const limit = fc.oneof(
  fc.nat(30),
  fc.nat(150).map((share) => `${share}%` as const),
);

const limits: fc.Arbitrary<Limits> = fc
  .record({ replicas: fc.integer({ min: 1, max: 20 }), surge: fc.nat(22), unavailable: fc.nat(20) })
  .filter(({ surge, unavailable }) => surge > 0 || unavailable > 0)
  .map((setting) => ({ ...setting, unavailable: Math.min(setting.unavailable, setting.replicas) }));

/** Generates a ReplicaSet with some unavailable pods. */
const replicaSet: fc.Arbitrary<ReplicaSet> = fc
  .tuple(fc.nat(15), fc.nat(15))
  .map(([replicas, available]) => ({ replicas, available: Math.min(replicas, available) }));

describe('an independent port of the Deployment controller (@ngrok/webernetes) agrees', () => {
  const port = new PortedSync();

  afterAll(() => port.close());

  test('on the limits as numbers of pods: 5,000 settings', () => {
    fc.assert(
      fc.property(limit, limit, fc.nat(500), (maxSurge, maxUnavailable, replicas) => {
        const { surge, unavailable } = resolveFenceposts({ maxSurge, maxUnavailable }, replicas);
        expect(portedFenceposts(maxSurge, maxUnavailable, replicas)).toEqual({ surge, unavailable, error: undefined });
      }),
      { numRuns: scaleRuns(5_000) },
    );
  });

  test('on the scaling of new and old ReplicaSets from any state: 2,000 settings', async () => {
    await fc.assert(
      fc.asyncProperty(limits, replicaSet, fc.array(replicaSet, { minLength: 1, maxLength: 4 }), async (setting, newSet, oldSets) => {
        expect(newReplicaSetSize(setting, [...oldSets, newSet], newSet.replicas)).toBe(port.newReplicaSetSize(setting, newSet, oldSets));
        const scaledNew = reconcileNewReplicaSet(setting, newSet, oldSets).replicas;
        expect(scaledNew).toBe(await port.reconcileNewReplicaSet(setting, newSet, oldSets));
        const scaledOld = reconcileOldReplicaSets(setting, newSet, oldSets).map((set) => set.replicas);
        expect(scaledOld).toEqual(await port.reconcileOldReplicaSets(setting, newSet, oldSets));
      }),
      { numRuns: scaleRuns(2_000) },
    );
  });

  test('on the distribution of a change of replicas during a rollout: 2,000 settings', async () => {
    const active = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(limits, active, fc.nat(3), async (setting, sizes, surplus) => {
        const maxReplicas = sizes.reduce((total, size) => total + size, 0) + surplus;
        const sets = sizes.map((replicas) => ({ replicas, maxReplicas }));
        const ours = scaleProportionally(setting.replicas, setting.surge, sets);
        expect(ours).toEqual(await port.scaleProportionally(setting, sizes, maxReplicas));
      }),
      { numRuns: scaleRuns(2_000) },
    );
  });
});

describe('full rollouts in a cluster of @ngrok/webernetes, with pods made ready wave by wave', () => {
  const limitOfFew = fc.oneof(fc.nat(4), fc.constantFrom('25%' as const, '50%' as const, '100%' as const));
  const setting: fc.Arbitrary<Setting> = fc
    .record({ replicas: fc.integer({ min: 1, max: 7 }), maxSurge: limitOfFew, maxUnavailable: limitOfFew })
    .filter(({ maxSurge, maxUnavailable }) => maxSurge !== 0 || maxUnavailable !== 0)
    .map(({ replicas, ...rollingUpdate }) => ({ replicas, strategy: { type: 'RollingUpdate', rollingUpdate } }));

  test(`each wave equals the simulated one, and then nothing changes anymore: ${scaleRuns(80)} settings`, async () => {
    const all = fc.sample(setting, scaleRuns(80));
    for (let first = 0; first < all.length; first += 20) {
      const settings = all.slice(first, first + 20);
      const predicted = predict(settings);
      expect(await rollOut(settings, predicted)).toEqual(predicted);
    }
  }, 600_000);
});

/** Returns the counts of each setting's Deployment, wave after wave, and once more after the last wave. */
function predict(settings: readonly Setting[]): Counts[][] {
  const waves = settings.map(({ strategy, replicas }) => simulateDeployment(strategy, replicas).waves);
  const rounds = Math.max(...waves.map((rows) => rows.length)) + 1;
  return Array.from({ length: rounds }, (_, round) =>
    settings.map(({ replicas }, index) => {
      const done = { newReplicas: replicas, oldReplicas: 0, total: replicas, available: replicas };
      const { newReplicas, oldReplicas, total, available } = waves[index]![round] ?? done;
      return { newReplicas, oldReplicas, total, available };
    }),
  );
}

/** Returns the counts of the cluster in the same order. Waits if they are not the expected ones yet. */
async function rollOut(settings: readonly Setting[], expected: readonly (readonly Counts[])[]): Promise<(readonly Counts[])[]> {
  const cluster = new RolloutCluster(settings);
  const seen: (readonly Counts[])[] = [];
  try {
    await cluster.start();
    for (const counts of expected) {
      seen.push(await cluster.waitForCounts(counts));
      await cluster.readyAll();
    }
    return seen;
  } finally {
    await cluster.close();
  }
}
