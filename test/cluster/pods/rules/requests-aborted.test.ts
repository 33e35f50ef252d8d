import { requestsAborted } from '../../../../src/cluster/pods/rules/requests-aborted';
import { toFieldPath } from '../../../../src/core/manifest/field-path';
import { testRule } from '../../../rule-tester';
import { SERVICE, deployment } from './server-deployment';

testRule(requestsAborted, {
  valid: [
    { name: 'no Service', yaml: deployment('image: vllm/vllm-openai:v0.18.0') },
    { name: 'the flag', yaml: deployment('command: [vllm, serve, m, --shutdown-timeout, "20"]') + SERVICE },
    { name: 'arguments that the manifest does not show', yaml: deployment('image: vllm/vllm-openai:v0.18.0, args: [$(ARGS)]') + SERVICE },
    { name: 'an image that may start anything', yaml: deployment('image: registry.example/vllm:1') + SERVICE },
  ],
  invalid: [
    {
      yaml: deployment('image: vllm/vllm-openai:v0.11.0, args: [--model, m]') + SERVICE,
      findings: [
        {
          messageId: 'aborts',
          severity: 'warning',
          path: 'spec.template.spec.containers[0].args',
          data: { server: 'vLLM', option: '--shutdown-timeout', optionSince: '0.18.0', service: 'model' },
        },
      ],
    },
    {
      name: 'a server that is told not to wait',
      yaml: deployment('command: [gunicorn, app, --graceful-timeout, "0"]') + SERVICE,
      findings: [{ messageId: 'aborts', data: { server: 'gunicorn', option: '--graceful-timeout', service: 'model' } }],
    },
  ],
});

test('the advice names a version of vLLM only for vLLM', () => {
  const helpFor = (server: string, option: string, optionSince?: string) => {
    const data = { server, option, service: 'model', ...(optionSince !== undefined && { optionSince }) };
    return requestsAborted.createFinding('aborts', { path: toFieldPath`spec`, data }).help;
  };
  expect([helpFor('vLLM', '--shutdown-timeout', '0.18.0'), helpFor('gunicorn', '--graceful-timeout')]).toEqual([
    'Set --shutdown-timeout (vLLM 0.18.0 or later) below terminationGracePeriodSeconds less the seconds of the preStop hook.',
    'Set --graceful-timeout below terminationGracePeriodSeconds less the seconds of the preStop hook.',
  ]);
});
