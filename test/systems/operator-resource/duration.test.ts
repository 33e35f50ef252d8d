import { durationOf } from '../../workloads/plan';
import { operatorResource } from './plan';

test('the Deployment of an operator has the default grace period and deadline, although only its number of pods is known', () => {
  const resource = operatorResource({ replicas: 5, strategy: { rolling_update: { max_surge: 1, max_unavailable: '25%' } } });
  expect(durationOf(resource)).toMatchObject({ lowerBoundSeconds: 180, expectedSeconds: 180, abortSeconds: 600, blastRadius: 2 });
  expect(durationOf(resource, {})).toBeUndefined();
});
