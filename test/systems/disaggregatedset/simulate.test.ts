import { simulateRoles } from '../../../src/systems/disaggregatedset/simulate';
import type { RolesRollout, SteppedRole } from '../../../src/systems/disaggregatedset/simulate';

function role(name: string, replicas: number, more: Partial<SteppedRole> = {}): SteppedRole {
  return { name, replicas, size: 1, surge: 1, unavailable: 0, ...more };
}

const NO_GROUPS = { groups: 0, ready: 0 };
const LIMITS = { maxSurge: 0, maxUnavailable: '25%' } as const;

function ready(groups: number, more: object = {}) {
  return { groups, ready: groups, ...more };
}

/** Returns a rollout that replaces one old version, with this number of groups for each role. */
function replacing(roles: readonly SteppedRole[], ...old: readonly number[]): RolesRollout {
  return { roles, state: { olds: [old.map((groups) => ready(groups))], next: roles.map(() => NO_GROUPS) } };
}

/** Returns the rows as `old|new`, with the skew between roles. */
function rowsOf(rollout: RolesRollout): string[] {
  return simulateRoles(rollout).simulation.waves.map(
    ({ roles, skewPercent }) => `${roles.map(({ oldGroups, newGroups }) => `${oldGroups}|${newGroups}`).join(' ')} ${skewPercent}%`,
  );
}

test('the skew includes a role with as many old as new groups, and ignores a role without groups', () => {
  expect(rowsOf(replacing([role('prefill', 2), role('decode', 1)], 2, 1))).toEqual([
    '2|1 1|1 17%',
    '1|1 1|1 0%',
    '1|2 1|1 17%',
    '0|2 0|1 0%',
  ]);
  expect(rowsOf(replacing([role('prefill', 0), role('decode', 0)], 1, 1))).toEqual(['0|0 0|0 0%']);
});

test.each([
  [998, 1000, undefined],
  [1000, 1002, 902],
  [2198, 2200, 2100],
])('%i groups have %i rows, which are reduced to the first and the last 50 if there are too many', (groups, rows, elided) => {
  const { simulation } = simulateRoles(replacing([role('prefill', groups), role('decode', groups)], groups, groups));
  const numbers = Array.from({ length: rows }, (_, index) => index + 1);
  expect(simulation.waves.map(({ wave }) => wave)).toEqual(
    elided === undefined ? numbers : [...numbers.slice(0, 50), ...numbers.slice(-50)],
  );
  expect(simulation.elided).toBe(elided);
  expect('elided' in simulation).toBe(elided !== undefined);
  expect(simulation.waves.at(-1)!.roles).toEqual([
    { newGroups: groups, oldGroups: 0, available: groups },
    { newGroups: groups, oldGroups: 0, available: groups },
  ]);
});

test('if the first groups of a role are refused, the groups of the other roles remain and the rollout halts', () => {
  const roles = [role('decode', 2), role('prefill', 3)];
  const next = [NO_GROUPS, { ...NO_GROUPS, limits: LIMITS }];
  const { simulation, rejectedStep } = simulateRoles({ roles, state: { olds: [], next } });
  expect(simulation).toMatchObject({ waves: [{ roles: [{ newGroups: 2 }, { newGroups: 0 }] }], halted: { wave: 1, reason: 'refused' } });
  expect(rejectedStep).toEqual({ role: 1, name: 'prefill', version: 'next', groups: 3, limits: LIMITS });
});

test('if fewer old groups are refused, the rollout halts even if all new groups exist', () => {
  const roles = [role('prefill', 2), role('decode', 2)];
  const olds = [[ready(3, { initial: 2, limits: LIMITS }), ready(1)]];
  const { simulation, rejectedStep } = simulateRoles({ roles, state: { olds, next: [ready(2), ready(2)] } });
  expect(simulation).toMatchObject({ waves: [], halted: { wave: 0, reason: 'refused' } });
  expect(rejectedStep).toMatchObject({ name: 'prefill', version: 'old', groups: 2 });
});

test('if its controller finds no step it deadlocks', () => {
  const roles = [role('prefill', 0), role('decode', 0)];
  const olds = [[ready(2, { initial: 0 }), ready(0)]];
  const { simulation, rejectedStep } = simulateRoles({ roles, state: { olds, next: [NO_GROUPS, NO_GROUPS] } });
  expect(simulation).toMatchObject({ waves: [], halted: { wave: 0, reason: 'no-step' } });
  expect(rejectedStep).toBeUndefined();
});

test('a removed role does not count for the minimum, unless no role has groups', () => {
  const removed = role('encode', 0, { isRemoved: true });
  expect(simulateRoles(replacing([role('prefill', 2), role('decode', 3), removed], 2, 3, 4)).simulation).toMatchObject({
    replicas: 2,
    minAvailable: 2,
  });
  expect(simulateRoles(replacing([role('prefill', 0), role('decode', 0)], 2, 3)).simulation).toMatchObject({
    replicas: 0,
    minAvailable: 0,
  });
});
