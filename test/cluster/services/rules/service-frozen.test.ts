import { serviceFrozen } from '../../../../src/cluster/services/rules/service-frozen';
import { testRule } from '../../../rule-tester';

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: api }
spec:
  replicas: 3
  selector: { matchLabels: { app: api } }
  template:
    metadata: { labels: { app: api } }
    spec: { containers: [{ name: api, image: "api:1", readinessProbe: { tcpSocket: { port: 8080 } } }] }
---
`;

const service = (spec: string) => `apiVersion: v1
kind: Service
metadata: { name: api }
spec: { ${spec} ports: [{ port: 80 }] }
`;

/** A slice of the controller, as it is in a dump of the cluster. */
const CONTROLLED_SLICE = `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: api-2
  labels: { kubernetes.io/service-name: api, endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io }
addressType: IPv4
endpoints: [{ addresses: [10.0.0.1] }]
`;

const SLICE = `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: api-1, labels: { kubernetes.io/service-name: api } }
addressType: IPv4
endpoints: [{ addresses: [10.0.0.1] }]
`;

testRule(serviceFrozen, {
  valid: [
    { name: 'a Service that never had a selector', old: DEPLOYMENT + service(''), yaml: DEPLOYMENT + service('') },
    { name: 'a selector without pods', old: DEPLOYMENT + service('selector: { app: other },'), yaml: DEPLOYMENT + service('') },
  ],
  invalid: [
    {
      old: DEPLOYMENT + service('selector: { app: api },'),
      yaml: DEPLOYMENT + service(''),
      findings: [{ messageId: 'noSelector', severity: 'warning', path: 'spec.selector', data: { service: 'Service api', before: 3 } }],
    },
    {
      name: 'slices of its own do not replace those of the controller',
      old: DEPLOYMENT + service('selector: { app: api },'),
      yaml: DEPLOYMENT + service('') + SLICE,
      findings: [
        {
          messageId: 'noSelector',
          severity: 'warning',
          path: 'spec.selector',
          data: {
            service: 'Service api',
            before: 3,
            deletion:
              'kubectl delete endpointslices -l kubernetes.io/service-name=api,endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io',
          },
        },
      ],
    },
    {
      name: 'a slice that the controller wrote is no slice of its own',
      old: DEPLOYMENT + service('selector: { app: api },') + CONTROLLED_SLICE,
      yaml: DEPLOYMENT + service(''),
      findings: [{ messageId: 'noSelector', severity: 'warning' }],
    },
    {
      name: 'a name of another host: the ClusterIP is released',
      old: DEPLOYMENT + service('selector: { app: api },'),
      yaml: DEPLOYMENT + service('type: ExternalName, externalName: x.example,'),
      findings: [
        {
          messageId: 'externalName',
          severity: 'warning',
          path: 'spec.type',
          data: { service: 'Service api', externalName: 'x.example' },
        },
      ],
    },
    {
      name: 'pods of a DaemonSet whose nodes are not known',
      old: DEPLOYMENT.replace('kind: Deployment', 'kind: DaemonSet').replace('  replicas: 3\n', '') + service('selector: { app: api },'),
      yaml: DEPLOYMENT.replace('kind: Deployment', 'kind: DaemonSet').replace('  replicas: 3\n', '') + service(''),
      findings: [{ messageId: 'noSelector', severity: 'warning', data: { service: 'Service api' } }],
    },
  ],
});
