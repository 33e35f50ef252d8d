import { nextStep } from '../../src/systems/disaggregatedset/planner';
import type { RoleLimits, RoleState } from '../../src/systems/disaggregatedset/planner';
import { recorded } from './recording';

type Case = readonly [
  roles: readonly (readonly [initial: number, target: number, surge: number, unavailable: number])[],
  steps: readonly (readonly (readonly [old: number, next: number])[])[],
];

/** Upstream stops looking after so many steps: twice the groups of the largest role, and ten. */
function mostSteps(limits: readonly RoleLimits[]): number {
  return Math.max(...limits.map(({ initial, target }) => Math.max(initial, target))) * 2 + 10;
}

test('the roles of a DisaggregatedSet are stepped as we say', () => {
  const cases = recorded('lws-roles') as readonly Case[];
  expect(cases.length).toBeGreaterThan(1000);
  const differing = cases.flatMap(([roles, steps]) => {
    const limits = roles.map(([initial, target, surge, unavailable]) => ({ initial, target, surge, unavailable }));
    let states: readonly RoleState[] = limits.map(({ initial }) => ({ old: initial, next: 0 }));
    const ours = [states];
    for (let step = 0; step < mostSteps(limits); step++) {
      const next = nextStep(limits, states);
      if (!next) break;
      ours.push(next);
      states = next;
    }
    const rows = ours.map((row) => row.map(({ old, next }) => [old, next]));
    return JSON.stringify(rows) === JSON.stringify(steps) ? [] : [{ roles, steps, rows }];
  });
  expect(differing).toEqual([]);
});
