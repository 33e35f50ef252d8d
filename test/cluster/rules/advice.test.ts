import { pdbBrokenByRollout } from '../../../src/cluster/rules/pdb-broken-by-rollout';
import { quotedInteger } from '../../../src/cluster/rules/quoted-integer';
import { getSuggestedFix } from '../../../src/core/findings/finding';
import { deployment, statefulSet } from '../../builders/workload';
import { findingsOf } from '../../workloads/plan';
import { disruptionBudget } from '../../builders/disruption-budget';

const TEMPLATE = { metadata: { labels: { app: 'web' } } };

describe('a number in quotes is written without them', () => {
  const adviceFor = (maxSurge: string) => {
    const [finding] = findingsOf([deployment({ strategy: { rollingUpdate: { maxSurge } } })], 'kubernetes/quoted-integer');
    return getSuggestedFix(quotedInteger, finding!);
  };
  const edits = (value: number) => [{ op: 'set', path: 'spec.strategy.rollingUpdate.maxSurge', value }];

  test('automatically if it is one digit, and by decision if it may be a percentage without its sign', () => {
    expect(adviceFor('1')).toEqual({ edits: edits(1), needsDecision: false });
    expect(adviceFor('25')).toEqual({ edits: edits(25), needsDecision: true });
  });
});

describe('a budget that several rollouts break together is loosened to the pods that they leave', () => {
  const BUDGET = { kind: 'PodDisruptionBudget', name: 'budget' };
  const set = (name: string) => statefulSet({ replicas: 3, template: TEMPLATE }, { name });
  const adviceFor = (limit: object, ...workloads: readonly object[]) => {
    const [finding] = findingsOf([...workloads, disruptionBudget(limit)], 'kubernetes/pdb-broken-by-rollout');
    return getSuggestedFix(pdbBrokenByRollout, finding!);
  };

  test('in the field that it uses', () => {
    expect(adviceFor({ minAvailable: 5 }, set('a'), set('b'))).toEqual({
      edits: [{ op: 'set', path: 'spec.minAvailable', value: 4, of: BUDGET }],
      needsDecision: true,
    });
    expect(adviceFor({ maxUnavailable: 1 }, set('a'), set('b'))).toEqual({
      edits: [{ op: 'set', path: 'spec.maxUnavailable', value: 2, of: BUDGET }],
      needsDecision: true,
    });
  });

  test('unless they leave none', () => {
    const recreate = deployment({ replicas: 3, strategy: { type: 'Recreate' }, template: TEMPLATE });
    expect(adviceFor({ minAvailable: 1 }, recreate)).toEqual({ edits: [], needsDecision: true });
  });
});
