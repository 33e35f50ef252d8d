import { noPrestopDelay } from '../../../../src/cluster/pods/rules/no-prestop-delay';
import { testRule } from '../../../rule-tester';
import { SERVICE, deployment } from './server-deployment';

testRule(noPrestopDelay, {
  valid: [
    { name: 'no Service', yaml: deployment('command: [gunicorn, app]') },
    { name: 'a hook', yaml: deployment('command: [gunicorn, app], lifecycle: { preStop: { exec: { command: [/drain.sh] } } }') + SERVICE },
    { name: 'a server that is not known', yaml: deployment('image: web:1') + SERVICE },
  ],
  invalid: [
    {
      yaml: deployment('command: [gunicorn, app]') + SERVICE,
      findings: [
        {
          messageId: 'none',
          severity: 'info',
          path: 'spec.template.spec.containers[0].lifecycle.preStop',
          data: { server: 'gunicorn', service: 'model' },
        },
      ],
    },
  ],
});
