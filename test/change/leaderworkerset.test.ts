import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import type { Manifest } from '../../src/core/manifest';
import { expectValidPlan } from '../plan-schema';
import { leaderWorkerSet, limits } from '../systems/leaderworkerset/plan';

function changed(old: Manifest, next: Manifest, options: ChangeOptions = {}) {
  return expectValidPlan(planChange([old], [next], options));
}

const image = { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm:2' }] } } };

test.each<[string, Manifest, string]>([
  ['an image', leaderWorkerSet({}, image), 'roll'],
  ['a larger group', leaderWorkerSet({}, { size: 8 }), 'roll'],
  ['more groups', leaderWorkerSet({ replicas: 3 }), 'scale'],
  ['both', leaderWorkerSet({ replicas: 3 }, image), 'roll-and-scale'],
  ['other limits', leaderWorkerSet(limits({ maxSurge: 1 })), 'settings'],
  ['the default written out', leaderWorkerSet({}, { restartPolicy: 'RecreateGroupOnPodRestart' }), 'settings'],
  ['an image below a partition', leaderWorkerSet(limits({ partition: 2 }), image), 'held'],
  ['limits that are refused', leaderWorkerSet(limits({ maxUnavailable: 0 })), 'refused'],
  ['subgroups, which are settled when the set is made', leaderWorkerSet({}, { subGroupPolicy: { subGroupSize: 2 } }), 'refused'],
])('%s: %#', (_what, next, effect) => {
  expect(changed(leaderWorkerSet(), next).change.objects.map((object) => object.effect)).toEqual([effect]);
});

test('groups that the same apply adds are made first, of the new version', () => {
  const { rollouts, change } = changed(leaderWorkerSet(), leaderWorkerSet({ replicas: 4 }, image));
  expect(rollouts[0]!.simulation).toMatchObject({
    waves: [
      { newGroups: 2, oldGroups: 2, total: 4, available: 2 },
      { newGroups: 3, oldGroups: 1, total: 4, available: 3 },
      { newGroups: 4, oldGroups: 0, total: 4, available: 3 },
    ],
  });
  expect(change.summary).toMatchObject({ podsAdded: 8 });
});
