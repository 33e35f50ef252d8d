import { RECORDING_STEP } from '../setup/recording-step';
import { compareRecordedRollout } from './recorded-rollouts';
import { readRecordings } from './recordings';

// Up to 308 changes, each planned and followed event by event.
jest.setTimeout(300_000);

/** Recordings in which plan and cluster differ, and why. */
const DIFFERING: Readonly<Record<string, string>> = {
  'c40-231': 'NEW no longer writes replicas: they are 1 until the autoscaler sets them again',
  'c77-15': 'the autoscaler raises the replicas after the rollout has begun with fewer',
};

test('plans from snapshots, and verify, agree with what the controllers did', async () => {
  const differing = new Map<string, readonly string[]>();
  let equal = 0;
  let figures = 0;
  const compared = readRecordings('rollouts').filter(
    ({ namespace }, index) => index % RECORDING_STEP === 0 || DIFFERING[namespace] !== undefined,
  );
  for (const recorded of compared) {
    const comparison = await compareRecordedRollout(recorded);
    equal += comparison.equal;
    figures += comparison.figures;
    if (comparison.differences.length > 0) differing.set(recorded.namespace, comparison.differences);
  }

  expect([...differing].filter(([namespace]) => DIFFERING[namespace] === undefined)).toEqual([]);
  expect([...differing.keys()].toSorted()).toEqual(Object.keys(DIFFERING).toSorted());
  // The plan is a limit: pods of one wave may become ready one by one.
  expect(equal / figures).toBeGreaterThan(0.98);
});
