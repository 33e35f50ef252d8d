import { terminationTooShort } from '../../../../src/cluster/pods/rules/termination-too-short';
import { testRule } from '../../../rule-tester';
import { deployment } from './server-deployment';

const GRACE_PATH = 'spec.template.spec.terminationGracePeriodSeconds';

testRule(terminationTooShort, {
  valid: [
    { name: 'the drain fits', yaml: deployment('command: [vllm, serve, m, --shutdown-timeout, "30"]') },
    {
      name: 'a server without a limit',
      yaml: deployment('command: [uvicorn, "main:app"], lifecycle: { preStop: { sleep: { seconds: 20 } } }'),
    },
    {
      name: 'the kubelet leaves 2 s after a hook that takes the entire grace period',
      yaml: deployment('command: [vllm, serve, m, --shutdown-timeout, "2"], lifecycle: { preStop: { sleep: { seconds: 30 } } }'),
    },
    {
      name: 'a script that may never sleep, or that goes on while it sleeps',
      yaml: deployment(
        'image: "web:1", lifecycle: { preStop: { exec: { command: [sh, -c, "test -f /slow && sleep 60"] } } } }, { name: other, image: "web:1", lifecycle: { preStop: { exec: { command: [sh, -c, "sleep 60 & sleep 5"] } } }',
      ),
    },
    {
      name: 'a pod that is killed at once',
      yaml: deployment('image: "web:1" }]\n      terminationGracePeriodSeconds: 0\n      volumes: [{ name: v'),
    },
    { name: 'a server that aborts', yaml: deployment('image: vllm/vllm-openai:v0.18.0') },
    { name: 'a flag that the manifest does not show', yaml: deployment('command: [sh, -c, "vllm serve m $ARGS"]') },
    {
      name: 'a hook that the manifest does not show',
      yaml: deployment('command: [gunicorn, app], lifecycle: { preStop: { exec: { command: [/drain.sh] } } }'),
    },
  ],
  invalid: [
    {
      name: 'the flag of vLLM',
      yaml: deployment('command: [vllm, serve, m, --shutdown-timeout, "60"], lifecycle: { preStop: { sleep: { seconds: 5 } } }'),
      findings: [
        {
          messageId: 'drain',
          severity: 'warning',
          path: GRACE_PATH,
          data: { limit: '--shutdown-timeout', drainSeconds: 60, graceSeconds: 30, preStopSeconds: 5, leftSeconds: 25 },
        },
      ],
    },
    {
      name: 'a hook that takes the entire grace period',
      yaml: deployment('command: [vllm, serve, m, --shutdown-timeout, "60"], lifecycle: { preStop: { sleep: { seconds: 30 } } }'),
      findings: [
        {
          messageId: 'drain',
          data: { limit: '--shutdown-timeout', drainSeconds: 60, graceSeconds: 30, preStopSeconds: 30, leftSeconds: 2 },
        },
      ],
    },
    {
      name: 'a hook that is not known only makes it worse',
      yaml: deployment('command: [gunicorn, app, --graceful-timeout, "90"], lifecycle: { preStop: { exec: { command: [/drain.sh] } } }'),
      findings: [{ messageId: 'drain', severity: 'warning' }],
    },
    {
      name: 'the default of a server is an info',
      yaml: deployment('command: [tritonserver], lifecycle: { preStop: { sleep: { seconds: 5 } } }'),
      findings: [{ messageId: 'drain', severity: 'info' }],
    },
    {
      name: 'a sidecar that exits before the server has drained',
      yaml: deployment(
        'image: "model:1", command: [vllm, serve, m, --shutdown-timeout, "20"], lifecycle: { preStop: { sleep: { seconds: 5 } } } }, { name: istio-proxy, image: "istio/proxyv2:1.27.0"',
      ),
      findings: [
        {
          messageId: 'sidecar',
          severity: 'warning',
          path: 'spec.template.spec.containers[1]',
          data: { limit: '--shutdown-timeout', drainSeconds: 20, sidecarSeconds: 5, preStopSeconds: 5 },
        },
      ],
    },
    {
      name: 'a hook that takes the entire grace period, of a server without a limit',
      yaml: deployment('command: [uvicorn, "main:app"], lifecycle: { preStop: { sleep: { seconds: 30 } } }'),
      findings: [{ messageId: 'hook', path: GRACE_PATH, data: { container: 'server', graceSeconds: 30, preStopSeconds: 30 } }],
    },
    {
      name: 'a hook that sleeps twice',
      yaml: deployment('lifecycle: { preStop: { exec: { command: [sh, -c, "sleep 10 && sleep 25"] } } }'),
      findings: [{ messageId: 'hook', data: { container: 'server', graceSeconds: 30, preStopSeconds: 35 } }],
    },
    {
      name: 'the hook of a second container, which does something else afterwards',
      yaml: deployment(
        'image: "web:1", lifecycle: { preStop: { sleep: { seconds: 5 } } } }, { name: proxy, image: "proxy:1", lifecycle: { preStop: { exec: { command: [sh, -c, "sleep 40; /quit"] } } }',
      ),
      findings: [{ messageId: 'hook', data: { container: 'proxy', graceSeconds: 30, preStopSeconds: 40 } }],
    },
    {
      name: 'the hook of a sidecar among the init containers, which starts together with the others',
      yaml: deployment(
        'image: "web:1", lifecycle: { preStop: { sleep: { seconds: 5 } } } }]\n      initContainers: [{ name: proxy, image: "proxy:1", restartPolicy: Always, lifecycle: { preStop: { sleep: { seconds: 30 } } }',
      ),
      findings: [{ messageId: 'hook', data: { container: 'proxy', graceSeconds: 30, preStopSeconds: 30 } }],
    },
    {
      name: 'a hook that is cut',
      yaml: deployment('image: "web:1", lifecycle: { preStop: { exec: { command: [sleep, "60"] } } }'),
      findings: [
        { messageId: 'hook', severity: 'warning', path: GRACE_PATH, data: { container: 'server', graceSeconds: 30, preStopSeconds: 60 } },
      ],
    },
  ],
});
