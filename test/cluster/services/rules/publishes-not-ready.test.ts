import { publishesNotReady } from '../../../../src/cluster/services/rules/publishes-not-ready';
import { testRule } from '../../../rule-tester';
import { renderDeployment, renderService } from './manifests';

const service = (spec: string) => renderService(`selector: { app: shop }, ${spec} ports: [{ port: 80 }]`);

testRule(publishesNotReady, {
  valid: [
    { name: 'only ready pods', yaml: renderDeployment() + service('') },
    { name: 'a headless Service', yaml: renderDeployment() + service('publishNotReadyAddresses: true, clusterIP: None,') },
  ],
  invalid: [
    {
      yaml: renderDeployment() + service('publishNotReadyAddresses: true,'),
      findings: [{ messageId: 'requests', severity: 'info', path: 'spec.publishNotReadyAddresses', data: { service: 'Service api' } }],
    },
  ],
});
