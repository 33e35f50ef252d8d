import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { factsOf } from '../../facts';
import { listed, multinodeService, plan, rolloutOf, service, STANDARD, STANDARD_PLATFORM } from './plan';

function inNamespace(apiVersion: string, kind: string, spec: Fields): Manifest {
  return { apiVersion, kind, metadata: { name: 'limits', namespace: 'models' }, spec };
}

describe('the Deployments of a service among other objects', () => {
  const gpus = {
    modelFormat: { name: 'huggingface' },
    resources: { requests: { 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '1' } },
  };

  test('a quota without capacity for one more GPU blocks a rollout that must surge', () => {
    const quota = inNamespace('v1', 'ResourceQuota', { hard: { 'requests.nvidia.com/gpu': '2' } });
    const { findings } = rolloutOf(plan([STANDARD_PLATFORM, service({ model: gpus, minReplicas: 2 }), quota]), 'predictor');
    expect(listed(findings)).toEqual([
      'error kubernetes/surge-needs-headroom at spec.predictor.deploymentStrategy.rollingUpdate.maxUnavailable',
    ]);
  });

  test('a disruption budget is matched by the labels that KServe adds to the pods', () => {
    const budget = inNamespace('policy/v1', 'PodDisruptionBudget', {
      minAvailable: 4,
      selector: { matchLabels: { app: 'isvc.iris-predictor', component: 'predictor', 'serving.kserve.io/inferenceservice': 'iris' } },
    });
    const { findings } = rolloutOf(plan([STANDARD_PLATFORM, service({ minReplicas: 4 }), budget]), 'predictor');
    expect(findings.map(({ code }) => code)).toEqual(['kubernetes/pdb-blocks-eviction']);
  });
});

/** Returns both ends of the predictor's autoscaler. */
function autoscaled(predictor: Fields, annotations: Record<string, string> = {}) {
  return rolloutOf(plan([STANDARD_PLATFORM, service(predictor, { annotations })]), 'predictor').autoscaled;
}

describe('the autoscaler that KServe creates', () => {
  test('may scale up to maxReplicas, which the plan includes', () => {
    expect(autoscaled({ minReplicas: 2, maxReplicas: 8 })).toMatchObject({
      by: 'HorizontalPodAutoscaler "iris-predictor"',
      minimum: { replicas: 2 },
      maximum: { replicas: 8 },
    });
    const keda = { 'serving.kserve.io/autoscalerClass': 'keda' };
    expect(autoscaled({ maxReplicas: 8 }, keda)).toMatchObject({ by: 'ScaledObject "iris-predictor"', minimum: { replicas: 1 } });
  });

  test('of class keda may scale to 0, and starts with the default of 1; one of class hpa keeps 1', () => {
    const idle = { minReplicas: 0, maxReplicas: 8 };
    const rollout = rolloutOf(
      plan([STANDARD_PLATFORM, service(idle, { annotations: { 'serving.kserve.io/autoscalerClass': 'keda' } })]),
      'predictor',
    );
    expect(rollout).toMatchObject({ simulation: { replicas: 1 }, autoscaled: { minimum: { replicas: 0 }, maximum: { replicas: 8 } } });
    expect(autoscaled(idle)).toMatchObject({ minimum: { replicas: 1 } });
  });

  test.each([
    ['there is no maxReplicas', { minReplicas: 2 }, {}],
    ['maxReplicas is not above minReplicas', { minReplicas: 2, maxReplicas: 2 }, {}],
    ['the class is none', { minReplicas: 2, maxReplicas: 8 }, { 'serving.kserve.io/autoscalerClass': 'none' }],
    ['the class is external', { minReplicas: 2, maxReplicas: 8 }, { 'serving.kserve.io/autoscalerClass': 'external' }],
  ])('does not scale if %s', (_, predictor, annotations: Record<string, string>) => {
    expect(autoscaled(predictor, annotations)).toBeUndefined();
  });

  test('does not exist for a multinode predictor', () => {
    for (const rollout of plan([STANDARD_PLATFORM, multinodeService({ maxReplicas: 8 })]).rollouts)
      expect(rollout).not.toHaveProperty('autoscaled');
  });
});

describe("a user's autoscaler may target the Deployment that KServe creates", () => {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'iris-predictor' };
  const HPA = inNamespace('autoscaling/v2', 'HorizontalPodAutoscaler', { scaleTargetRef, minReplicas: 3, maxReplicas: 9 });
  const SCALED_OBJECT = inNamespace('keda.sh/v1alpha1', 'ScaledObject', { scaleTargetRef: { name: 'iris-predictor' }, maxReplicaCount: 6 });

  function ofClass(autoscalerClass: string, predictor: Fields, ...others: Manifest[]) {
    const annotations = { 'serving.kserve.io/autoscalerClass': autoscalerClass };
    return rolloutOf(plan([STANDARD_PLATFORM, service(predictor, { annotations }), ...others]), 'predictor');
  }

  test.each([
    ['external', HPA, { by: 'HorizontalPodAutoscaler "limits"', minimum: { replicas: 3 }, maximum: { replicas: 9 } }],
    ['external', SCALED_OBJECT, { by: 'ScaledObject "limits"', minimum: { replicas: 0 }, maximum: { replicas: 6 } }],
    ['none', HPA, { by: 'HorizontalPodAutoscaler "limits"', minimum: { replicas: 3 }, maximum: { replicas: 9 } }],
  ])('with class %s', (autoscalerClass, autoscaler, ends) => {
    const rollout = ofClass(autoscalerClass, {}, autoscaler);
    expect(rollout.autoscaled).toMatchObject(ends);
    expect(rollout.simulation).toMatchObject({ replicas: 1 });
    expect(rollout.findings.map(({ code }) => code)).not.toContain('kubernetes/hpa-owns-replicas');
  });

  test('except if KServe creates its own, or in another namespace', () => {
    expect(ofClass('hpa', { maxReplicas: 2 }, HPA).autoscaled).toMatchObject({ by: 'HorizontalPodAutoscaler "iris-predictor"' });
    expect(ofClass('hpa', {}, HPA).autoscaled).toBeUndefined();
    expect(ofClass('external', {}, { ...HPA, metadata: { name: 'limits' } }).autoscaled).toBeUndefined();
  });

  test('kubernetes/hpa-owns-replicas: with class none KServe writes minReplicas, with external nothing', () => {
    const { findings } = ofClass('none', { minReplicas: 2 }, HPA);
    expect(factsOf(findings.filter(({ code }) => code === 'kubernetes/hpa-owns-replicas'))).toEqual([
      {
        code: 'kubernetes/hpa-owns-replicas',
        severity: 'warning',
        messageId: 'reconciled',
        data: { replicas: 2, autoscaler: 'HorizontalPodAutoscaler "limits"', deployment: 'iris-predictor' },
        path: 'spec.predictor.minReplicas',
      },
    ]);
    expect(ofClass('external', { minReplicas: 2 }, HPA).findings.map(({ code }) => code)).not.toContain('kubernetes/hpa-owns-replicas');
  });
});

