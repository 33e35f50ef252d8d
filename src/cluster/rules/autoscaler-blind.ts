import { defineMessage, defineRule } from '../../core/findings/finding';
import { pluralize } from '../../core/text/text-format';

interface BlindData {
  /** `HorizontalPodAutoscaler "web"` */
  readonly autoscaler: string;
  /** `Deployment "web"` */
  readonly target: string;
  /** `cpu` or `memory` */
  readonly resource: string;
  /** Names of the containers without the request. */
  readonly containers: readonly string[];
  /** Whether the autoscaler has other metrics. */
  readonly hasOtherMetrics: boolean;
  /** Whether the autoscaler names no metric, so that the API server sets the cpu utilization. */
  readonly isDefault: boolean;
}

interface MissingContainerData {
  /** `HorizontalPodAutoscaler "web"` */
  readonly autoscaler: string;
  /** `Deployment "web"` */
  readonly target: string;
  /** `cpu` or `memory` */
  readonly resource: string;
  /** Name of the container that the metric is about. */
  readonly container: string;
  /** Names of the containers of the target. */
  readonly containers: readonly string[];
  /** Whether the autoscaler has other metrics. */
  readonly hasOtherMetrics: boolean;
}

function describeEffect(hasOtherMetrics: boolean): string {
  return hasOtherMetrics ? 'the autoscaler no longer scales down.' : 'the autoscaler computes nothing and keeps the number of pods.';
}

function render(resources: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: web:1
          readinessProbe: { tcpSocket: { port: 80 } }
          resources: { requests: { cpu: 100m } }
        - name: sidecar
          image: sidecar:1
${resources}---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 3
  maxReplicas: 9
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 70 } } }]
`;
}

/** An autoscaler that cannot compute a utilization. */
export const autoscalerBlind = defineRule({
  code: 'kubernetes/autoscaler-blind',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'A metric targets the utilization of a resource (by default 80% of cpu), and a container of the target does not request that resource. Or a metric is about a container that the target does not have.',
  why:
    'Utilization is a part of what all containers of the pod request. If one of them, sidecars included, requests none, the autoscaler computes nothing (FailedGetResourceMetric) ' +
    'and leaves the number of pods as it is. With other metrics it only scales up. Source: k/k podautoscaler/replica_calculator.go.',
  fix: 'Set the request in every container, use a metric of type ContainerResource for the container that matters, or target an AverageValue.',
  example: render(''),
  fixedExample: render('          resources: { requests: { cpu: 10m } }\n'),
  messages: {
    'missing-container': defineMessage<MissingContainerData>({
      text: ({ autoscaler, target, resource, container, hasOtherMetrics }) =>
        `${autoscaler} targets the ${resource} of container "${container}", but ${target} has no such container: ${describeEffect(hasOtherMetrics)}`,
      help: ({ containers }) => `Write the name of one of its containers (${containers.join(', ')}), unless a webhook adds the container.`,
      sample: {
        autoscaler: 'HorizontalPodAutoscaler "web"',
        target: 'Deployment "web"',
        resource: 'cpu',
        container: 'app',
        containers: ['web', 'sidecar'],
        hasOtherMetrics: false,
      },
    }),
    'missing-request': defineMessage<BlindData>({
      text: ({ autoscaler, target, resource, containers, hasOtherMetrics, isDefault }) =>
        `${autoscaler} ${isDefault ? 'names no metric and therefore targets' : 'targets'} the ${resource} utilization of ${target}, but ${pluralize(containers.length, 'container')} ${containers.length === 1 ? 'does' : 'do'} not request ${resource} (${containers.join(', ')}): ` +
        describeEffect(hasOtherMetrics),
      help: ({ resource, containers }) =>
        `Write resources.requests.${resource} for ${containers.map((name) => `container "${name}"`).join(' and ')}.`,
      sample: {
        autoscaler: 'HorizontalPodAutoscaler "web"',
        target: 'Deployment "web"',
        resource: 'cpu',
        containers: ['sidecar'],
        hasOtherMetrics: false,
        isDefault: false,
      },
      variants: [
        {
          autoscaler: 'ScaledObject "web"',
          target: 'Deployment "web"',
          resource: 'memory',
          containers: ['web', 'sidecar'],
          hasOtherMetrics: true,
          isDefault: false,
        },
        {
          autoscaler: 'HorizontalPodAutoscaler "web"',
          target: 'Deployment "web"',
          resource: 'cpu',
          containers: ['web'],
          hasOtherMetrics: false,
          isDefault: true,
        },
      ],
    }),
  },
});
