import { getPodTimings } from '../../src/workloads/pod-timings';

test('a pod has 30 seconds to stop unless a number of at least 0 is set', () => {
  const graceOf = (terminationGracePeriodSeconds?: unknown) => getPodTimings({ spec: { terminationGracePeriodSeconds } }, 20, 5);
  expect(graceOf(90)).toEqual({ startup: 20, minReady: 5, grace: 90 });
  expect(graceOf(0)).toEqual({ startup: 20, minReady: 5, grace: 0 });
  for (const none of [undefined, null, '90', -1]) expect(graceOf(none)).toEqual({ startup: 20, minReady: 5, grace: 30 });
});

test('minReadySeconds that is not a number counts as 0', () => {
  expect(getPodTimings({}, 20, '5')).toEqual({ startup: 20, minReady: 0, grace: 30 });
  expect(getPodTimings({}, 20, undefined)).toEqual({ startup: 20, minReady: 0, grace: 30 });
});
