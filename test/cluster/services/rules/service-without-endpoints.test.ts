import { serviceWithoutEndpoints } from '../../../../src/cluster/services/rules/service-without-endpoints';
import { testRule } from '../../../rule-tester';

interface Api {
  readonly kind?: string;
  readonly name?: string;
  readonly replicas?: number;
  readonly labels?: string;
  readonly port?: string;
  readonly strategy?: string;
  readonly selector?: string;
  readonly preStop?: boolean;
}

/** A workload whose pods a Service may select. */
function api({
  kind = 'Deployment',
  name = 'api',
  replicas = 4,
  labels = '{ app: api }',
  port = '{ name: http, containerPort: 8080 }',
  strategy = '{}',
  selector = '{ app: api }',
  preStop = false,
}: Api = {}): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata:
  name: ${name}
spec:
  ${kind === 'DaemonSet' ? '' : `replicas: ${replicas}`}
  ${kind === 'Deployment' ? 'strategy' : 'updateStrategy'}: ${strategy}
  selector: { matchLabels: ${selector} }
  template:
    metadata: { labels: ${labels} }
    spec:
      containers:
        - name: api
          image: api:1
          ports: [${port}]
          readinessProbe: { tcpSocket: { port: 8080 } }
          ${preStop ? 'lifecycle: { preStop: { sleep: { seconds: 5 } } }' : ''}
---
`;
}

function service(selector: string, { targetPort = '8080', more = '' } = {}): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: api
spec:
  selector: ${selector}
  ports: [{ port: 80, targetPort: ${targetPort} }]
  ${more}
`;
}

