import { diffPlans, OptionError, planManifests, renderPlanHtml, renderPlanSvg } from 'rolloutkit/plan';
import type { PlanDocument } from 'rolloutkit/plan';

const PLAN = planManifests([]);

/** Builds nested lists in which one value occurs 2 to the power of their depth times. */
function inManyPlaces(levels: number): readonly unknown[] {
  let value: readonly unknown[] = ['x'];
  for (let level = 0; level < levels; level++) value = [value, value];
  return value;
}

function planWith(rollouts: unknown): PlanDocument {
  return { ...PLAN, rollouts } as unknown as PlanDocument;
}

const LARGE = planWith(inManyPlaces(30));
const DEEP = planWith(Array.from({ length: 3_000 }).reduce((inner) => [inner], 'x'));

describe('a plan of a program that would take its reader too long is refused', () => {
  test.each<[string, () => unknown]>([
    ['diffPlans', () => diffPlans(LARGE, PLAN)],
    ['diffPlans', () => diffPlans(PLAN, LARGE)],
    ['renderPlanSvg', () => renderPlanSvg(LARGE)],
    ['renderPlanHtml', () => renderPlanHtml(LARGE)],
  ])('%s (%#) of 2^30 references to one value', (name, work) => {
    expect(work).toThrow(OptionError);
    expect(work).toThrow(
      `${name} requires plans as rolloutkit or a YAML parser returns them, but reading them throws "contains more than 50000000 values, counting each occurrence"`,
    );
  });

  test('so is a plan that is too deep', () => {
    expect(() => diffPlans(DEEP, PLAN)).toThrow(/"contains itself, or is nested more than 2000 levels deep"/);
  });
});
