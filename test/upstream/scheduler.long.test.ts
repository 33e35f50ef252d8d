import { RECORDING_STEP } from '../setup/recording-step';
import { countJudgements, findUnexplained, findWrongNumbers, findWrongVerdicts, readSchedulerCases } from './scheduler-cases';

const CASES = readSchedulerCases(RECORDING_STEP);
const KINDS = [...new Set(CASES.map(({ old }) => old.kind))];

/** The most rollouts of a kind that are undecided or without a verdict, in percent. All cases have 0.7, 0.5, 0.9, 3.4 and 0. */
const UNDECIDED: Readonly<Record<string, number>> = { Deployment: 1, StatefulSet: 1, Rollout: 1, DaemonSet: 4, LeaderWorkerSet: 0 };

describe('rollouts in small clusters, by the scheduler, the quota evaluators and the controllers of Kubernetes 1.34 and 1.36', () => {
  test.each(KINDS)('%s: no verdict is wrong', (kind) => {
    expect(findWrongVerdicts(CASES.filter(({ old }) => old.kind === kind))).toEqual([]);
  });

  test.each(KINDS)('%s: few are undecided', (kind) => {
    const cases = CASES.filter(({ old }) => old.kind === kind);
    const { undecided = 0, 'no verdict': silent = 0 } = countJudgements(cases);
    expect((100 * (undecided + silent)) / cases.length).toBeLessThanOrEqual(UNDECIDED[kind]!);
  });

  test('each undecided verdict names a reason', () => {
    expect(findUnexplained(CASES)).toEqual([]);
  });

  test('nearly all Deployments and StatefulSets that deadlock keep the recorded number of new pods', () => {
    expect(findWrongNumbers(CASES).length).toBeLessThanOrEqual(10);
  });
});
