import { RECORDING_STEP } from '../setup/recording-step';
import { drawGoals, findFaults } from './advised-strategies';

const GOALS = 2_000 / RECORDING_STEP;

test(`every figure of an advised strategy is that of the controllers, and no other strategy beats it there (${GOALS} of 2,000 goals)`, () => {
  const faults = [...drawGoals(GOALS, 42)].flatMap(([one, wanted]) =>
    findFaults(one, wanted).map((fault) => `${JSON.stringify({ ...one, runs: one.runs.length })} ${JSON.stringify(wanted)}: ${fault}`),
  );
  expect(faults).toEqual([]);
}, 600_000);
