import { drawGoals, drawScaledGoals, drawSetGoals, findFaults, findScaledFaults, findSetFaults } from './advised-strategies';

test('every figure of an advised strategy is that of the controllers, and no other strategy beats it there (60 of 2,000 goals)', () => {
  const faults = [...drawGoals(60, 41)].flatMap(([one, wanted]) =>
    findFaults(one, wanted).map((fault) => `${JSON.stringify({ ...one, runs: one.runs.length })} ${JSON.stringify(wanted)}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test('so is every figure at the limits of an autoscaler (6 of 500 goals)', () => {
  const faults = [...drawScaledGoals(6, 41)].flatMap(([sizes, planned, wanted]) =>
    findScaledFaults(sizes, planned, wanted).map(
      (fault) => `${JSON.stringify(sizes.map(({ runs, ...one }) => [one, runs.length]))} ${planned} ${JSON.stringify(wanted)}: ${fault}`,
    ),
  );
  expect(faults).toEqual([]);
});

test('so is every figure of a StatefulSet, by podManagementPolicy and partition (40 of 500 goals)', () => {
  const faults = [...drawSetGoals(40, 41)].flatMap(([updates, available, minutes]) =>
    findSetFaults(updates, available, minutes).map((fault) => `${JSON.stringify(updates[0])} ${available} ${minutes}: ${fault}`),
  );
  expect(faults).toEqual([]);
});
