import { countJudgements, findUnexplained, findWrongNumbers, readSchedulerCases } from './scheduler-cases';

const CASES = readSchedulerCases();
const KINDS = [...new Set(CASES.map(({ old }) => old.kind))];

describe('rollouts in small clusters, by the scheduler, the quota evaluators and the controllers of Kubernetes 1.34 and 1.36', () => {
  test.each(KINDS)('%s: no verdict is wrong, and few are undecided', (kind) => {
    const cases = CASES.filter(({ old }) => old.kind === kind);
    expect(countJudgements(cases)).toMatchSnapshot();
  });

  test('each undecided verdict names a reason', () => {
    expect(findUnexplained(CASES)).toEqual([]);
  });

  test('a Deployment or StatefulSet that deadlocks keeps the recorded number of new pods', () => {
    expect(findWrongNumbers(CASES)).toMatchSnapshot();
  });
});
