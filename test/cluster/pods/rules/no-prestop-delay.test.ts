import { noPrestopDelay } from '../../../../src/cluster/pods/rules/no-prestop-delay';
import { testRule } from '../../../rule-tester';

const SERVICE = `---
apiVersion: v1
kind: Service
metadata: { name: model }
spec: { selector: { app: model }, ports: [{ port: 80, targetPort: 8000 }] }
`;

const deployment = (container: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: model }
spec:
  replicas: 2
  selector: { matchLabels: { app: model } }
  template:
    metadata: { labels: { app: model } }
    spec:
      containers: [{ name: server, ports: [{ containerPort: 8000 }], readinessProbe: { httpGet: { port: 8000 } }, ${container.includes('image:') ? '' : 'image: "model:1", '}${container} }]
`;

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
