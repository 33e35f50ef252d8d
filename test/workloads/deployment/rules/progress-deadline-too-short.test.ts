import { factsOf } from '../../../facts';
import { deployment, findingsOf } from '../../plan';

function tooShort(spec: object, startupSeconds: number) {
  return findingsOf([deployment(spec)], 'kubernetes/progress-deadline-too-short', { startupSeconds });
}

test('the start-up reaches the deadline', () => {
  expect(factsOf(tooShort({ minReadySeconds: 30, progressDeadlineSeconds: 120 }, 120))).toEqual([
    {
      code: 'kubernetes/progress-deadline-too-short',
      severity: 'warning',
      messageId: 'startup',
      path: 'spec.progressDeadlineSeconds',
      data: { startupSeconds: 120, deadline: 120, minReadySeconds: 30, isSettable: true },
    },
  ]);
  expect(tooShort({}, 600)).toMatchObject([{ messageId: 'startup', data: { deadline: 600, minReadySeconds: 0 } }]);
});

test('start-up and minReadySeconds reach it together, with a pod that becomes ready in between', () => {
  expect(tooShort({ minReadySeconds: 300 }, 350)).toMatchObject([
    { messageId: 'minReady', data: { startupSeconds: 350, minReadySeconds: 300, deadline: 600, isSettable: true } },
  ]);
});

test('it is silent one second below', () => {
  expect(tooShort({ minReadySeconds: 30, progressDeadlineSeconds: 120 }, 89)).toEqual([]);
  expect(tooShort({}, 599)).toEqual([]);
});
