import { explainNotPlanned } from '../../src/cluster/kinds/unplanned-kinds';
import { findUnknownKind } from '../../src/cluster/kinds/known-kinds';
import type { Simulation } from '../../src/core/simulations/simulation';
import { planManifests } from '../../src/headless';
import { SYSTEMS } from '../../src/plan/registry';
import { drawPlanSvg } from '../../src/render/svg/plan-svg';
import { renderPlanText } from '../../src/render/text/plan';
import schema from '../../schemas/plan-1.2.json';
import { expectValidPlan } from '../plan-schema';
import { SIMULATED } from '../simulated';

describe.each(Object.keys(SIMULATED) as Simulation['kind'][])('%s', (kind) => {
  const { object, otherObjects = [], options = {} } = SIMULATED[kind];
  const planned = object(2);

  test('is planned, rendered as text and drawn', () => {
    const plan = expectValidPlan(planManifests([planned, ...otherObjects], options));
    expect(plan.rollouts.map(({ simulation }) => simulation?.kind)).toEqual([kind]);
    expect(renderPlanText(plan)).toContain(plan.rollouts[0]!.resource.name);
    expect(drawPlanSvg(plan)).toContain('<path class=');
  });

  test('is a planned kind, and its name is suggested for a misspelled one', () => {
    // Only ApplicationSets that sync step by step are planned.
    expect(explainNotPlanned({ ...planned, spec: {} }) !== undefined).toBe(kind === 'rollingsync');
    expect(findUnknownKind(planned)).toBeUndefined();
    const { kind: name } = planned;
    expect(findUnknownKind({ ...planned, kind: `${name.slice(0, -2)}${name.at(-1)!}${name.at(-2)!}` })).toEqual({ suggestion: name });
  });
});

test('the schema names every system', () => {
  const names = [...new Set(SYSTEMS.map(({ name }) => name))];
  expect(schema.$defs.rollout.properties.system.enum.toSorted()).toEqual(names.toSorted());
});
