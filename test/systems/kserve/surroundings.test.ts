import type { Fields, Manifest } from '../../../src/core/manifest';
import { listed, multinodeService, plan, rolloutOf, service } from './plan';

function inNamespace(apiVersion: string, kind: string, spec: Fields): Manifest {
  return { apiVersion, kind, metadata: { name: 'limits', namespace: 'models' }, spec };
}

describe('the Deployments of a service stand among other objects', () => {
  const gpus = { modelFormat: { name: 'huggingface' }, resources: { requests: { 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '1' } } };

  test('a quota without room for one more GPU stops a rollout that must surge', () => {
    const quota = inNamespace('v1', 'ResourceQuota', { hard: { 'requests.nvidia.com/gpu': '2' } });
    const { findings } = rolloutOf(plan([service({ model: gpus, minReplicas: 2 }), quota]), 'predictor');
    expect(listed(findings)).toEqual([
      'error kubernetes/surge-needs-headroom at spec.predictor.deploymentStrategy.rollingUpdate.maxUnavailable',
    ]);
  });

  test('a disruption budget is matched by the labels that KServe gives the pods', () => {
    const budget = inNamespace('policy/v1', 'PodDisruptionBudget', {
      minAvailable: 4,
      selector: { matchLabels: { app: 'isvc.iris-predictor', component: 'predictor', 'serving.kserve.io/inferenceservice': 'iris' } },
    });
    const { findings } = rolloutOf(plan([service({ minReplicas: 4 }), budget]), 'predictor');
    expect(findings.map(({ code }) => code)).toEqual(['kubernetes/pdb-blocks-eviction']);
  });
});

/** Both ends of the predictor's autoscaler. */
function autoscaled(predictor: Fields, annotations: Record<string, string> = {}) {
  return rolloutOf(plan([service(predictor, { annotations })]), 'predictor').autoscaled;
}

describe('the autoscaler that KServe makes', () => {
  test('may move the replicas up to maxReplicas, and the rollout with them', () => {
    expect(autoscaled({ minReplicas: 2, maxReplicas: 8 })).toMatchObject({
      by: 'HorizontalPodAutoscaler "iris-predictor"',
      minimum: { replicas: 2 },
      maximum: { replicas: 8 },
    });
    const keda = { 'serving.kserve.io/autoscalerClass': 'keda' };
    expect(autoscaled({ maxReplicas: 8 }, keda)).toMatchObject({ by: 'ScaledObject "iris-predictor"', minimum: { replicas: 1 } });
  });

  test.each([
    ['there is no maxReplicas', { minReplicas: 2 }, {}],
    ['it is no more than minReplicas', { minReplicas: 2, maxReplicas: 2 }, {}],
    ['the class is none', { minReplicas: 2, maxReplicas: 8 }, { 'serving.kserve.io/autoscalerClass': 'none' }],
    ['the class is external', { minReplicas: 2, maxReplicas: 8 }, { 'serving.kserve.io/autoscalerClass': 'external' }],
  ])('moves nothing where %s', (_, predictor, annotations: Record<string, string>) => {
    expect(autoscaled(predictor, annotations)).toBeUndefined();
  });

  test('is none of a multinode predictor', () => {
    for (const rollout of plan([multinodeService({ maxReplicas: 8 })]).rollouts) expect(rollout).not.toHaveProperty('autoscaled');
  });
});
