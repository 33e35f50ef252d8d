import { compareVariables, readVariableRecording } from './kserve-variables';

/** Every so many cases are compared here, and all of them in upgrades.long.test.ts. */
const STEP = 30;

test('the upgrade to KServe 0.17 rolls the containers in which kserve-variables has the new variable', () => {
  const recording = readVariableRecording();
  const sample = recording.cases.filter((_, index) => index % STEP === 0);
  expect(sample.length).toBeGreaterThan(40);
  expect(sample.flatMap((one) => compareVariables(one, recording) ?? [])).toEqual([]);
});
