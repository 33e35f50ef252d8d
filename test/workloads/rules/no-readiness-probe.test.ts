import { factsOf } from '../../facts';
import { deployment, findingsOf, statefulSet, template } from '../plan';

const PROBELESS = { spec: { containers: [{ name: 'app' }, { name: 'proxy', readinessProbe: { exec: { command: ['true'] } } }, {}] } };

function unprobed(object: object) {
  return findingsOf([object], 'kubernetes/no-readiness-probe');
}

test('one finding a container without one, which is named, or counted where it has no name', () => {
  const finding = { code: 'kubernetes/no-readiness-probe', severity: 'warning', messageId: 'none' };
  expect(factsOf(unprobed(deployment({ template: PROBELESS })))).toEqual([
    { ...finding, path: 'spec.template.spec.containers[0].readinessProbe', data: { container: 'app' } },
    { ...finding, path: 'spec.template.spec.containers[2].readinessProbe', data: { container: 2 } },
  ]);
  expect(unprobed(statefulSet({ template: PROBELESS }))).toHaveLength(2);
});

test('a startup probe makes the rollout wait for the start, and for nothing after it', () => {
  const starting = { spec: { containers: [{ name: 'app', startupProbe: { exec: { command: ['true'] } } }] } };
  expect(unprobed(deployment({ template: starting }))).toMatchObject([
    { severity: 'warning', messageId: 'startupOnly', data: { container: 'app' } },
  ]);
});

test('it is silent for Recreate and OnDelete, and without containers', () => {
  expect(unprobed(deployment({ strategy: { type: 'Recreate' }, template: PROBELESS }))).toEqual([]);
  expect(unprobed(statefulSet({ updateStrategy: { type: 'OnDelete' }, template: PROBELESS }))).toEqual([]);
  expect(unprobed(deployment({ template: template() }))).toEqual([]);
  expect(unprobed(deployment({}))).toEqual([]);
});
