import { countJudgements, findWrongNumbers, readSchedulerCases } from './scheduler-cases';

/** Every 25th case; the long test compares all. */
const CASES = readSchedulerCases(25);

describe('a sample of rollouts in small clusters, by the scheduler, the quota evaluators and the controllers of Kubernetes 1.34 and 1.36', () => {
  test('no verdict is wrong, and few are undecided', () => {
    const { right = 0, undecided = 0, 'no verdict': none = 0, ...wrong } = countJudgements(CASES);
    expect(wrong).toEqual({});
    expect(right + undecided + none).toBe(CASES.length);
    expect(undecided / CASES.length).toBeLessThan(0.08);
  });

  test('a Deployment or StatefulSet that deadlocks keeps the recorded number of new pods', () => {
    expect(findWrongNumbers(CASES)).toEqual([]);
  });
});
