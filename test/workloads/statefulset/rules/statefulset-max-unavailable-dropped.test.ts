import { factsOf } from '../../../facts';
import { findingsOf, statefulSet } from '../../plan';

function dropped(rollingUpdate: object, kubernetes: string) {
  const object = statefulSet({ replicas: 5, updateStrategy: { rollingUpdate } });
  return findingsOf([object], 'kubernetes/statefulset-max-unavailable-dropped', { versions: { kubernetes } });
}

test('reports a version that drops the field', () => {
  expect(factsOf(dropped({ maxUnavailable: 2 }, '1.35.4'))).toEqual([
    {
      code: 'kubernetes/statefulset-max-unavailable-dropped',
      severity: 'warning',
      messageId: 'dropped',
      path: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
      data: { maxUnavailable: 2, version: '1.35.4' },
    },
  ]);
});

test('reports nothing if the version keeps the field, and nothing without the field', () => {
  expect(dropped({ maxUnavailable: 2 }, '1.35.3')).toEqual([]);
  expect(dropped({ maxUnavailable: 2 }, '1.37')).toEqual([]);
  expect(dropped({ partition: 2 }, '1.34')).toEqual([]);
});
