import { signalLost } from '../../../../src/cluster/pods/rules/signal-lost';
import { testRule } from '../../../rule-tester';

const SERVICE = `---
apiVersion: v1
kind: Service
metadata: { name: model }
spec: { selector: { app: model }, ports: [{ port: 80, targetPort: 8000 }] }
`;

const deployment = (container: string, pod = '') => `apiVersion: apps/v1
kind: Deployment
metadata: { name: model }
spec:
  replicas: 2
  selector: { matchLabels: { app: model } }
  template:
    metadata: { labels: { app: model } }
    spec:
      ${pod}
      containers: [{ name: server, ports: [{ containerPort: 8000 }], readinessProbe: { httpGet: { port: 8000 } }, ${container.includes('image:') ? '' : 'image: "model:1", '}${container} }]
`;

testRule(signalLost, {
  valid: [
    { name: 'exec', yaml: deployment('command: [sh, -c, "cd /app && exec node server.js"]') },
    { name: 'bash replaces itself with the last command', yaml: deployment('command: [bash, -c, "cd /app && node server.js"]') },
    { name: 'a list of words', yaml: deployment('command: [node, server.js]') },
    { name: 'a first process that passes signals on', yaml: deployment('command: [tini, --, sh, -c, "node server.js"]') },
    { name: 'a script that handles signals', yaml: deployment('command: [sh, -c, "trap stop TERM; node server.js & wait"]') },
    { name: 'a shared process namespace', yaml: deployment('command: [sh, -c, "node server.js"]', 'shareProcessNamespace: true') },
    {
      name: 'no server',
      yaml:
        deployment('command: [sh, -c, "node job.js"]').replace('ports: [{ containerPort: 8000 }], ', '') +
        SERVICE.replace('app: model', 'app: other'),
    },
  ],
  invalid: [
    {
      yaml: deployment('command: [/bin/sh, -c], args: ["node server.js"]'),
      findings: [
        {
          messageId: 'shell',
          severity: 'info',
          path: 'spec.template.spec.containers[0].command',
          data: { shell: 'sh', isEvaluated: false, graceSeconds: 30 },
        },
      ],
    },
    {
      name: 'eval in bash',
      yaml: deployment('command: [bash, -c, "eval node server.js"]', 'terminationGracePeriodSeconds: 60'),
      findings: [{ messageId: 'shell', data: { shell: 'bash', isEvaluated: true, graceSeconds: 60 } }],
    },
  ],
});
