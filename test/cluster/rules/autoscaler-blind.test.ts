import { autoscalerBlind } from '../../../src/cluster/rules/autoscaler-blind';
import { testRule } from '../../rule-tester';

function deployment(sidecar: string, list = 'containers'): string {
  const app = '{ name: app, image: app:1, resources: { requests: { cpu: 100m } } }';
  const containers = list === 'containers' ? `containers: [${app}, ${sidecar}]` : `containers: [${app}], ${list}: [${sidecar}]`;
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { ${containers} } }
`;
}

function hpa(metric: string, others = ''): string {
  return `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web, namespace: shop }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, maxReplicas: 9, metrics: [${metric}${others}] }
`;
}

const UTILIZATION = '{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 70 } } }';
const OWN_CONTAINER =
  '{ type: ContainerResource, containerResource: { name: cpu, container: app, target: { type: Utilization, averageUtilization: 70 } } }';
const AVERAGE = '{ type: Resource, resource: { name: cpu, target: { type: AverageValue, averageValue: 1 } } }';
const SIDECAR = '{ name: sidecar, image: sidecar:1 }';
const LIMITED = '{ name: sidecar, image: sidecar:1, resources: { limits: { cpu: 1 } } }';
const LIMIT_RANGE = `---
apiVersion: v1
kind: LimitRange
metadata: { name: defaults, namespace: shop }
spec: { limits: [{ type: Container, defaultRequest: { cpu: 100m } }] }
`;

testRule(autoscalerBlind, {
  valid: [
    { name: 'a metric of the container that requests it', yaml: deployment(SIDECAR) + hpa(OWN_CONTAINER) },
    { name: 'an average value', yaml: deployment(SIDECAR) + hpa(AVERAGE) },
    { name: 'a limit, which is the default of the request', yaml: deployment(LIMITED) + hpa(UTILIZATION) },
    { name: 'a LimitRange that fills it in', yaml: deployment(SIDECAR) + LIMIT_RANGE + hpa(UTILIZATION) },
    { name: 'an init container that ends', yaml: deployment(SIDECAR, 'initContainers') + hpa(UTILIZATION) },
  ],
  invalid: [
    {
      name: 'a metric of a container that the target does not have, with any type of target',
      yaml:
        deployment(SIDECAR) +
        hpa(
          '{ type: ContainerResource, containerResource: { name: cpu, container: main, target: { type: AverageValue, averageValue: 1 } } }',
        ),
      findings: [
        {
          messageId: 'missing-container',
          path: 'spec.metrics[0]',
          data: {
            autoscaler: 'HorizontalPodAutoscaler "web"',
            target: 'Deployment "web"',
            resource: 'cpu',
            container: 'main',
            containers: ['app', 'sidecar'],
            hasOtherMetrics: false,
          },
        },
      ],
    },
    {
      name: 'an autoscaler without metrics, whose default is the cpu utilization',
      yaml: `${deployment(SIDECAR)}---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web, namespace: shop }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, maxReplicas: 9 }
`,
      findings: [
        {
          messageId: 'missing-request',
          path: 'spec',
          data: {
            autoscaler: 'HorizontalPodAutoscaler "web"',
            target: 'Deployment "web"',
            resource: 'cpu',
            containers: ['sidecar'],
            hasOtherMetrics: false,
            isDefault: true,
          },
        },
      ],
    },
    {
      name: 'a container without the request',
      yaml: deployment(SIDECAR) + hpa(UTILIZATION),
      findings: [
        {
          messageId: 'missing-request',
          path: 'spec.metrics[0]',
          data: {
            autoscaler: 'HorizontalPodAutoscaler "web"',
            target: 'Deployment "web"',
            resource: 'cpu',
            containers: ['sidecar'],
            hasOtherMetrics: false,
            isDefault: false,
          },
        },
      ],
    },
    {
      name: 'a sidecar among the init containers, next to another metric',
      yaml: deployment('{ name: sidecar, image: sidecar:1, restartPolicy: Always }', 'initContainers') + hpa(UTILIZATION, `, ${AVERAGE}`),
      findings: [
        {
          messageId: 'missing-request',
          data: {
            autoscaler: 'HorizontalPodAutoscaler "web"',
            target: 'Deployment "web"',
            resource: 'cpu',
            containers: ['sidecar'],
            hasOtherMetrics: true,
            isDefault: false,
          },
        },
      ],
    },
    {
      name: 'a trigger of KEDA',
      yaml: `${deployment(SIDECAR)}---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: { name: web, namespace: shop }
spec: { scaleTargetRef: { name: web }, triggers: [{ type: memory, metadata: { value: "70" } }] }
`,
      findings: [
        {
          messageId: 'missing-request',
          data: {
            autoscaler: 'ScaledObject "web"',
            target: 'Deployment "web"',
            resource: 'memory',
            containers: ['app', 'sidecar'],
            hasOtherMetrics: false,
            isDefault: false,
          },
        },
      ],
    },
  ],
});
