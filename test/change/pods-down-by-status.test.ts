import { planChange } from '../../src/headless';
import { podTemplate, workload } from '../builders/workload';

/* A status that shows no available pod: the rollout repairs them, so it takes none down, and its plan does not count them as available. */

function web(kind: string, image: string, spec: object, live?: object): object {
  const apiVersion = kind === 'Rollout' ? 'argoproj.io/v1alpha1' : 'apps/v1';
  const template = podTemplate({ name: 'web', image, readinessProbe: { tcpSocket: { port: 80 } } });
  const metadata = { name: 'web', namespace: 'shop', ...(live && { uid: 'a', generation: 1, managedFields: [] }) };
  return { ...workload(kind, { replicas: 2, template, ...spec }, metadata), apiVersion, ...(live && { status: live }) };
}

function outcomeOf(kind: string, spec: object, status: object) {
  const { rollouts } = planChange([web(kind, 'web:1', spec, status)], [web(kind, 'web:2', spec)]);
  const [{ simulation, findings }] = rollouts as [(typeof rollouts)[0]];
  const { minAvailable } = simulation as { readonly minAvailable: number };
  return [minAvailable, findings.filter(({ code }) => code === 'kubernetes/outage').map(({ severity }) => severity)];
}

const ROLLOUT = { observedGeneration: '1', replicas: 2, updatedReplicas: 2, currentPodHash: 'a', stableRS: 'a' };
const SETS = { observedGeneration: 1, replicas: 2, currentReplicas: 2, currentRevision: 'a', updateRevision: 'a' };
const ALL_AT_ONCE = { strategy: { canary: { maxSurge: 0, maxUnavailable: '100%' } } };
const PARALLEL = { podManagementPolicy: 'Parallel', serviceName: 'web' };

test.each<[what: string, kind: string, spec: object, status: object, minAvailable: number, outages: readonly string[]]>([
  ['pods of a Rollout that are down', 'Rollout', ALL_AT_ONCE, ROLLOUT, 0, []],
  ['pods of a Rollout that serve', 'Rollout', ALL_AT_ONCE, { ...ROLLOUT, availableReplicas: 2 }, 0, ['warning']],
  ['pods of a Rollout that are down, with the default limits', 'Rollout', { strategy: { canary: {} } }, ROLLOUT, 0, []],
  [
    'pods of a Rollout that serve, with the default limits',
    'Rollout',
    { strategy: { canary: {} } },
    { ...ROLLOUT, availableReplicas: 2 },
    2,
    [],
  ],
  ['pods of a parallel StatefulSet that are down', 'StatefulSet', PARALLEL, { ...SETS, availableReplicas: 0 }, 0, []],
  ['pods of a parallel StatefulSet that serve', 'StatefulSet', PARALLEL, { ...SETS, availableReplicas: 2 }, 1, []],
])('%s', (_what, kind, spec, status, minAvailable, outages) => {
  expect(outcomeOf(kind, spec, status)).toEqual([minAvailable, outages]);
});