testRule(serviceWithoutEndpoints, {
  valid: [
    { name: 'a plan of one version', yaml: api() + service('{ app: api }') },
    { name: 'a new image', old: api() + service('{ app: api }'), yaml: api({ labels: '{ app: api, v: b }' }) + service('{ app: api }') },
    {
      name: 'a selector that all running pods have',
      old: api({ labels: '{ app: api, tier: web }' }) + service('{ app: api }'),
      yaml: api({ labels: '{ app: api, tier: web }' }) + service('{ app: api, tier: web }'),
    },
    {
      name: 'a number changes under the same port name',
      old: api() + service('{ app: api }', { targetPort: 'http' }),
      yaml: api({ port: '{ name: http, containerPort: 9090 }' }) + service('{ app: api }', { targetPort: 'http' }),
    },
    {
      name: 'a strategy that takes down all pods, which kubernetes/outage reports',
      old: api({ strategy: '{ type: Recreate }' }) + service('{ app: api }'),
      yaml: api({ strategy: '{ type: Recreate }', labels: '{ app: api, v: b }' }) + service('{ app: api }'),
    },
    {
      name: 'a Service that had no endpoints before',
      old: api() + service('{ app: other }'),
      yaml: api() + service('{ app: more }'),
    },
    {
      name: 'a scale to 0 of a Service that is new',
      old: api(),
      yaml: api({ replicas: 0 }) + service('{ app: api }'),
    },
    {
      name: 'an old workload that stays, because nothing is pruned',
      old: api({ selector: '{ name: a }', labels: '{ app: api, name: a }' }) + service('{ app: api }'),
      yaml: api({ name: 'api-v2', selector: '{ name: b }', labels: '{ app: api, name: b }' }) + service('{ app: api }'),
    },
    {
      name: 'blue and green: the Service switches to pods that are ready',
      old:
        api({ name: 'blue', selector: '{ v: blue }', labels: '{ app: api, v: blue }' }) +
        api({ name: 'green', selector: '{ v: green }', labels: '{ app: api, v: green }' }) +
        service('{ app: api, v: blue }'),
      yaml:
        api({ name: 'blue', selector: '{ v: blue }', labels: '{ app: api, v: blue }' }) +
        api({ name: 'green', selector: '{ v: green }', labels: '{ app: api, v: green }' }) +
        service('{ app: api, v: green }'),
    },
    {
      name: 'pods of an operator may have the labels too',
      old: `${api()}apiVersion: k8s.mariadb.com/v1alpha1\nkind: MariaDB\nmetadata: { name: db }\n---\n${service('{ app: api }')}`,
      yaml: `${api()}apiVersion: k8s.mariadb.com/v1alpha1\nkind: MariaDB\nmetadata: { name: db }\n---\n${service('{ app: db }')}`,
    },
    {
      name: 'a headless Service whose pods no longer name its port, because its DNS name lists them',
      old: api() + service('{ app: api }', { targetPort: 'http', more: 'clusterIP: None' }),
      yaml: api({ port: '{ name: web, containerPort: 8080 }' }) + service('{ app: api }', { targetPort: 'http', more: 'clusterIP: None' }),
    },
    {
      name: 'a headless Service that publishes pods that are not ready',
      old: api() + service('{ app: api }', { more: 'clusterIP: None\n  publishNotReadyAddresses: true' }),
      yaml:
        api({ labels: '{ app: api, v: b }' }) +
        service('{ app: api, v: b }', { more: 'clusterIP: None\n  publishNotReadyAddresses: true' }),
    },
    {
      name: 'an object of an unknown kind may take over the pods',
      args: ['--prune'],
      old: api() + service('{ app: api }'),
      yaml: `apiVersion: example.com/v1\nkind: App\nmetadata: { name: api }\n---\n${service('{ app: api }')}`,
    },
    {
      name: 'a new image of a DaemonSet whose nodes are not known',
      old: api({ kind: 'DaemonSet' }) + service('{ app: api }'),
      yaml: api({ kind: 'DaemonSet', labels: '{ app: api, v: b }' }) + service('{ app: api }'),
    },
    {
      name: 'pods of a DaemonSet stay, although its nodes are not known',
      args: ['--prune'],
      old:
        api({ name: 'web' }) +
        api({ kind: 'DaemonSet', selector: '{ on: node }', labels: '{ app: api, on: node }' }) +
        service('{ app: api }'),
      yaml: api({ kind: 'DaemonSet', selector: '{ on: node }', labels: '{ app: api, on: node }' }) + service('{ app: api }'),
    },
    {
      name: 'a label that the StatefulSet controller adds',
      old: api({ kind: 'StatefulSet' }) + service('{ app: api }'),
      yaml: api({ kind: 'StatefulSet' }) + service('{ app: api, statefulset.kubernetes.io/pod-name: api-0 }'),
    },
  ],
  invalid: [
    {
      name: 'a selector asks for a label that only new pods have',
      old: api({ labels: '{ app: api, version: v1 }' }) + service('{ app: api, version: v1 }'),
      yaml: api({ labels: '{ app: api, version: v2 }' }) + service('{ app: api, version: v2 }'),
      findings: [
        {
          messageId: 'selector',
          severity: 'warning',
          path: 'spec.selector',
          data: { service: 'Service api', before: 4, stays: false, workload: 'Deployment api', label: 'version=v2', isRefused: false },
        },
      ],
    },
    {
      name: 'a selector asks for a label that no pod has',
      old: api() + service('{ app: api }'),
      yaml: api() + service('{ app.kubernetes.io/name: api }'),
      findings: [{ messageId: 'selector', severity: 'error' }],
    },
    {
      name: 'new pods drop a label that the Service selects',
      old: api({ labels: '{ app: api, tier: web }' }) + service('{ app: api, tier: web }'),
      yaml: api() + service('{ app: api, tier: web }'),
      findings: [
        {
          messageId: 'labels',
          severity: 'error',
          data: { service: 'Service api', before: 4, stays: true, workload: 'Deployment api', label: 'tier=web', isRefused: false },
        },
      ],
    },
    {
      name: 'a port is renamed in the pods only',
      old: api() + service('{ app: api }', { targetPort: 'http' }),
      yaml: api({ port: '{ name: web, containerPort: 8080 }' }) + service('{ app: api }', { targetPort: 'http' }),
      findings: [{ messageId: 'podPort', severity: 'error', path: 'spec.ports' }],
    },
    {
      name: 'a port is renamed in the pods and in the Service',
      old: api() + service('{ app: api }', { targetPort: 'http' }),
      yaml: api({ port: '{ name: web, containerPort: 8080 }' }) + service('{ app: api }', { targetPort: 'web' }),
      findings: [{ messageId: 'servicePort', severity: 'warning' }],
    },
    {
      name: 'the Deployment is refused, and the Service is not',
      old: api({ selector: '{ app: api }', labels: '{ app: api }' }) + service('{ app: api }'),
      yaml: api({ selector: '{ app: new }', labels: '{ app: new }' }) + service('{ app: new }'),
      findings: [
        {
          messageId: 'selector',
          severity: 'error',
          data: { service: 'Service api', before: 4, stays: true, workload: 'Deployment api', label: 'app=new', isRefused: true },
        },
      ],
    },
    {
      name: 'a rename: the old Deployment is deleted before the new one is ready',
      args: ['--prune'],
      old: api({ replicas: 3, selector: '{ name: a }', labels: '{ app: api, name: a }', preStop: true }) + service('{ app: api }'),
      yaml: api({ replicas: 3, name: 'api-v2', selector: '{ name: b }', labels: '{ app: api, name: b }' }) + service('{ app: api }'),
      findings: [
        {
          messageId: 'deleted',
          severity: 'warning',
          data: { service: 'Service api', before: 3, stays: false, workload: 'Deployment api', servingSeconds: 5 },
        },
      ],
    },
    {
      name: 'another kind of the same name',
      args: ['--prune'],
      old: api() + service('{ app: api }'),
      yaml: api({ kind: 'StatefulSet' }) + service('{ app: api }'),
      findings: [{ messageId: 'deleted', severity: 'warning' }],
    },
    {
      name: 'the only workload is deleted, and the Service stays',
      args: ['--prune'],
      old: api() + service('{ app: api }'),
      yaml: service('{ app: api }'),
      findings: [{ messageId: 'deleted', severity: 'error' }],
    },
    {
      name: 'Argo CD deletes the Deployment and creates it again',
      old: api() + service('{ app: api }'),
      yaml:
        api({ labels: '{ app: api, v: b }' }).replace(
          '  name: api\n',
          '  name: api\n  annotations: { argocd.argoproj.io/sync-options: "Replace=true,Force=true" }\n',
        ) + service('{ app: api }'),
      findings: [{ messageId: 'replaced', severity: 'warning' }],
    },
    {
      name: 'a scale to 0',
      old: api() + service('{ app: api }'),
      yaml: api({ replicas: 0 }) + service('{ app: api }'),
      findings: [{ messageId: 'scaled', severity: 'error' }],
    },
    {
      name: 'a StatefulSet',
      old: api({ kind: 'StatefulSet', labels: '{ app: api, v: a }' }) + service('{ v: a }'),
      yaml: api({ kind: 'StatefulSet', labels: '{ app: api, v: b }' }) + service('{ v: b }'),
      findings: [{ messageId: 'selector', severity: 'warning' }],
    },
    {
      name: 'one of two ports',
      old:
        api({ port: '{ name: http, containerPort: 8080 }, { name: grpc, containerPort: 9000 }' }) +
        service('{ app: api }', { targetPort: 'http, name: a }, { name: b, port: 90, targetPort: grpc' }),
      yaml:
        api({ port: '{ name: http, containerPort: 8080 }' }) +
        service('{ app: api }', { targetPort: 'http, name: a }, { name: b, port: 90, targetPort: grpc' }),
      findings: [{ messageId: 'podPort', severity: 'error' }],
    },
    {
      name: 'a port of several, which the message names',
      old:
        api({ port: '{ name: http, containerPort: 8080 }, { name: grpc, containerPort: 9000 }' }) +
        service('{ app: api }', { targetPort: 'http, name: a }, { name: b, port: 90, targetPort: grpc' }),
      yaml:
        api({ port: '{ name: http, containerPort: 8080 }, { name: rpc, containerPort: 9000 }' }) +
        service('{ app: api }', { targetPort: 'http, name: a }, { name: b, port: 90, targetPort: grpc' }),
      findings: [
        {
          messageId: 'podPort',
          severity: 'error',
          data: {
            service: 'Service api',
            before: 4,
            stays: true,
            workload: 'Deployment api',
            port: 'grpc (TCP)',
            servicePort: 'b',
            isRefused: false,
          },
        },
      ],
    },
    {
      name: 'a DaemonSet whose nodes are not known',
      old: api({ kind: 'DaemonSet', labels: '{ app: api, v: a }' }) + service('{ v: a }'),
      yaml: api({ kind: 'DaemonSet', labels: '{ app: api, v: b }' }) + service('{ v: b }'),
      findings: [
        {
          messageId: 'selector',
          severity: 'warning',
          data: { service: 'Service api', stays: false, workload: 'DaemonSet api', label: 'v=b', isRefused: false },
        },
      ],
    },
    {
      name: 'a DaemonSet that drops a label and whose nodes are not known',
      old: api({ kind: 'DaemonSet', labels: '{ app: api, v: a }' }) + service('{ v: a }'),
      yaml: api({ kind: 'DaemonSet' }) + service('{ v: a }'),
      findings: [{ messageId: 'labels', severity: 'error' }],
    },
    {
      name: 'a DaemonSet becomes a Deployment, and its nodes are not known',
      args: ['--prune'],
      old: api({ kind: 'DaemonSet' }) + service('{ app: api }'),
      yaml: api() + service('{ app: api }'),
      findings: [{ messageId: 'deleted', severity: 'warning' }],
    },
    {
      name: 'a Deployment becomes a DaemonSet whose nodes are not known',
      args: ['--prune'],
      old: api() + service('{ app: api }'),
      yaml: api({ kind: 'DaemonSet' }) + service('{ app: api }'),
      findings: [{ messageId: 'deleted', severity: 'warning' }],
    },
    {
      name: 'a headless Service that publishes pods that are not ready, if they lose its label',
      old:
        api({ labels: '{ app: api, tier: web }' }) +
        service('{ tier: web }', { more: 'clusterIP: None\n  publishNotReadyAddresses: true' }),
      yaml: api() + service('{ tier: web }', { more: 'clusterIP: None\n  publishNotReadyAddresses: true' }),
      findings: [{ messageId: 'labels', severity: 'error' }],
    },
    {
      name: 'a headless Service: its DNS name has no address',
      old: api({ kind: 'StatefulSet', labels: '{ app: api, v: a }' }) + service('{ v: a }', { more: 'clusterIP: None' }),
      yaml: api({ kind: 'StatefulSet', labels: '{ app: api, v: b }' }) + service('{ v: b }', { more: 'clusterIP: None' }),
      findings: [
        {
          messageId: 'selector',
          severity: 'warning',
          data: {
            service: 'Service api',
            before: 4,
            stays: false,
            workload: 'StatefulSet api',
            label: 'v=b',
            isRefused: false,
            usesDns: true,
          },
        },
      ],
    },
    {
      name: 'a partition holds back the last pods that have the label',
      old:
        api({ kind: 'StatefulSet', strategy: '{ rollingUpdate: { partition: 2 } }', labels: '{ app: api, v: a }' }) + service('{ v: a }'),
      yaml: api({ kind: 'StatefulSet', strategy: '{ rollingUpdate: { partition: 2 } }' }) + service('{ v: a }'),
      findings: [
        {
          messageId: 'pending',
          severity: 'warning',
          data: { service: 'Service api', workload: 'StatefulSet api', missing: 'the label v=a' },
        },
      ],
    },
    {
      name: 'a StatefulSet whose pods are replaced only once a user deletes them',
      old: api({ kind: 'StatefulSet', strategy: '{ type: OnDelete }' }) + service('{ app: api }', { targetPort: 'http' }),
      yaml:
        api({ kind: 'StatefulSet', strategy: '{ type: OnDelete }', port: '{ name: web, containerPort: 8080 }' }) +
        service('{ app: api }', { targetPort: 'http' }),
      findings: [
        {
          messageId: 'pending',
          severity: 'warning',
          data: { service: 'Service api', workload: 'StatefulSet api', missing: 'a port http (TCP)' },
        },
      ],
    },
    {
      name: 'a selector that only pods of the new template match, which a pause holds back',
      old: api() + service('{ app: api }'),
      yaml: api({ labels: '{ app: api, v: b }' }).replace('replicas: 4', 'paused: true\n  replicas: 4') + service('{ v: b }'),
      findings: [
        {
          messageId: 'selector',
          severity: 'error',
          data: {
            service: 'Service api',
            before: 4,
            stays: true,
            workload: 'Deployment api',
            isHeld: true,
            label: 'v=b',
            isRefused: false,
          },
        },
      ],
    },
    {
      name: 'a Service that the change leaves as it is and that only OLD has',
      old: api({ labels: '{ app: api, tier: web }' }) + service('{ app: api, tier: web }'),
      yaml: api(),
      findings: [{ messageId: 'labels', severity: 'error' }],
    },
  ],
});
