import { planChange } from '../../../src/change/plan-change';
import { expectValidPlan } from '../../plan-schema';
import { CLUSTER, incremental, rayService, rolloutOf } from './plan';

function serveConfig(...deployments: readonly string[]): object {
  return { serveConfigV2: `applications: [{name: a, import_path: "x:y", deployments: [${deployments.join(', ')}]}]` };
}

const SLOW = '{name: slow, graceful_shutdown_timeout_s: 60}';
const FAST = '{name: fast, graceful_shutdown_timeout_s: 20}';

test('a request lives as long as Serve gives the slowest replica, if every deployment says so', () => {
  expect(rolloutOf(incremental({}, serveConfig(SLOW, FAST))).termination).toEqual({
    requestSeconds: 60,
    preStopSeconds: 0,
    drainSeconds: 60,
    graceSeconds: 30,
    endedBy: 'ray-serve',
  });
});

test.each([
  ['a deployment leaves the limit to its code', incremental({}, serveConfig(SLOW, '{name: other}'))],
  ['an application lists no deployments', incremental({}, { serveConfigV2: 'applications: [{name: a, import_path: "x:y"}]' })],
  ['no cluster is replaced', rayService({ type: 'None' }, serveConfig(SLOW))],
])('it is not known if %s', (_name, object) => {
  expect(rolloutOf(object).termination).toBeUndefined();
});

test.each([
  [60, 'by default', {}],
  [600, 'if it is set', { rayClusterDeletionDelaySeconds: 600 }],
])('the old cluster of a NewCluster upgrade stays for %d s %s, which is the least that a request has', (seconds, _, spec) => {
  expect(rolloutOf(rayService({ type: 'NewCluster' }, { ...serveConfig(SLOW), ...spec })).termination).toEqual({
    requestSeconds: seconds,
    preStopSeconds: 0,
    drainSeconds: seconds,
    graceSeconds: 30,
    endedBy: 'cluster-deletion',
  });
});

test('the time for which the old cluster stays is that of NEW, and it does not count for an incremental upgrade', () => {
  const [old, next] = [60, 600].map((rayClusterDeletionDelaySeconds) => ({ ...serveConfig(SLOW), rayClusterDeletionDelaySeconds }));
  const changed = { ...next!, rayClusterConfig: { ...CLUSTER, rayVersion: '2.52.0' } };
  const before = rayService({ type: 'NewCluster' }, old);
  const terminationAfter = (after: object) => expectValidPlan(planChange([before], [after])).rollouts[0]!.termination;
  expect(terminationAfter(rayService({ type: 'NewCluster' }, changed))).toMatchObject({ requestSeconds: 600 });
  expect(terminationAfter(incremental({}, changed))).toBeUndefined();
});

test('a change stops the replicas of the old cluster, so its limits count', () => {
  const next = incremental({}, { ...serveConfig(FAST), rayClusterConfig: { ...CLUSTER, rayVersion: '2.52.0' } });
  const [rollout] = expectValidPlan(planChange([incremental({}, serveConfig(SLOW))], [next])).rollouts;
  expect(rollout!.termination).toMatchObject({ requestSeconds: 60 });
});
