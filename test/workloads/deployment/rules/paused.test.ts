import { factsOf } from '../../../facts';
import { deployment, rolloutOf, template } from '../../plan';

test('reports a paused Deployment, whose plan has a strategy but no simulation', () => {
  const rollout = rolloutOf([deployment({ replicas: 4, paused: true, template: template() })]);
  expect(rollout).toMatchObject({ strategy: { type: 'RollingUpdate' }, simulation: null });
  expect(factsOf(rollout.findings)).toEqual([
    { code: 'kubernetes/paused', severity: 'info', messageId: 'paused', path: 'spec.paused', data: {} },
  ]);
});

test('reports nothing if paused is false', () => {
  const rollout = rolloutOf([deployment({ replicas: 4, paused: false })]);
  expect(rollout.findings).toEqual([]);
  expect(rollout.simulation).not.toBeNull();
});
