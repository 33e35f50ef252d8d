import { canaryWithoutTraffic } from '../../../../src/systems/kserve/rules/canary-without-traffic';
import { renderCanaryService } from '../../../../src/systems/kserve/rules/examples';
import { testRule } from '../../../rule-tester';

const SERVICE = renderCanaryService().replace(/^#.*\n/, '');

const config = (ingress: string) => `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: inferenceservice-config
  namespace: kserve
data:
  deploy: '{"defaultDeploymentMode": "Standard"}'
  ingress: '${ingress}'
`;

testRule(canaryWithoutTraffic, {
  valid: [
    { name: 'a version that drops the field', yaml: SERVICE, versions: { kserve: '0.19' } },
    {
      name: 'a later version with the Gateway API, which splits the requests',
      yaml: `${SERVICE}${config('{"enableGatewayApi": true}')}`,
      versions: { kserve: '0.21' },
    },
  ],
  invalid: [
    {
      name: 'KServe 0.20 sends a canary nothing',
      yaml: SERVICE,
      versions: { kserve: '0.20' },
      findings: [
        {
          messageId: 'none',
          severity: 'warning',
          path: 'spec.canary[0].trafficPercent',
          data: { canary: 'v2', percent: 25, version: '0.20' },
        },
      ],
    },
    {
      name: 'a later version with an Ingress',
      yaml: `${SERVICE}${config('{"ingressGateway": "a/b"}')}`,
      versions: { kserve: '0.21' },
      findings: [{ messageId: 'ingress', severity: 'warning' }],
    },
    {
      name: 'a later version that creates no route',
      yaml: `${SERVICE}${config('{"enableGatewayApi": true, "disableIngressCreation": true}')}`,
      versions: { kserve: '0.21' },
      findings: [{ messageId: 'noRoute', severity: 'warning' }],
    },
    {
      name: 'a later version, if the ConfigMap is not known',
      yaml: SERVICE,
      versions: { kserve: '0.21' },
      findings: [{ messageId: 'gateway', severity: 'info' }],
    },
  ],
});
