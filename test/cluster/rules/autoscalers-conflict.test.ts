import { autoscalersConflict } from '../../../src/cluster/rules/autoscalers-conflict';
import { testRule } from '../../rule-tester';

function deployment(name: string, labels: string): string {
  return `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { ${labels} } }, spec: { containers: [{ name: app, image: app:1 }] } }
`;
}

function hpa(name: string, target = 'web'): string {
  return `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: ${name} }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: ${target} }, maxReplicas: 9 }
`;
}

function scaledObject(annotations = ''): string {
  return `---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: { name: web${annotations} }
spec: { scaleTargetRef: { name: web } }
`;
}

/** A Deployment that selects only its own pods, which have the labels of `web` too. */
function canary(name: string, selector = 'matchLabels: { track: canary }'): string {
  return deployment(name, 'app: web, track: canary').replace('matchLabels: { app: web }', selector);
}

const TAKING_OVER = scaledObject(', annotations: { scaledobject.keda.sh/transfer-hpa-ownership: "true" }').replace(
  'spec: {',
  'spec: { advanced: { horizontalPodAutoscalerConfig: { name: web } },',
);

const WEB = deployment('web', 'app: web');

testRule(autoscalersConflict, {
  valid: [
    { name: 'a ScaledObject that takes over the autoscaler of the workload', yaml: WEB + hpa('web') + TAKING_OVER },
    {
      name: 'two autoscalers of two workloads',
      yaml: WEB + deployment('api', 'app: api').replace('app: web', 'app: api') + hpa('web') + hpa('api', 'api'),
    },
    {
      name: 'the primary of Flagger, whose pods have a label of their own',
      yaml:
        WEB +
        deployment('web-primary', 'app: web-primary').replace('app: web', 'app: web-primary') +
        hpa('web') +
        hpa('web-primary', 'web-primary'),
    },
    {
      name: 'a paused ScaledObject, which has no autoscaler',
      yaml: WEB + hpa('web') + scaledObject(', annotations: { autoscaling.keda.sh/paused-replicas: "2" }'),
    },
  ],
  invalid: [
    {
      name: 'a ScaledObject that takes over an autoscaler of another name',
      yaml: WEB + hpa('web') + TAKING_OVER.replace('name: web }', 'name: other }'),
      findings: [{ messageId: 'same-target-keda' }],
    },
    {
      name: 'three autoscalers of one workload, each reported once',
      yaml: WEB + hpa('a') + hpa('b') + hpa('c'),
      findings: [
        {
          messageId: 'same-target',
          path: 'spec.scaleTargetRef',
          data: { autoscaler: 'HorizontalPodAutoscaler "b"', others: ['HorizontalPodAutoscaler "a"'], target: 'Deployment "web"' },
        },
        {
          messageId: 'same-target',
          data: {
            autoscaler: 'HorizontalPodAutoscaler "c"',
            others: ['HorizontalPodAutoscaler "a"', 'HorizontalPodAutoscaler "b"'],
            target: 'Deployment "web"',
          },
        },
      ],
    },
    {
      name: 'an autoscaler next to a ScaledObject',
      yaml: WEB + hpa('web') + scaledObject(),
      findings: [
        {
          messageId: 'same-target-keda',
          data: { autoscaler: 'ScaledObject "web"', others: ['HorizontalPodAutoscaler "web"'], target: 'Deployment "web"' },
        },
      ],
    },
    {
      name: 'bounds that exclude each other, which each controller writes in turn',
      yaml: WEB + hpa('a').replace('maxReplicas: 9', 'maxReplicas: 2') + hpa('b').replace('max', 'minReplicas: 5, max') + hpa('c'),
      findings: [
        {
          messageId: 'bounds-exclude',
          severity: 'error',
          data: {
            autoscaler: 'HorizontalPodAutoscaler "b"',
            minimum: 5,
            maximum: 9,
            other: 'HorizontalPodAutoscaler "a"',
            otherMinimum: 1,
            otherMaximum: 2,
            target: 'Deployment "web"',
            isKeda: false,
          },
        },
        { messageId: 'same-target', severity: 'warning' },
      ],
    },
    {
      name: 'a ScaledObject whose bounds exclude those of an autoscaler',
      yaml:
        WEB +
        hpa('web').replace('max', 'minReplicas: 5, max') +
        scaledObject().replace('{ scaleTargetRef', '{ maxReplicaCount: 3, scaleTargetRef'),
      findings: [
        {
          messageId: 'bounds-exclude',
          severity: 'error',
          data: {
            autoscaler: 'ScaledObject "web"',
            minimum: 1,
            maximum: 3,
            other: 'HorizontalPodAutoscaler "web"',
            otherMinimum: 5,
            otherMaximum: 9,
            target: 'Deployment "web"',
            isKeda: true,
          },
        },
      ],
    },
    {
      name: 'a selector that also selects the pods of another workload',
      yaml: WEB + deployment('web-canary', 'app: web, track: canary') + hpa('web') + hpa('web-canary', 'web-canary'),
      findings: [{ messageId: 'same-pods' }],
    },
    ...['alpha', 'zeta'].map((name) => ({
      name: `a selector of one of two workloads, whose autoscaler comes ${name < 'web' ? 'last' : 'first'}`,
      yaml: WEB + canary(name) + hpa('web') + hpa(name, name),
      findings: [
        {
          messageId: 'same-pods' as const,
          data: {
            autoscaler: `HorizontalPodAutoscaler "${name < 'web' ? 'web' : name}"`,
            others: [`HorizontalPodAutoscaler "${name < 'web' ? name : 'web'}"`],
            target: 'Deployment "web"',
            otherTarget: `Deployment "${name}"`,
          },
        },
      ],
    })),
    {
      name: 'a selector with an expression, reported with the first autoscaler that it overlaps',
      yaml:
        canary('first') +
        canary('second', 'matchLabels: { app: none }') +
        canary('third', 'matchExpressions: [{ key: track, operator: Exists }]') +
        hpa('first', 'first') +
        hpa('second', 'second') +
        hpa('third', 'third'),
      findings: [
        {
          messageId: 'same-pods',
          data: {
            autoscaler: 'HorizontalPodAutoscaler "second"',
            others: ['HorizontalPodAutoscaler "first"'],
            target: 'Deployment "first"',
            otherTarget: 'Deployment "second"',
          },
        },
        {
          messageId: 'same-pods',
          data: {
            autoscaler: 'HorizontalPodAutoscaler "third"',
            others: ['HorizontalPodAutoscaler "first"'],
            target: 'Deployment "third"',
            otherTarget: 'Deployment "first"',
          },
        },
      ],
    },
  ],
});
