import type { IntOrPercent } from '../../src/core/values/int-or-percent';
import { planManifests } from '../../src/headless';
import { countGroups, withGroupState } from '../../src/workloads/leader-worker-set/groups';
import type { Groups } from '../../src/workloads/leader-worker-set/groups';
import type { GroupRollout } from '../../src/workloads/leader-worker-set/simulate';
import { simulateGroups } from '../../src/workloads/leader-worker-set/simulate';
import { resolveGroupLimits, resolveLeaderLimit } from '../../src/workloads/leader-worker-set/strategy';
import type { LeaderWorkerSetStrategy } from '../../src/workloads/leader-worker-set/strategy';
import { reconcileLeaderSet } from '../../src/workloads/leader-worker-set/reconcile';
import { getLwsBehaviour } from '../../src/workloads/leader-worker-set/versions';
import type { LwsBehaviour } from '../../src/workloads/leader-worker-set/versions';
import type { LeaderWorkerSetSimulation } from '../../src/core/simulations/leaderworkerset';
import { RECORDING_STEP, sampleOf } from '../setup/recording-step';
import { recorded } from './recording';

const VERSIONS = [
  ['0.9.0', ''],
  ['0.8.0', '-0.8'],
  ['0.7.0', '-0.7'],
] as const;

type SeenSet = readonly [replicas: number, maxSurge: IntOrPercent, maxUnavailable: IntOrPercent, partition: number];
type Step = readonly [
  set: SeenSet,
  leader: readonly [replicas: number, partition: number, before: number],
  groups: string,
  isNew: boolean,
  written: readonly [partition: number, replicas: number],
];
type Rollout = readonly [
  set: SeenSet,
  before: number,
  keepsLimit: boolean,
  rows: readonly (readonly [newGroups: number, oldGroups: number, ready: number])[],
];
type Row = Rollout[3][number];
type Change = readonly [set: SeenSet, groups: string, keepsLimit: boolean, rows: readonly Row[]];
type LongRollout = readonly [set: SeenSet, waves: number, first: readonly Row[], last: readonly Row[]];
type Refusal = readonly [
  name: string,
  sizes: readonly [replicas: number, size: number, subGroupSize: number | null, subGroupPolicyType: string | null],
  limits: readonly [maxSurge: IntOrPercent, maxUnavailable: IntOrPercent, partition: number],
  paths: readonly string[],
];

function strategyOf([, maxSurge, maxUnavailable, partition]: SeenSet): LeaderWorkerSetStrategy {
  return { type: 'RollingUpdate', rollingUpdateConfiguration: { maxSurge, maxUnavailable, partition } };
}

function simulated(
  set: SeenSet,
  behaviour: LwsBehaviour,
  keepsLimit: boolean,
  overrides: Partial<GroupRollout> = {},
): LeaderWorkerSetSimulation {
  const limits = resolveGroupLimits(strategyOf(set), set[0]);
  const { resolve } = resolveLeaderLimit(strategyOf(set), limits, behaviour, keepsLimit ? '1.37' : '1.34');
  const leaders = keepsLimit ? resolve : undefined;
  return simulateGroups({ limits, size: 2, behaviour, leaderLimit: leaders, isRejected: false, ...overrides });
}

function countsOf({ waves }: LeaderWorkerSetSimulation): Row[] {
  return waves.map(({ newGroups, oldGroups, available }) => [newGroups, oldGroups, available]);
}

/** Parses the state of each group from ordinal 0: `r` ready, `u` updated, `b` both, `-` neither. */
function groupsOf(text: string): Groups {
  let groups: Groups = [];
  Array.from(text).forEach((state, index) => {
    groups = withGroupState(groups, index, index + 1, { ready: 'rb'.includes(state), updated: 'ub'.includes(state) });
  });
  return groups;
}

