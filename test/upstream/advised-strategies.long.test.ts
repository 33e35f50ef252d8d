import { drawGoals, findFaults } from './advised-strategies';

test('every figure of an advised strategy is that of the controllers, and no other strategy beats it there (2,000 goals)', () => {
  const faults = [...drawGoals(2_000, 42)].flatMap(([one, wanted]) =>
    findFaults(one, wanted).map((fault) => `${JSON.stringify({ ...one, runs: one.runs.length })} ${JSON.stringify(wanted)}: ${fault}`),
  );
  expect(faults).toEqual([]);
}, 600_000);
