import type { IntOrPercent } from '../../src/core/int-or-percent';
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
  more: Partial<GroupRollout> = {},
): LeaderWorkerSetSimulation {
  const limits = resolveGroupLimits(strategyOf(set), set[0]);
  const { resolve } = resolveLeaderLimit(strategyOf(set), limits, behaviour, keepsLimit ? '1.37' : '1.34');
  const leaders = keepsLimit ? resolve : undefined;
  return simulateGroups({ limits, size: 2, behaviour, leaderLimit: leaders, isRejected: false, ...more });
}

function countsOf({ waves }: LeaderWorkerSetSimulation): Row[] {
  return waves.map(({ newGroups, oldGroups, available }) => [newGroups, oldGroups, available]);
}

/** `r` ready, `u` updated, `b` both, `-` neither, from ordinal 0 up. */
function groupsOf(text: string): Groups {
  let groups: Groups = [];
  Array.from(text).forEach((state, index) => {
    groups = withGroupState(groups, index, index + 1, { ready: 'rb'.includes(state), updated: 'ub'.includes(state) });
  });
  return groups;
}

describe.each(VERSIONS)('LeaderWorkerSet %s', (version, suffix) => {
  const behaviour = getLwsBehaviour(version);

  test('writes the partition and the replicas that we say, wherever the groups stand', () => {
    const steps = recorded(`lws-steps${suffix}`) as readonly Step[];
    // At the turn at which replicas have changed in the middle of a rollout the partition alone is another: we plan from there on.
    // Where it panics (up to 0.8, with fewer groups than are wanted) it writes nothing.
    const judged = steps.filter(([set, [, , before], , , [partition]]) => before === set[0] && partition >= 0);
    expect(judged.length).toBeGreaterThan(800);
    const differing = judged.filter(([set, [replicas, partition], groups, isNew, written]) => {
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

  /** Rollouts whose rows are not ours. */
  function otherRows(rollouts: readonly Rollout[], more: Partial<GroupRollout>) {
    return rollouts.flatMap(([set, before, keepsLimit, rows]) => {
      const ours = countsOf(simulated(set, behaviour, keepsLimit, { ...more, initialGroupCount: before }));
      // The recording has a row of a rollout that never moves as well.
      const stands = rows.length === 1 && rows[0]!.join() === [0, before, before].join();
      const theirs = stands ? [] : rows;
      return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ set, before, keepsLimit, ours, theirs }];
    });
  }

  test('goes through the rows that we show', () => {
    const rollouts = recorded(`lws-rollouts${suffix}`) as readonly Rollout[];
    expect(rollouts.length).toBeGreaterThan(600);
    expect(otherRows(rollouts, {})).toEqual([]);
  });

  test('goes through the rows that we show, in whatever state the groups are before', () => {
    const changes = recorded(`lws-changes${suffix}`) as readonly Change[];
    expect(changes.length).toBeGreaterThan(700);
    const differing = changes.flatMap(([set, text, keepsLimit, rows]) => {
      const groups = groupsOf(text);
      const ours = countsOf(simulated(set, behaviour, keepsLimit, { initialGroups: groups }));
      const before = [countGroups(groups, ({ updated }) => updated), countGroups(groups, ({ updated }) => !updated), text.length];
      // The recording has a row of groups that are all ready and stay as they are as well.
      const theirs = rows.length === 1 && rows[0]!.join() === before.join() ? [] : rows;
      return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ set, text, keepsLimit, ours, theirs }];
    });
    expect(differing).toEqual([]);
  });

  test('goes through the rows that we show where no new group gets its workers, and stops where we say', () => {
    const rollouts = recorded(`lws-broken-workers${suffix}`) as readonly Rollout[];
    expect(rollouts.length).toBeGreaterThan(200);
    expect(otherRows(rollouts, { lacksWorkers: true })).toEqual([]);
  });

  test('comes to the end of very long rollouts in as many waves as we say', () => {
    const rollouts = recorded(`lws-long-rollouts${suffix}`) as readonly LongRollout[];
    const ours = rollouts.map(([set]) => {
      const simulation = simulated(set, behaviour, false);
      const rows = countsOf(simulation);
      return [set, rows.length + (simulation.elided ?? 0), rows.slice(0, 50), rows.slice(-50)];
    });
    expect(ours).toEqual(rollouts);
  });

  test('refuses the sets that we say it refuses', () => {
    const refusals = recorded(`lws-refusals${suffix}`) as readonly Refusal[];
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
    expect(refusals.length).toBeGreaterThan(1000);
    expect(differing).toEqual([]);
  });
});