describe.each(VERSIONS)('LeaderWorkerSet %s', (version, suffix) => {
  const behaviour = getLwsBehaviour(version);

  test('writes the partition and the replicas that we compute, from any state of the groups', () => {
    const steps = recorded(`lws-steps${suffix}`) as readonly Step[];
    // In the turn in which the replicas change during a rollout, only the partition differs: we plan from the next turn.
    // If the controller panics (up to 0.8, with fewer groups than desired), it writes nothing.
    const compared = steps.filter(([set, [, , before], , , [partition]]) => before === set[0] && partition >= 0);
    expect(compared.length).toBeGreaterThan(800);
    const differing = compared.filter(([set, [replicas, partition], groups, isNew, written]) => {
      const ours = reconcileLeaderSet(
        resolveGroupLimits(strategyOf(set), set[0]),
        { replicas, partition },
        groupsOf(groups),
        isNew,
        behaviour,
      );
      return ours.partition !== written[0] || ours.replicas !== written[1];
    });
    expect(differing).toEqual([]);
  });

  /** Returns the rollouts whose rows differ from ours. */
  function findDifferences(rollouts: readonly Rollout[], overrides: Partial<GroupRollout>) {
    return rollouts.flatMap(([set, before, keepsLimit, rows]) => {
      const ours = countsOf(simulated(set, behaviour, keepsLimit, { ...overrides, initialGroupCount: before }));
      // The recording also has a row for a rollout that never starts.
      const neverStarts = rows.length === 1 && rows[0]!.join() === [0, before, before].join();
      const theirs = neverStarts ? [] : rows;
      return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ set, before, keepsLimit, ours, theirs }];
    });
  }

  test('has the rows that we show', () => {
    const rollouts = recorded(`lws-rollouts${suffix}`) as readonly Rollout[];
    expect(rollouts.length).toBeGreaterThan(600);
    expect(findDifferences(rollouts, {})).toEqual([]);
  });

  test('has the rows that we show, from any state of the groups', () => {
    const changes = recorded(`lws-changes${suffix}`) as readonly Change[];
    expect(changes.length).toBeGreaterThan(700);
    const differing = changes.flatMap(([set, text, keepsLimit, rows]) => {
      const groups = groupsOf(text);
      const ours = countsOf(simulated(set, behaviour, keepsLimit, { initialGroups: groups }));
      const before = [countGroups(groups, ({ updated }) => updated), countGroups(groups, ({ updated }) => !updated), text.length];
      // The recording also has a row for groups that are all ready and do not change.
      const theirs = rows.length === 1 && rows[0]!.join() === before.join() ? [] : rows;
      return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ set, text, keepsLimit, ours, theirs }];
    });
    expect(differing).toEqual([]);
  });

  test('has the rows that we show if no new group gets its workers, and stops where we report it', () => {
    const rollouts = recorded(`lws-broken-workers${suffix}`) as readonly Rollout[];
    expect(rollouts.length).toBeGreaterThan(200);
    expect(findDifferences(rollouts, { lacksWorkers: true })).toEqual([]);
  });

  test('finishes very long rollouts in the number of waves that we report', () => {
    const rollouts = sampleOf(recorded(`lws-long-rollouts${suffix}`) as readonly LongRollout[]);
    const ours = rollouts.map(([set]) => {
      const simulation = simulated(set, behaviour, false);
      const rows = countsOf(simulation);
      return [set, rows.length + (simulation.elided ?? 0), rows.slice(0, 50), rows.slice(-50)];
    });
    expect(ours).toEqual(rollouts);
  });

  test('refuses exactly the sets that we report as refused', () => {
    const refusals = sampleOf(recorded(`lws-refusals${suffix}`) as readonly Refusal[]);
    const sets = refusals.map(
      ([name, [replicas, size, subGroupSize, subGroupPolicyType], [maxSurge, maxUnavailable, partition]], index) => ({
        apiVersion: 'leaderworkerset.x-k8s.io/v1',
        kind: 'LeaderWorkerSet',
        metadata: { name, namespace: `case-${index}` },
        spec: {
          replicas,
          rolloutStrategy: { rollingUpdateConfiguration: { maxSurge, maxUnavailable, partition } },
          leaderWorkerTemplate: {
            size,
            workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }] } },
            ...(subGroupSize !== null && { subGroupPolicy: { subGroupSize, subGroupPolicyType } }),
          },
        },
      }),
    );
    const { rollouts } = planManifests(sets, { versions: { lws: version } });
    const differing = rollouts.flatMap(({ strategy, findings }, index) => {
      const paths = refusals[index]![3];
      const isRefused = strategy === null;
      return isRefused === paths.length > 0 ? [] : [{ set: sets[index], paths, ours: findings.map(({ code, path }) => [code, path]) }];
    });
    expect(refusals.length).toBeGreaterThan(1000 / RECORDING_STEP);
    expect(differing).toEqual([]);
  });
});
