import { setField } from '../../../../src/core/findings/suggested-fix';
import { toFieldPath } from '../../../../src/core/manifest/field-path';
import { buildProbeEdits, noReadinessProbe } from '../../../../src/cluster/pods/rules/no-readiness-probe';
import { deployment, findingsOf } from '../../../workloads/plan';
import { testRule } from '../../../rule-tester';

const PORT = 'ports: [{ containerPort: 8080 }]';
const PROBE = 'readinessProbe: { exec: { command: ["true"] } }';

/** Returns a workload of apps/v1 with a pod spec, and with further lines in its spec. */
function workload(kind: string, podSpec: string, ...lines: readonly string[]): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
${lines.map((line) => `  ${line}\n`).join('')}  template:
    metadata: { labels: { app: web } }
    spec: { ${podSpec} }
`;
}

function service(namespace: string, selector: string): string {
  return `---
apiVersion: v1
kind: Service
metadata: { name: front, namespace: ${namespace} }
spec: { selector: ${selector}, ports: [{ port: 80 }] }
`;
}

const THREE = 'replicas: 3';
const APP = `containers: [{ name: app, image: app, ${PORT} }]`;
const PORTLESS = 'containers: [{ name: app, image: app }]';
const IN_PLACE = 'strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }';
const ON_HOST = 'containers: [{ name: app, image: app, ports: [{ containerPort: 8080, hostPort: 80 }] }]';

testRule(noReadinessProbe, {
  valid: [
    {
      name: 'a readiness probe of any container',
      yaml: workload('Deployment', `containers: [{ name: app, image: app, ${PORT} }, { name: proxy, image: proxy, ${PROBE} }]`, THREE),
    },
    {
      name: 'a startup probe',
      yaml: workload(
        'Deployment',
        `containers: [{ name: app, image: app, ${PORT}, startupProbe: { exec: { command: ["true"] } } }]`,
        THREE,
      ),
    },
    {
      name: 'a sidecar with a probe',
      yaml: workload('Deployment', `${APP}, initContainers: [{ name: mesh, image: mesh, restartPolicy: Always, ${PROBE} }]`, THREE),
    },
    {
      name: 'a readiness gate',
      yaml: workload('Deployment', `${APP}, readinessGates: [{ conditionType: example.com/in-service }]`, THREE),
    },
    { name: 'pods without a port or Service', yaml: workload('Deployment', PORTLESS, THREE) },
    { name: 'no containers', yaml: workload('Deployment', '', THREE) },
    { name: 'a Service in another namespace', yaml: workload('Deployment', PORTLESS, THREE) + service('other', '{ app: web }') },
    {
      name: 'a Service that selects other pods',
      yaml: workload('Deployment', PORTLESS, THREE) + service('shop', '{ app: web, tier: front }'),
    },
    { name: 'a Service without a selector', yaml: workload('Deployment', PORTLESS, THREE) + service('shop', '{}') },
    { name: 'type Recreate', yaml: workload('Deployment', APP, THREE, 'strategy: { type: Recreate }') },
    { name: 'type OnDelete', yaml: workload('StatefulSet', APP, THREE, 'updateStrategy: { type: OnDelete }') },
    { name: 'no replicas', yaml: workload('Deployment', APP, 'replicas: 0') },
    { name: 'the only pod of a StatefulSet, which is replaced in place', yaml: workload('StatefulSet', APP, 'replicas: 1') },
    { name: 'the only pod with a port of its node', yaml: workload('Deployment', ON_HOST, 'replicas: 1', IN_PLACE) },
  ],
  invalid: [
    {
      name: 'a declared port, at the container that declares it',
      yaml: workload('Deployment', `containers: [{ name: log, image: log }, { name: app, image: app, ${PORT} }]`, THREE),
      findings: [
        {
          messageId: 'none',
          severity: 'warning',
          path: 'spec.template.spec.containers[1].readinessProbe',
          data: { container: 'app', port: 8080 },
        },
      ],
    },
    {
      name: 'a StatefulSet',
      yaml: workload('StatefulSet', APP, 'replicas: 2'),
      findings: [{ messageId: 'none', path: 'spec.template.spec.containers[0].readinessProbe', data: { container: 'app', port: 8080 } }],
    },
    {
      name: 'a Service that selects the pods in their namespace',
      yaml: workload('Deployment', PORTLESS, THREE) + service('shop', '{ app: web }'),
      findings: [{ messageId: 'none', data: { container: 'app', service: 'front' } }],
    },
    {
      name: 'a single pod that gets a second one first, although the strategy would replace it in place',
      yaml: workload('Deployment', APP, 'replicas: 1', IN_PLACE),
      findings: [{ messageId: 'none' }],
    },
  ],
});

test('the API server refuses a probe of an init container that runs to completion', () => {
  const init = { name: 'migrate', readinessProbe: { exec: { command: ['true'] } } };
  const template = { spec: { containers: [{ ports: [{ containerPort: 8080 }] }], initContainers: [init] } };
  expect(findingsOf([deployment({ template })], 'kubernetes/invalid-workload')).toMatchObject([{ messageId: 'notForInit' }]);
});

test('the suggested probe checks the port, and there is no suggestion without a port', () => {
  const path = toFieldPath`spec.template.spec.containers[0].readinessProbe`;
  expect(buildProbeEdits({ container: 'app', port: 8080 }, path)).toEqual([setField(path, { tcpSocket: { port: 8080 } })]);
  expect(buildProbeEdits({ container: 'app', service: 'front' }, path)).toEqual([]);
  expect(buildProbeEdits({ container: 'app', port: 'http' }, path)).toEqual([]);
});
