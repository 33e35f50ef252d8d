import { factsOf } from '../../../facts';
import { deployment, findingsOf } from '../../plan';

function tooShort(spec: object, startupSeconds: number) {
  return findingsOf([deployment(spec)], 'kubernetes/progress-deadline-too-short', { startupSeconds });
}

test('reports a start-up that reaches the deadline', () => {
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

test('reports start-up and minReadySeconds that together reach the deadline', () => {
  expect(tooShort({ minReadySeconds: 300 }, 350)).toMatchObject([
    { messageId: 'minReady', data: { startupSeconds: 350, minReadySeconds: 300, deadline: 600, isSettable: true } },
  ]);
});

test('reports nothing one second below the deadline', () => {
  expect(tooShort({ minReadySeconds: 30, progressDeadlineSeconds: 120 }, 89)).toEqual([]);
  expect(tooShort({}, 599)).toEqual([]);
});

describe('a startup probe that allows more time than the deadline', () => {
  const slow = (startupProbe: object, spec: object = {}) => {
    const plain = { name: 'side', image: 'side:1', readinessProbe: { tcpSocket: { port: 80 } } };
    const containers = [plain, { name: 'model', image: 'model:1', startupProbe: { tcpSocket: { port: 80 }, ...startupProbe } }];
    return { template: { metadata: { labels: { app: 'web' } }, spec: { containers } }, ...spec };
  };

  test('is reported if the start-up seconds are unknown', () => {
    expect(factsOf(tooShort(slow({ failureThreshold: 90, periodSeconds: 10, initialDelaySeconds: 30 }), 0))).toEqual([
      {
        code: 'kubernetes/progress-deadline-too-short',
        severity: 'info',
        messageId: 'probe',
        path: 'spec.progressDeadlineSeconds',
        data: { container: 'model', startupSeconds: 930, deadline: 600, minReadySeconds: 0, isSettable: true },
      },
    ]);
    expect(tooShort(slow({}, { progressDeadlineSeconds: 29 }), 0)).toMatchObject([{ data: { startupSeconds: 30 } }]);
  });

  test('is reported for the slowest container', () => {
    const probed = (name: string, failureThreshold: number) => ({
      name,
      image: 'model:1',
      startupProbe: { tcpSocket: { port: 80 }, failureThreshold },
    });
    const dataOf = (...containers: readonly object[]) =>
      tooShort({ template: { metadata: { labels: { app: 'web' } }, spec: { containers } } }, 0).map(({ data }) => data);
    expect(dataOf(probed('quick', 70), probed('slow', 90))).toMatchObject([{ container: 'slow', startupSeconds: 900 }]);
    expect(dataOf(probed('slow', 90), probed('quick', 70))).toMatchObject([{ container: 'slow', startupSeconds: 900 }]);
  });

  test('is not reported if the deadline is long enough, or if the seconds are known', () => {
    expect(tooShort(slow({ failureThreshold: 60 }), 0)).toEqual([]);
    expect(tooShort(slow({ failureThreshold: 90 }), 300)).toEqual([]);
  });
});
