import { RECORDING_STEP } from '../setup/recording-step';
import { compareServiceUpgrades, readServiceUpgrades } from './kserve-upgrades';

/** Step between the compared cases: each is planned once per pair of versions. */
const STEP = RECORDING_STEP === 1 ? 1 : 3 * RECORDING_STEP;

test('upgrades of KServe write what its whole reconcilers write differently', () => {
  const recording = readServiceUpgrades();
  const sample = recording.cases.filter((_, index) => index % STEP === 0);
  expect(sample.length).toBeGreaterThan(20);
  expect(sample.flatMap((one) => compareServiceUpgrades(one, recording))).toEqual([]);
});