describe('a storageUri of pvc:// is a claim that every predictor pod mounts', () => {
  const CLAIM: Manifest = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'models', namespace: 'models' },
    spec: { accessModes: ['ReadWriteOnce'] },
  };

  function volumeFindings(object: Manifest, component = 'predictor', kserve?: string) {
    const { findings } = rolloutOf(plan([STANDARD_PLATFORM, object, CLAIM], kserve), component);
    return factsOf(findings.filter(({ code }) => code === 'kubernetes/rwo-volume-surge'));
  }

  test.each([
    ['model', { modelFormat: { name: 'sklearn' }, storageUri: 'pvc://models/iris' }],
    ['sklearn', { storageUri: 'pvc://models' }],
  ])('for %s', (field, model) => {
    const predictor = { model: undefined, [field]: model };
    expect(volumeFindings(service(predictor))).toEqual([
      {
        code: 'kubernetes/rwo-volume-surge',
        severity: 'warning',
        messageId: 'waits',
        data: {
          claim: 'models',
          mode: 'ReadWriteOnce',
          replicas: 1,
          surge: 1,
          way: 'one-pod',
          limitPath: 'spec.predictor.deploymentStrategy.rollingUpdate.maxUnavailable',
          names: { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' },
        },
        path: `spec.predictor.${field}.storageUri`,
      },
    ]);
    expect(volumeFindings(service({ ...predictor, deploymentStrategy: { type: 'Recreate' } }))).toEqual([]);
  });

  test('for a worker too, whose strategy the user cannot choose', () => {
    expect(volumeFindings(multinodeService(), 'worker')).toMatchObject([
      { path: 'spec.predictor.model.storageUri', data: { way: 'shared-claim' } },
    ]);
  });

  test('for a canary, which has the model of the stable predictor unless it has its own', () => {
    const canaries = (model: Fields) =>
      service(
        { model: { modelFormat: { name: 'sklearn' }, storageUri: 'pvc://models/iris' } },
        { spec: { canary: [{ trafficPercent: 10, predictor: { name: 'v2', ...model } }] }, annotations: STANDARD },
      );
    expect(volumeFindings(canaries({}), 'canary/v2', '0.20')).toMatchObject([{ path: 'spec.predictor.model.storageUri' }]);
    const own = { model: { modelFormat: { name: 'sklearn' }, storageUri: 'pvc://models/v2' } };
    expect(volumeFindings(canaries(own), 'canary/v2', '0.20')).toMatchObject([{ path: 'spec.canary[0].predictor.model.storageUri' }]);
  });

  test('other storage is not a claim', () => {
    expect(volumeFindings(service())).toEqual([]);
    expect(volumeFindings(service({ model: { modelFormat: { name: 'sklearn' }, storageUri: 'pvc://others/iris' } }))).toEqual([]);
  });
});

test("if KServe chooses the strategy, the error about a worker's capacity suggests no strategy", () => {
  const quota = inNamespace('v1', 'ResourceQuota', { hard: { pods: '2' } });
  const { findings } = rolloutOf(plan([STANDARD_PLATFORM, multinodeService(), quota]), 'worker');
  const errors = findings.filter(({ severity }) => severity === 'error');
  expect(factsOf(errors)).toMatchInlineSnapshot(`
[
  {
    "code": "kubernetes/surge-needs-headroom",
    "data": {
      "deadlockWave": 1,
      "isZero": true,
      "names": {
        "maxSurge": "maxSurge",
        "maxUnavailable": "maxUnavailable",
        "rollingUpdate": "rollingUpdate",
      },
      "podsThatFit": 1,
      "remedy": {
        "names": {
          "maxSurge": "maxSurge",
          "maxUnavailable": "maxUnavailable",
          "rollingUpdate": "rollingUpdate",
        },
        "peakPods": 2,
        "shortage": {
          "available": "1",
          "kind": "quota",
          "limit": "ResourceQuota "limits"",
          "needed": "2",
          "resource": "pods",
        },
        "way": "more-capacity",
      },
      "replicas": 1,
      "shortage": {
        "available": "1",
        "kind": "quota",
        "limit": "ResourceQuota "limits"",
        "needed": "2",
        "resource": "pods",
      },
    },
    "messageId": "insufficientCapacity",
    "path": "spec.predictor.deploymentStrategy.rollingUpdate.maxUnavailable",
    "severity": "error",
  },
]
`);
});
