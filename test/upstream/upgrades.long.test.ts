import { sampleOf } from '../setup/recording-step';
import { compareVariables, readVariableRecording } from './kserve-variables';

test('the upgrade to KServe 0.17 rolls the containers in which kserve-variables has the new variable', () => {
  const recording = readVariableRecording();
  expect(recording.cases.length).toBeGreaterThan(1000);
  expect(sampleOf(recording.cases).flatMap((one) => compareVariables(one, recording) ?? [])).toEqual([]);
});
