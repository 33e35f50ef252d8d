import { droppedByMerge } from '../../../src/change/rules/dropped-by-merge';
import { testRule } from '../../rule-tester';

function dns(ports: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: dns }
spec:
  replicas: 2
  selector: { matchLabels: { app: dns } }
  template:
    metadata: { labels: { app: dns } }
    spec: { containers: [{ name: dns, image: dns, ports: [${ports}] }] }
`;
}

function service(ports: string): string {
  return `apiVersion: v1
kind: Service
metadata: { name: dns }
spec: { selector: { app: dns }, ports: [${ports}] }
`;
}

const UDP = '{ containerPort: 53, protocol: UDP }';
const TCP = '{ containerPort: 53, protocol: TCP }';
const PATH = 'spec.template.spec.containers[0].ports[1]';

testRule(droppedByMerge, {
  valid: [
    { name: 'a new object, of which both are stored', old: service('{ port: 53 }'), yaml: dns(`${UDP}, ${TCP}`) },
    { name: 'another port', old: dns(UDP), yaml: dns(`${UDP}, { containerPort: 54 }`) },
    { name: 'server-side apply, which compares the protocol', old: dns(UDP), yaml: dns(`${UDP}, ${TCP}`), args: ['--apply', 'server'] },
    { name: 'a replacement', old: dns(UDP), yaml: dns(`${UDP}, ${TCP}`), args: ['--apply', 'replace'] },
  ],
  invalid: [
    {
      name: 'a second protocol of a port',
      old: dns(UDP),
      yaml: dns(`${UDP}, ${TCP}`),
      findings: [{ messageId: 'item', path: PATH, severity: 'warning' }],
    },
    {
      name: 'one of two protocols that NEW keeps, which the merge deletes with the other',
      old: dns(`${UDP}, ${TCP}`),
      yaml: dns(UDP),
      findings: [{ messageId: 'deleted', path: 'spec.template.spec.containers[0].ports[0]', severity: 'warning' }],
    },
    {
      name: 'a second protocol of a port of a Service',
      old: service('{ name: udp, port: 53, protocol: UDP }'),
      yaml: service('{ name: udp, port: 53, protocol: UDP }, { name: tcp, port: 53, protocol: TCP }'),
      findings: [
        {
          messageId: 'item',
          path: 'spec.ports[1]',
          data: { kind: 'Service', name: 'dns', list: 'ports', key: 'port', value: 53, tool: 'kubectl' },
        },
      ],
    },
  ],
});
