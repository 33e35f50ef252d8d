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

describe('a startup probe that gives a container more time than the deadline', () => {
  const slow = (startupProbe: object, spec: object = {}) => {
    const plain = { name: 'side', image: 'side:1', readinessProbe: { tcpSocket: { port: 80 } } };
    const containers = [plain, { name: 'model', image: 'model:1', startupProbe: { tcpSocket: { port: 80 }, ...startupProbe } }];
    return { template: { metadata: { labels: { app: 'web' } }, spec: { containers } }, ...spec };
  };

  test('is told where nobody says how long a pod takes', () => {
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

  test('is that of the slowest container, whichever it is', () => {
    const probed = (name: string, failureThreshold: number) => ({
      name,
      image: 'model:1',
      startupProbe: { tcpSocket: { port: 80 }, failureThreshold },
    });
    const said = (...containers: readonly object[]) =>
      tooShort({ template: { metadata: { labels: { app: 'web' } }, spec: { containers } } }, 0).map(({ data }) => data);
    expect(said(probed('quick', 70), probed('slow', 90))).toMatchObject([{ container: 'slow', startupSeconds: 900 }]);
    expect(said(probed('slow', 90), probed('quick', 70))).toMatchObject([{ container: 'slow', startupSeconds: 900 }]);
  });

  test('is silent where the deadline is as long, or the seconds are given', () => {
    expect(tooShort(slow({ failureThreshold: 60 }), 0)).toEqual([]);
    expect(tooShort(slow({ failureThreshold: 90 }), 300)).toEqual([]);
  });
});
