import { servicePortUnresolved } from '../../../../src/cluster/services/rules/service-port-unresolved';
import { testRule } from '../../../rule-tester';
import { renderDeployment, renderService } from './manifests';

const LABELS = '{ app: shop, component: api }';
const service = (targetPort: string, more = '') =>
  renderService(`selector: ${LABELS}, ${more} ports: [{ port: 80, targetPort: ${targetPort} }]`);

const FLINK = `apiVersion: flink.apache.org/v1beta1
kind: FlinkDeployment
metadata: { name: shop }
spec: {}
---
`;

testRule(servicePortUnresolved, {
  valid: [
    { name: 'a name that a container has', yaml: renderDeployment() + service('http') },
    { name: 'a number, which is never checked', yaml: renderDeployment() + service('9999') },
    { name: 'pods of an operator that is not planned may have it', yaml: renderDeployment() + FLINK + service('grpc') },
    {
      name: 'a webhook adds a container',
      yaml: renderDeployment(LABELS, '[]', ', annotations: { sidecar.istio.io/inject: "true" }') + service('grpc'),
    },
    {
      name: 'a webhook adds a container to all pods of the namespace',
      yaml: `apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { istio-injection: enabled } }
---
${renderDeployment().replace('name: api }', 'name: api, namespace: shop }')}${service('grpc').replace('name: api }', 'name: api, namespace: shop }')}`,
    },
    { name: 'a port of the sidecar of a mesh', yaml: renderDeployment() + service('http-envoy-prom') },
    { name: 'no pods in view', yaml: service('grpc') },
  ],
  invalid: [
    {
      yaml: renderDeployment() + service('htttp'),
      findings: [
        {
          messageId: 'refused',
          severity: 'error',
          path: 'spec.ports[0].targetPort',
          data: { service: 'Service api', port: 'htttp (TCP)', number: 80, named: ['http (TCP)'], nearest: 'http (TCP)' },
        },
      ],
    },
    {
      name: 'the protocol differs',
      yaml:
        renderDeployment(LABELS, '[{ name: dns, containerPort: 53, protocol: UDP }]') +
        renderService(
          `selector: ${LABELS}, ports: [{ name: dns, port: 53, targetPort: dns }, { name: u, port: 53, protocol: UDP, targetPort: dns }]`,
        ),
      findings: [{ messageId: 'refused', path: 'spec.ports[0].targetPort' }],
    },
    {
      name: 'only an init container has it, which has ended',
      yaml:
        renderDeployment().replace(
          'spec: { containers',
          'spec: { initContainers: [{ name: setup, image: "setup:1", ports: [{ name: grpc, containerPort: 90 }] }], containers',
        ) + service('grpc'),
      findings: [{ messageId: 'refused', data: { service: 'Service api', port: 'grpc (TCP)', number: 80, named: ['http (TCP)'] } }],
    },
    {
      name: 'a Deployment without replicas',
      yaml: renderDeployment().replace('replicas: 3', 'replicas: 0') + service('grpc'),
      findings: [{ messageId: 'refused' }],
    },
    {
      name: 'a headless Service',
      yaml: renderDeployment() + service('grpc', 'clusterIP: None,'),
      findings: [{ messageId: 'headless', severity: 'warning' }],
    },
  ],
});
