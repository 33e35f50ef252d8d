/**
 * The short run of `oracle/mutations`: examples and fixtures, including those of the rules, with a few values removed, duplicated or changed.
 * Nothing throws, planning fails for no object, every number is finite, and the plan matches its schema.
 */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { Draw, mutated, mutatedText } from '../../oracle/mutations/mutate';
import { diffPlans } from '../../src/change/diff/diff';
import { planChange } from '../../src/change/plan-change';
import { readFiles } from '../../src/input/read';
import { planInput, planManifests } from '../../src/plan/plan';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { PLAN_READING } from '../../src/plan/registry';
import { RULES } from '../../src/plan/rules';
import { renderCheckText, renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';
import { yamlFilesBelow } from '../yaml-files';
import { scaleRuns } from '../setup/scale-runs';

const FILES = ['examples', 'test/fixtures'].flatMap(yamlFilesBelow).map((file) => ({ file, content: readFileSync(file, 'utf8') }));
/** Each rule has an example that it fires on, and a fixed one. */
const OF_RULES = RULES.flatMap(({ code, example, fixedExample }) => [
  { file: `${code}.yaml`, content: example },
  { file: `${code}-fixed.yaml`, content: fixedExample },
]);
const TEXTS = [...FILES, ...OF_RULES];
const READ = TEXTS.map((text) => readFiles([text], PLAN_READING).objects).filter(({ length }) => length > 0);
const OBJECTS = READ.flat();

function expectSound(plan: PlanDocument): void {
  const failed = [...plan.findings, ...plan.rollouts.flatMap(({ findings }) => findings)].filter(
    ({ code, messageId }) => code === 'input/unreadable' && messageId === 'failed',
  );
  expect(failed).toEqual([]);
  expectValidPlan(JSON.parse(JSON.stringify(plan)) as PlanDocument);
  renderPlanText(plan);
  renderCheckText(plan);
}

test('there are examples and fixtures to change', () => {
  expect(OBJECTS.length).toBeGreaterThan(200);
});

test('objects with a changed value anywhere are planned', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const draw = new Draw(seed);
      const base = draw.of(READ).slice(0, 6);
      const changed = base.map((object) => mutated(object, draw, OBJECTS));
      const plan = planManifests(changed);
      expectSound(plan);
      expect(planManifests(changed)).toEqual(plan);
      diffPlans(planManifests(base), plan);
      planChange(base, changed);
    }),
    { numRuns: scaleRuns(80) },
  );
});

test('texts with a changed character or line anywhere are read', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const draw = new Draw(seed);
      const { file, content } = draw.of(TEXTS);
      const { objects, findings, files, locations } = readFiles([{ file, content: mutatedText(content, draw) }], PLAN_READING);
      expectSound(planInput({ objects, findings, files, locate: locations.locate, textOf: locations.textOf }));
    }),
    { numRuns: scaleRuns(100) },
  );
});
