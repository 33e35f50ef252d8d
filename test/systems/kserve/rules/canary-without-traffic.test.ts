import { canaryWithoutTraffic } from '../../../../src/systems/kserve/rules/canary-without-traffic';
import { renderCanaryService } from '../../../../src/systems/kserve/rules/examples';
import { testRule } from '../../../rule-tester';

const SERVICE = renderCanaryService().replace(/^#.*\n/, '');

testRule(canaryWithoutTraffic, {
  valid: [{ name: 'a version that drops the field', yaml: SERVICE, versions: { kserve: '0.19' } }],
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
      name: 'later versions split with the Gateway API',
      yaml: SERVICE,
      versions: { kserve: '0.21' },
      findings: [{ messageId: 'gateway', severity: 'info' }],
    },
  ],
});
