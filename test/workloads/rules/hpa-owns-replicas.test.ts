import type { Autoscaler } from '../../../src/cluster/autoscaling/autoscaler';
import { toFieldPath } from '../../../src/core/manifest/field-path';
import { checkHpaOwnsReplicas } from '../../../src/workloads/rules/hpa-owns-replicas';
import { factsOf } from '../../facts';
import { deployment, findingsOf, rolloutOf, statefulSet } from '../plan';

function autoscaler(spec: object, namespace?: string) {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'scaler', ...(namespace && { namespace }) },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 9, ...spec },
  };
}

function owned(...objects: object[]) {
  return findingsOf(objects, 'kubernetes/hpa-owns-replicas');
}

function simulationOf(...objects: object[]) {
  return rolloutOf(objects).simulation;
}

test('reports replicas while an autoscaler targets the workload', () => {
  expect(factsOf(owned(deployment({ replicas: 3 }), autoscaler({})))).toEqual([
    {
      code: 'kubernetes/hpa-owns-replicas',
      severity: 'warning',
      messageId: 'applied',
      path: 'spec.replicas',
      data: {
        replicas: 3,
        autoscaler: 'HorizontalPodAutoscaler "scaler"',
        applied: { kind: 'Deployment', name: 'web' },
        minimum: { pods: 1, field: 'minReplicas', object: { kind: 'HorizontalPodAutoscaler', name: 'scaler' } },
      },
    },
  ]);
  const db = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db' };
  expect(owned(statefulSet({ replicas: 3 }), autoscaler({ scaleTargetRef: db }))).toHaveLength(1);
});

test('the advice says first what comes first', () => {
  const [finding] = owned(deployment({ replicas: 3 }), autoscaler({}));
  expect(finding!.help).toBe(
    'If there must never be fewer pods than now, first write minReplicas: 3 into the HorizontalPodAutoscaler "scaler". ' +
      'In this order: delete replicas from the last applied configuration (kubectl apply edit-last-applied deployment/web), then delete spec.replicas here. ' +
      'If you delete it only here, the next kubectl apply leaves 1 pod until the autoscaler corrects it.',
  );
});

test('replicas 0 disables a HorizontalPodAutoscaler, so the Deployment is not autoscaled', () => {
  const objects = [deployment({ replicas: 0 }), autoscaler({ minReplicas: 2 })];
  expect(factsOf(owned(...objects))).toEqual([
    {
      code: 'kubernetes/hpa-owns-replicas',
      severity: 'warning',
      messageId: 'switchedOff',
      path: 'spec.replicas',
      data: { replicas: 0, autoscaler: 'HorizontalPodAutoscaler "scaler"' },
    },
  ]);
  expect(rolloutOf(objects).autoscaled).toBeUndefined();
});

test('reports nothing without replicas, and nothing for another kind, name or namespace', () => {
  expect(owned(deployment({}), autoscaler({}))).toEqual([]);
  const other = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  expect(owned(deployment({ replicas: 3 }), autoscaler({ scaleTargetRef: { ...other, kind: 'StatefulSet' } }))).toEqual([]);
  expect(owned(deployment({ replicas: 3 }), autoscaler({ scaleTargetRef: { ...other, name: 'api' } }))).toEqual([]);
  expect(owned(deployment({ replicas: 3 }), autoscaler({}, 'shop'))).toEqual([]);
});

test("missing replicas default to the autoscaler's minReplicas, or to 1", () => {
  expect(simulationOf(deployment({}), autoscaler({ minReplicas: 3 }))).toMatchObject({ replicas: 3 });
  expect(simulationOf(deployment({ replicas: null }), autoscaler({ minReplicas: 3 }))).toMatchObject({ replicas: 3 });
  expect(simulationOf(deployment({ replicas: 5 }), autoscaler({ minReplicas: 3 }))).toMatchObject({ replicas: 5 });
  expect(simulationOf(deployment({}), autoscaler({ minReplicas: 0 }))).toMatchObject({ replicas: 0, waves: [] });
  expect(simulationOf(deployment({}), autoscaler({}))).toMatchObject({ replicas: 1 });
  expect(simulationOf(deployment({}), autoscaler({ minReplicas: 'many' }))).toMatchObject({ replicas: 1 });
  expect(simulationOf(deployment({}))).toMatchObject({ replicas: 1 });
});

test('replicas that KServe writes are reported as reset by a reconcile, unless the autoscaler is disabled', () => {
  const scaler = {
    by: 'HorizontalPodAutoscaler "iris"',
    kind: 'HorizontalPodAutoscaler',
    minimum: 2,
    maximum: 9,
    minimumField: 'minReplicas',
    object: { kind: 'HorizontalPodAutoscaler', name: 'iris' },
  } as unknown as Autoscaler;
  const findingsWith = (replicas: number) =>
    checkHpaOwnsReplicas({
      autoscaler: scaler,
      declaredReplicas: { path: toFieldPath`spec.predictor.minReplicas`, replicas, writer: 'kserve' },
      workload: { kind: 'Deployment', name: 'iris-predictor' },
    }).map(({ messageId, path, data }) => ({ messageId, path, data }));
  expect(findingsWith(2)).toEqual([
    {
      messageId: 'reconciled',
      path: 'spec.predictor.minReplicas',
      data: { replicas: 2, autoscaler: 'HorizontalPodAutoscaler "iris"', deployment: 'iris-predictor' },
    },
  ]);
  expect(findingsWith(0)).toEqual([]);
});
