import { childPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { message, rule } from '../../core/finding';
import { isFields } from '../../core/manifest';
import { seen, show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import type { Review } from '../review';

interface ContainerData {
  /** Its name, or its place among the containers where it has none. */
  readonly container: Seen;
}

const ADVICE = 'Add a readinessProbe that succeeds only when the application can serve.';

/** A container whose readiness nobody checks. */
export const noReadinessProbe = rule({
  code: 'kubernetes/no-readiness-probe',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A container of a workload that updates by rolling has no readiness probe.',
  why:
    'Without one a pod counts as ready as soon as its containers run, so the rollout does not wait for the application ' +
    'and takes the old pods away too early. With a startup probe it waits for that to succeed once, and for nothing afterwards.',
  fix: 'Give the container a `readinessProbe` that succeeds only when it can serve.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  template:
    spec:
      containers:
        - name: web
          image: web:2
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  template:
    spec:
      containers:
        - name: web
          image: web:2
          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
`,
  messages: {
    none: message<ContainerData>({
      text: ({ container }) =>
        `Container ${show(container)} has no readiness probe: it counts as ready as soon as it runs, so the rollout goes on before the application can serve.`,
      help: () => ADVICE,
      sample: { container: 'web' },
      variants: [{ container: 2 }],
    }),
    startupOnly: message<ContainerData>({
      text: ({ container }) =>
        `Container ${show(container)} has no readiness probe: it counts as ready for good once its startup probe has succeeded, ` +
        'so the rollout waits for its start and for nothing after it.',
      help: () => ADVICE,
      sample: { container: 'web' },
    }),
  },
});

/**
 * One finding a container without readiness probe.
 *
 * Source: k/k pkg/kubelet/prober/prober_manager.go, `UpdatePodStatus`.
 */
export function readinessFindings({ containers }: Review): Finding[] {
  return containers.flatMap(({ value, path, getsProbe }, index) => {
    if (getsProbe || !isFields(value) || isFields(value.readinessProbe)) return [];
    const data = { container: seen(value.name ?? index) };
    return [
      noReadinessProbe.finding(isFields(value.startupProbe) ? 'startupOnly' : 'none', { path: childPath(path, 'readinessProbe'), data }),
    ];
  });
}
