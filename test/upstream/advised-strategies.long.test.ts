import { RECORDING_STEP } from '../setup/recording-step';
import { drawGoals, drawScaledGoals, drawSetGoals, findFaults, findScaledFaults, findSetFaults } from './advised-strategies';

const GOALS = Math.round(2_000 / RECORDING_STEP);

test(`every figure of an advised strategy is that of the controllers, and no other strategy beats it there (${GOALS} of 2,000 goals)`, () => {
  const faults = [...drawGoals(GOALS, 42)].flatMap(([one, wanted]) =>
    findFaults(one, wanted).map((fault) => `${JSON.stringify({ ...one, runs: one.runs.length })} ${JSON.stringify(wanted)}: ${fault}`),
  );
  expect(faults).toEqual([]);
}, 600_000);

const OTHER_GOALS = Math.round(500 / RECORDING_STEP);

test(`so is every figure at the limits of an autoscaler (${OTHER_GOALS} of 500 goals)`, () => {
  const faults = [...drawScaledGoals(OTHER_GOALS, 42)].flatMap(([sizes, planned, wanted]) => findScaledFaults(sizes, planned, wanted));
  expect(faults).toEqual([]);
}, 600_000);

test(`so is every figure of a StatefulSet (${OTHER_GOALS} of 500 goals)`, () => {
  const faults = [...drawSetGoals(OTHER_GOALS, 42)].flatMap(([updates, available, minutes]) => findSetFaults(updates, available, minutes));
  expect(faults).toEqual([]);
}, 600_000);
