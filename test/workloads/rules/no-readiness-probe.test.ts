import { setField } from '../../../src/core/suggested-fix';
import { toFieldPath } from '../../../src/core/field-path';
import { buildProbeEdits } from '../../../src/workloads/rules/no-readiness-probe';
import { factsOf } from '../../facts';
import { deployment, findingsOf, statefulSet } from '../plan';

const PORT = { ports: [{ containerPort: 8080 }] };
const PROBE = { exec: { command: ['true'] } };

function pods(...containers: readonly object[]) {
  return { metadata: { labels: { app: 'web' } }, spec: { containers } };
}

const SERVICE = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'front' }, spec: { selector: { app: 'web' } } };

function unprobed(object: object, ...others: readonly object[]) {
  return findingsOf([object, ...others], 'kubernetes/no-readiness-probe');
}

test('reports a declared port once per workload, at the container that declares it', () => {
  const finding = { code: 'kubernetes/no-readiness-probe', severity: 'warning', messageId: 'none' };
  expect(factsOf(unprobed(deployment({ template: pods({ name: 'log' }, { name: 'app', ...PORT }) })))).toEqual([
    { ...finding, path: 'spec.template.spec.containers[1].readinessProbe', data: { container: 'app', port: 8080 } },
  ]);
  expect(factsOf(unprobed(statefulSet({ replicas: 2, template: pods({ ...PORT }) })))).toEqual([
    { ...finding, path: 'spec.template.spec.containers[0].readinessProbe', data: { container: 'app-0', port: 8080 } },
  ]);
});

test('reports a Service that selects the pods in their namespace', () => {
  const web = deployment({ template: pods({ name: 'app' }) });
  expect(factsOf(unprobed(web, SERVICE)).map(({ data }) => data)).toEqual([{ container: 'app', service: 'front' }]);
  expect(unprobed(web, { ...SERVICE, metadata: { name: 'front', namespace: 'other' } })).toEqual([]);
  expect(unprobed(web, { ...SERVICE, spec: { selector: { app: 'web', tier: 'front' } } })).toEqual([]);
  expect(unprobed(web, { ...SERVICE, spec: { selector: {} } })).toEqual([]);
  expect(unprobed(web)).toEqual([]);
});

test.each([
  ['a readiness probe of any container', pods({ name: 'app', ...PORT }, { name: 'proxy', readinessProbe: PROBE })],
  ['a startup probe', pods({ name: 'app', ...PORT, startupProbe: PROBE })],
  [
    'a sidecar with a probe',
    { spec: { containers: [PORT], initContainers: [{ name: 'mesh', restartPolicy: 'Always', readinessProbe: PROBE }] } },
  ],
  ['a readiness gate', { spec: { containers: [PORT], readinessGates: [{ conditionType: 'example.com/in-service' }] } }],
  ['pods without a port or Service', pods({ name: 'worker' })],
  ['no containers', {}],
])('reports nothing for %s', (_, template) => {
  expect(unprobed(deployment({ template }))).toEqual([]);
});

test('the API server refuses a probe of an init container that runs to completion', () => {
  const template = { spec: { containers: [PORT], initContainers: [{ name: 'migrate', readinessProbe: PROBE }] } };
  expect(findingsOf([deployment({ template })], 'kubernetes/invalid-workload')).toMatchObject([{ messageId: 'notForInit' }]);
});

test('reports nothing if no step waits for a pod: Recreate, OnDelete, no replicas, and a single pod that is replaced in place', () => {
  const template = pods({ name: 'app', ...PORT });
  expect(unprobed(deployment({ strategy: { type: 'Recreate' }, template }))).toEqual([]);
  expect(unprobed(deployment({ replicas: 0, template }))).toEqual([]);
  expect(unprobed(statefulSet({ updateStrategy: { type: 'OnDelete' }, replicas: 3, template }))).toEqual([]);
  expect(unprobed(statefulSet({ replicas: 1, template }))).toEqual([]);
  const inPlace = { replicas: 1, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } };
  const onHost = pods({ name: 'app', ports: [{ containerPort: 8080, hostPort: 80 }] });
  expect(unprobed(deployment({ ...inPlace, template: onHost }))).toEqual([]);
  expect(unprobed(deployment({ ...inPlace, template }))).toHaveLength(1);
});

test('the suggested probe checks the port, and there is no suggestion without a port', () => {
  const path = toFieldPath`spec.template.spec.containers[0].readinessProbe`;
  expect(buildProbeEdits({ container: 'app', port: 8080 }, path)).toEqual([setField(path, { tcpSocket: { port: 8080 } })]);
  expect(buildProbeEdits({ container: 'app', service: 'front' }, path)).toEqual([]);
  expect(buildProbeEdits({ container: 'app', port: 'http' }, path)).toEqual([]);
});
