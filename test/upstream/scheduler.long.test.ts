import { RECORDING_STEP } from '../setup/recording-step';
import { countJudgements, findUnexplained, findWrongNumbers, findWrongVerdicts, readSchedulerCases } from './scheduler-cases';

const CASES = readSchedulerCases(RECORDING_STEP);
const KINDS = [...new Set(CASES.map(({ old }) => old.kind))];

/** The most undecided rollouts of a kind, in percent. */
const UNDECIDED: Readonly<Record<string, number>> = { DaemonSet: 20 };

describe('rollouts in small clusters, by the scheduler, the quota evaluators and the controllers of Kubernetes 1.34 and 1.36', () => {
  test.each(KINDS)('%s: no verdict is wrong', (kind) => {
    expect(findWrongVerdicts(CASES.filter(({ old }) => old.kind === kind))).toEqual([]);
  });

  test.each(KINDS)('%s: few are undecided', (kind) => {
    const cases = CASES.filter(({ old }) => old.kind === kind);
    const { undecided = 0 } = countJudgements(cases);
    expect((100 * undecided) / cases.length).toBeLessThan(UNDECIDED[kind] ?? 3);
  });

  test('each undecided verdict names a reason', () => {
    expect(findUnexplained(CASES)).toEqual([]);
  });

  test('nearly all Deployments and StatefulSets that deadlock keep the recorded number of new pods', () => {
    expect(findWrongNumbers(CASES).length).toBeLessThanOrEqual(10);
  });
});
