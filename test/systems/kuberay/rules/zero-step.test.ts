import { withUpgradeOption } from '../../../../src/systems/kuberay/rules/examples';
import { zeroStep } from '../../../../src/systems/kuberay/rules/zero-step';
import { testRule } from '../../../rule-tester';

testRule(zeroStep, {
  valid: [
    { name: 'a small step', yaml: withUpgradeOption('stepSizePercent: 5', 'stepSizePercent: 1') },
    {
      name: 'no surge, which kuberay/zero-surge reports',
      yaml: withUpgradeOption('maxSurgePercent: 20\n      stepSizePercent: 5', 'maxSurgePercent: 0\n      stepSizePercent: 0'),
    },
  ],
  invalid: [
    {
      name: 'a step of 0',
      yaml: withUpgradeOption('stepSizePercent: 5', 'stepSizePercent: 0'),
      findings: [
        {
          messageId: 'neverMoves',
          severity: 'error',
          path: 'spec.upgradeStrategy.clusterUpgradeOptions.stepSizePercent',
          data: { maxSurgePercent: 20 },
        },
      ],
    },
  ],
});
