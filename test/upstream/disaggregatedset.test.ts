import { computeNextStep } from '../../src/systems/disaggregatedset/planner';
import type { RoleLimits, RoleState } from '../../src/systems/disaggregatedset/planner';
import { readDisaggregatedSet } from '../../src/systems/disaggregatedset/disaggregated-set';
import { simulateRoles } from '../../src/systems/disaggregatedset/simulate';
import { buildRolesRollout } from '../../src/systems/disaggregatedset/roles-rollout';
import type { RunningRevision } from '../../src/cluster/rollout/initial-state';
import type { IntOrPercent } from '../../src/core/values/int-or-percent';
import type { Manifest } from '../../src/core/manifest/manifest';
import { recorded } from './recording';

type Case = readonly [
  roles: readonly (readonly [initial: number, target: number, surge: number, unavailable: number])[],
  steps: readonly (readonly (readonly [old: number, next: number])[])[],
];

/** Returns the number of steps after which upstream stops: twice the groups of the largest role, plus ten. */
function maxSteps(limits: readonly RoleLimits[]): number {
  return Math.max(...limits.map(({ initial, target }) => Math.max(initial, target))) * 2 + 10;
}

test('the roles of a DisaggregatedSet have the steps that we compute', () => {
  const cases = recorded('lws-roles') as readonly Case[];
  expect(cases.length).toBeGreaterThan(1000);
  const differing = cases.flatMap(([roles, steps]) => {
    const limits = roles.map(([initial, target, surge, unavailable]) => ({ initial, target, surge, unavailable }));
    let states: readonly RoleState[] = limits.map(({ initial }) => ({ old: initial, next: 0 }));
    const ours = [states];
    for (let step = 0; step < maxSteps(limits); step++) {
      const next = computeNextStep(limits, states);
      if (!next) break;
      ours.push(next);
      states = next;
    }
    const rows = ours.map((row) => row.map(({ old, next }) => [old, next]));
    return JSON.stringify(rows) === JSON.stringify(steps) ? [] : [{ roles, steps, rows }];
  });
  expect(differing).toEqual([]);
});

type Limit = IntOrPercent | null;

type RolloutCase = readonly [
  before: readonly (readonly [name: string, groups: number])[],
  wanted: readonly (readonly [name: string, groups: number, maxSurge: Limit, maxUnavailable: Limit])[],
  rows: readonly (readonly (readonly [old: number, next: number])[])[],
  refused: string | null,
];

function setOf(roles: RolloutCase[1]): Manifest {
  return {
    apiVersion: 'disaggregatedset.x-k8s.io/v1',
    kind: 'DisaggregatedSet',
    metadata: { name: 'chat' },
    spec: {
      roles: roles.map(([name, replicas, maxSurge, maxUnavailable]) => ({
        name,
        spec: {
          replicas,
          ...(maxSurge !== null && {
            rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: { maxSurge, maxUnavailable } },
          }),
        },
      })),
    },
  };
}

/** Returns our rows and the role that is refused. */
function planRoles([before, wanted]: RolloutCase): readonly [rows: unknown, refused: string | null] {
  return planRolesFrom([{ roles: before.map(([name, groups]) => ({ name, groups, size: 1 })) }], wanted);
}

function planRolesFrom(revisions: readonly RunningRevision[], wanted: RolloutCase[1]): readonly [rows: unknown, refused: string | null] {
  const { simulation, rejectedStep } = simulateRoles(buildRolesRollout(readDisaggregatedSet(setOf(wanted)).roles, revisions, []));
  const rows = simulation.waves.map(({ roles }) => roles.map(({ oldGroups, newGroups }) => [oldGroups, newGroups]));
  return [rows, rejectedStep?.name ?? null];
}

test('every rollout of a DisaggregatedSet matches its reconciler, including those that its webhooks stop', () => {
  const cases = recorded('lws-role-rollouts') as readonly RolloutCase[];
  const differing = cases.filter((one) => JSON.stringify(planRoles(one)) !== JSON.stringify(one.slice(2)));
  expect(differing.map((one) => ({ one, ours: planRoles(one) }))).toEqual([]);
  expect(cases.filter(([, , , rejectedStep]) => rejectedStep !== null).length).toBeGreaterThan(20);
});

type ChangeCase = readonly [
  running: readonly (readonly [
    revision: string,
    role: string,
    groups: number,
    initial: number | null,
    maxSurge: Limit,
    maxUnavailable: Limit,
  ])[],
  wantedRevision: string | null,
  wanted: RolloutCase[1],
  rows: RolloutCase[2],
  refused: string | null,
];

/** Returns the running revisions, newest first as in the recording. */
function runningRevisions([running, wantedRevision]: ChangeCase): RunningRevision[] {
  return [...new Set(running.map(([revision]) => revision))].map((revision) => ({
    isWanted: revision === wantedRevision,
    roles: running
      .filter(([own]) => own === revision)
      .map(([, name, groups, initial, maxSurge, maxUnavailable]) => ({
        name,
        groups,
        size: 1,
        ...(initial !== null && { initial }),
        ...(maxSurge !== null && maxUnavailable !== null && { limits: { maxSurge, maxUnavailable } }),
      })),
  }));
}

test('a rollout that supersedes another one, and a rollback, continue from the current state of the LeaderWorkerSets', () => {
  const cases = recorded('lws-role-changes') as readonly ChangeCase[];
  const plannedChange = (one: ChangeCase) => planRolesFrom(runningRevisions(one), one[2]);
  const differing = cases.filter((one) => JSON.stringify(plannedChange(one)) !== JSON.stringify(one.slice(3)));
  expect(differing.map((one) => ({ one, ours: plannedChange(one) }))).toEqual([]);
  expect(cases.filter(([, wantedRevision]) => wantedRevision !== null).length).toBeGreaterThan(20);
});
