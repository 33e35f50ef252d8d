import { suggestManualFix } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { RuleContext } from '../../rule-context';

/** Reports a Deployment that is paused, so that nothing rolls out. */
export const paused = defineRule({
  code: 'kubernetes/paused',
  since: '0.1.0',
  severity: 'info',
  fires: 'The Deployment is paused.',
  why:
    'The controller does not roll out changes while `spec.paused` is true. It only scales the existing ReplicaSets, ' +
    'so there is nothing to simulate.',
  fix: 'Delete `spec.paused`, or run `kubectl rollout resume`.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  paused: true
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  messages: {
    paused: defineMessage<object>({
      text: () => 'paused is true: nothing rolls out until the Deployment is resumed, so there is nothing to simulate.',
      help: () => 'To roll it out, delete spec.paused or run kubectl rollout resume. Plan it without spec.paused first.',
      suggestedFix: () => suggestManualFix(),
      sample: {},
    }),
  },
});

/** Reports that nothing rolls out while a Deployment is paused. */
export function checkPaused({ isPaused }: RuleContext): Finding[] {
  return isPaused ? [paused.createFinding('paused', { path: toFieldPath`spec.paused`, data: {} })] : [];
}
