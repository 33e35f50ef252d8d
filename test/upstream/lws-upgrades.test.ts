import { hasDifference, planRecordedUpgrades } from './operator-upgrades';
import type { ComparedUpgrade } from './operator-upgrades';

/** What an upgrade of LeaderWorkerSet does with a set, as it was recorded. */
function recordedEffect({ recorded: { recreated = {}, ...recorded } }: ComparedUpgrade) {
  const paths = Object.values(recreated).flat();
  return {
    hasNewRevision: hasDifference(recorded, 'StatefulSet set', '/template-revision-hash'),
    hasOtherLimit: hasDifference(recorded, 'StatefulSet set', '.rollingUpdate.maxUnavailable'),
    hasTpuAddresses: paths.some((path) => path.includes('[TPU_PROCESS_')),
    others: paths.filter((path) => !path.includes('[TPU_PROCESS_')),
  };
}

function plannedEffect({ rows, effect }: ComparedUpgrade) {
  return {
    hasNewRevision: effect === 'roll',
    hasOtherLimit: rows.includes('leader-limit'),
    hasTpuAddresses: rows.includes('tpu-addresses'),
    others: [],
  };
}

const UPGRADES = planRecordedUpgrades('lws-upgrades', 'lws');

test('upgrades of LeaderWorkerSet have the effects that both reconcilers and webhooks have', () => {
  expect(UPGRADES.length).toBeGreaterThan(30);
  const differing = UPGRADES.filter((one) => JSON.stringify(plannedEffect(one)) !== JSON.stringify(recordedEffect(one)));
  expect(differing.map((one) => [one.pair, one.input, recordedEffect(one), plannedEffect(one)])).toEqual([]);
});

test('the upgrade that makes new revisions replaces the groups, except of a set whose rollout does not start', () => {
  const replaced = UPGRADES.filter(({ recorded }) => recorded.replaced !== undefined);
  const unmoved = UPGRADES.filter((one) => recordedEffect(one).hasNewRevision && one.recorded.replaced === undefined);

  expect(new Set(replaced.map(({ pair }) => pair))).toEqual(new Set(['0.7..0.8']));
  expect(unmoved.filter(({ plan }) => !plan.rollouts[0]!.findings.some(({ code }) => code === 'lws/stuck'))).toEqual([]);
});
