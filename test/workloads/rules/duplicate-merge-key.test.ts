import { duplicateMergeKey } from '../../../src/workloads/rules/duplicate-merge-key';
import { testRule } from '../../rule-tester';

const deployment = (container: string, pod = '') => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      ${pod}
      containers: [{ name: web, image: "web:1", readinessProbe: { httpGet: { port: 80 } }, ${container} }]
`;

testRule(duplicateMergeKey, {
  valid: [
    { name: 'two protocols on one port number', yaml: deployment('ports: [{ containerPort: 53, protocol: UDP }, { containerPort: 53 }]') },
    { name: 'the same item twice', yaml: deployment('env: [{ name: MODE, value: a }, { name: MODE, value: a }]') },
    { name: 'items that are no maps', yaml: deployment('args: [a, a], command: [b]') },
    {
      name: 'an object that the API server refuses',
      yaml: deployment('volumeMounts: [{ name: a, mountPath: /a }, { name: b, mountPath: /a }]'),
    },
  ],
  invalid: [
    {
      name: 'variables of a container',
      yaml: deployment('env: [{ name: MODE, value: a }, { name: B, value: b }, { name: MODE, value: c }]'),
      findings: [
        {
          messageId: 'items',
          severity: 'warning',
          path: 'spec.template.spec.containers[0].env[2]',
          data: { list: 'env', key: 'name', value: 'MODE', first: 0, index: 2 },
        },
      ],
    },
    {
      name: 'addresses of the hosts file',
      yaml: deployment('env: []', 'hostAliases: [{ ip: 10.0.0.1, hostnames: [a] }, { ip: 10.0.0.1, hostnames: [b] }]'),
      findings: [
        {
          messageId: 'items',
          path: 'spec.template.spec.hostAliases[1]',
          data: { list: 'hostAliases', key: 'ip', value: '10.0.0.1', first: 0, index: 1 },
        },
      ],
    },
  ],
});
