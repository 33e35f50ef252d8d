import { countJudgements, findNewPods, findWrongRows, findWrongVerdicts, planWithoutPods, readSchedulerCases } from './scheduler-cases';

/** Every 53rd case; the long test compares more, and a release all. */
const CASES = readSchedulerCases(53);

describe('a sample of rollouts in small clusters, by the scheduler, the quota evaluators and the controllers of Kubernetes 1.34 and 1.36', () => {
  test('no verdict is wrong, and few are undecided', () => {
    expect(findWrongVerdicts(CASES)).toEqual([]);
    expect((countJudgements(CASES).undecided ?? 0) / CASES.length).toBeLessThan(0.08);
  });

  test('no verdict is wrong if the nodes of the old pods are not known', () => {
    expect(findWrongVerdicts(CASES, planWithoutPods)).toEqual([]);
  });

  test('a rollout that deadlocks keeps the recorded number of new pods, whatever its kind', () => {
    expect(findNewPods(CASES, 'other')).toEqual([]);
    expect(findWrongRows(CASES)).toEqual([]);
  });
});
