import { targetPortAhead } from '../../../../src/cluster/services/rules/target-port-ahead';
import { testRule } from '../../../rule-tester';

const manifests = (containerPorts: string, targetPort: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: api }
spec:
  replicas: 3
  selector: { matchLabels: { app: api } }
  template:
    metadata: { labels: { app: api } }
    spec: { containers: [{ name: api, image: "api:1", ports: [${containerPorts}], readinessProbe: { tcpSocket: { port: 8080 } } }] }
---
apiVersion: v1
kind: Service
metadata: { name: api }
spec: { selector: { app: api }, ports: [{ port: 80, targetPort: ${targetPort} }] }
`;

testRule(targetPortAhead, {
  valid: [
    {
      name: 'the running pods listen on both ports',
      old: manifests('{ containerPort: 8080 }, { containerPort: 9090 }', '8080'),
      yaml: manifests('{ containerPort: 9090 }', '9090'),
    },
    { name: 'the running pods declare no ports', old: manifests('', '8080'), yaml: manifests('{ containerPort: 9090 }', '9090') },
    {
      name: 'the same port under its name',
      old: manifests('{ name: http, containerPort: 8080 }', 'http'),
      yaml: manifests('{ name: http, containerPort: 8080 }', '8080'),
    },
    {
      name: 'no pod declares the new port',
      old: manifests('{ containerPort: 8080 }', '8080'),
      yaml: manifests('{ containerPort: 8080 }', '9090'),
    },
  ],
  invalid: [
    {
      old: manifests('{ containerPort: 8080 }', '8080'),
      yaml: manifests('{ containerPort: 9090 }', '9090'),
      findings: [
        {
          messageId: 'number',
          severity: 'warning',
          path: 'spec.ports[0].targetPort',
          data: { service: 'Service api', port: 9090, pods: 3, declared: [8080] },
        },
      ],
    },
  ],
});
