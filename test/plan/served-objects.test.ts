import { planManifests } from '../../src/plan/plan';
import { sound } from '../sound-workload';

function planOf(version: string, ...objects: readonly { apiVersion: string; kind: string }[]) {
  const named = objects.map((object) => ({ ...object, metadata: { name: 'web' } }));
  const { rollouts, findings, notPlanned } = planManifests(named, { versions: { kubernetes: version } });
  return {
    rollouts: rollouts.length,
    notPlanned,
    findings: findings.map(({ code, severity, messageId, data, path }) => ({ code, severity, messageId, data, path })),
  };
}

describe('kubernetes/removed-api', () => {
  test.each([
    ['extensions/v1beta1', 'Deployment', '1.34', { until: '1.16', served: 'apps/v1' }],
    ['apps/v1beta2', 'StatefulSet', '1.34', { until: '1.16', served: 'apps/v1' }],
    ['apps/v2', 'Deployment', '1.34', { served: 'apps/v1' }],
    ['policy/v1beta1', 'PodDisruptionBudget', '1.25', { until: '1.25', served: 'policy/v1' }],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', '1.26', { until: '1.26', served: 'autoscaling/v2' }],
    ['autoscaling/v2', 'HorizontalPodAutoscaler', '1.22', { since: '1.23', served: 'autoscaling/v1' }],
    ['batch/v2', 'Job', '1.36', { served: 'batch/v1' }],
    ['batch/v1beta1', 'CronJob', '1.25', { until: '1.25', served: 'batch/v1' }],
    ['networking.k8s.io/v1beta1', 'Ingress', '1.22', { until: '1.22', served: 'networking.k8s.io/v1' }],
    ['rbac.authorization.k8s.io/v1beta1', 'RoleBinding', '1.36', { until: '1.22', served: 'rbac.authorization.k8s.io/v1' }],
    [
      'admissionregistration.k8s.io/v1beta1',
      'ValidatingWebhookConfiguration',
      '1.36',
      { until: '1.22', served: 'admissionregistration.k8s.io/v1' },
    ],
    ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', '1.36', { until: '1.22', served: 'apiextensions.k8s.io/v1' }],
    ['v2', 'ConfigMap', '1.36', { served: 'v1' }],
  ])('%s %s is refused by %s, with the served version', (apiVersion, kind, version, why) => {
    const data = { apiVersion, kind, name: 'web', version, ...why };
    expect(planOf(version, { apiVersion, kind })).toEqual({
      rollouts: 0,
      notPlanned: [],
      findings: [{ code: 'kubernetes/removed-api', severity: 'error', messageId: 'notServed', data, path: 'apiVersion' }],
    });
  });

  test.each([
    ['policy/v1beta1', 'PodDisruptionBudget', '1.24'],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', '1.25'],
    ['autoscaling/v1', 'HorizontalPodAutoscaler', '1.34'],
    ['apps.kruise.io/v1beta1', 'StatefulSet', '1.34'],
    ['batch/v1beta1', 'CronJob', '1.24'],
    ['serving.knative.dev/v1', 'Service', '1.36'],
    ['batch.volcano.sh/v1alpha1', 'Job', '1.36'],
    ['builtin', 'ConfigMapGenerator', '1.36'],
  ])('is silent for %s %s in %s', (apiVersion, kind, version) => {
    expect(planOf(version, { apiVersion, kind }).findings.filter(({ code }) => code === 'kubernetes/removed-api')).toEqual([]);
  });

  test('is no context of other objects', () => {
    const web = sound({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
      },
    });
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
    };
    const codes = (version: string) =>
      planManifests([web, { ...budget, apiVersion: version }]).rollouts[0]!.findings.map(({ code }) => code);
    expect(codes('policy/v1')).toContain('kubernetes/pdb-blocks-eviction');
    expect(codes('policy/v1beta1')).not.toContain('kubernetes/pdb-blocks-eviction');
  });
});

describe('kubernetes/unknown-kind', () => {
  test.each([
    ['apps/v1', 'deployment', { suggestion: 'Deployment' }],
    ['apps/v1', 'Deploymnet', { suggestion: 'Deployment' }],
    ['v1', 'Deployment', { suggestion: 'Deployment', group: 'apps' }],
    ['apps/v1', 'Pod', { suggestion: 'Pod', group: '' }],
    ['apps', 'Deployment', { suggestion: 'Deployment', group: 'apps' }],
    ['v1', 'NotAList', {}],
    ['app/v1', 'Deployment', { suggestion: 'Deployment', group: 'apps' }],
    ['Apps/v1', 'statefulset', { suggestion: 'StatefulSet', group: 'apps' }],
    ['policy/v1', 'PodDisruptionBudgets', { suggestion: 'PodDisruptionBudget' }],
    ['serving.kserve.io/v1beta1', 'InferenceSevice', { suggestion: 'InferenceService' }],
    ['ray.io/v1', 'Rayservice', { suggestion: 'RayService' }],
  ])('%s %s is refused, and the likely kind is suggested', (apiVersion, kind, meant) => {
    expect(planOf('1.34', { apiVersion, kind })).toEqual({
      rollouts: 0,
      notPlanned: [],
      findings: [
        { code: 'kubernetes/unknown-kind', severity: 'error', messageId: 'noSuchKind', data: { apiVersion, kind, ...meant }, path: 'kind' },
      ],
    });
  });

  test.each([
    ['v1', 'Service'],
    ['v1', 'ServiceList'],
    ['apps/v1', 'ControllerRevision'],
    ['fleet.cattle.io/v1alpha1', 'BundleDeployment'],
    ['toys.example.com/v1', 'deployment'],
    ['batch/v1', 'CronJob'],
    ['v1', 'Config'],
    ['skaffold/v4beta6', 'Config'],
    // Objects of kustomize and ksonnet, objects that describe the API server, and OpenShift's first API.
    ['builtin', 'LabelTransformer'],
    ['0.1.0', 'ksonnet.io/app'],
    ['v1', 'APIResourceList'],
    ['v1', 'ImageStream'],
  ])('is silent for %s %s', (apiVersion, kind) => {
    expect(planOf('1.34', { apiVersion, kind }).findings).toEqual([]);
  });
});
