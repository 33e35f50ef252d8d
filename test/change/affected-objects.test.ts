import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { renderPlanText } from '../../src/render/text';
import { podTemplate, workload } from '../builders/workload';
import { expectValidPlan } from '../plan-schema';

const named = (name: string) => ({ name, namespace: 'shop' });

const web = workload('Deployment', { template: podTemplate({ image: 'web:1' }) }, named('web'));

const autoscaler = (minReplicas: number) => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: named('web'),
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas, maxReplicas: 30 },
});

const runtime = (image: string, more: object = {}) => ({
  apiVersion: 'serving.kserve.io/v1alpha1',
  kind: 'ServingRuntime',
  metadata: named('sklearn'),
  spec: { containers: [{ name: 'kserve-container', image }], supportedModelFormats: [{ name: 'sklearn' }], ...more },
});

const service = (runtimeName: string) => ({
  apiVersion: 'serving.kserve.io/v1beta1',
  kind: 'InferenceService',
  metadata: { ...named('iris'), annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } },
  spec: { predictor: { minReplicas: 2, model: { runtime: runtimeName, modelFormat: { name: 'sklearn' } } } },
});

/** Returns the headline and the lines of the objects. */
function linesOf(old: readonly object[], next: readonly object[], options?: ChangeOptions): string[] {
  const lines = renderPlanText(expectValidPlan(planChange(old, next, options))).split('\n');
  return lines.slice(0, lines.indexOf(''));
}

describe('an object that NEW lacks and that the apply changes all the same', () => {
  test('the target of an autoscaler is scaled', () => {
    expect(linesOf([web, autoscaler(2)], [autoscaler(5)])).toEqual([
      '2 of 2 objects differ: 1 scales, 1 changes settings; 3 pods are added; needs up to 3 extra pods; assumes Kubernetes 1.36',
      '~ scale      Deployment shop/web                2 -> 5 pods, nothing is replaced   because of HorizontalPodAutoscaler shop/web',
      '~ settings   HorizontalPodAutoscaler shop/web   minReplicas 2 -> 5',
    ]);
  });

  test('a service rolls with its runtime', () => {
    expect(linesOf([runtime('server:1'), service('sklearn')], [runtime('server:2')])).toEqual([
      '2 of 2 objects differ: 1 rolls, 1 changes settings; 2 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36 and KServe 0.17',
      '! roll       InferenceService shop/iris    2 of 2 available at the worst moment   because of ServingRuntime shop/sklearn',
      '~ settings   ServingRuntime shop/sklearn   image server:1 -> server:2',
    ]);
  });

  test('what the apply does not touch is only counted', () => {
    expect(linesOf([web, autoscaler(2), service('other')], [autoscaler(2)])).toEqual([
      'nothing changes: 2 of 3 objects are only in OLD, and kept; assumes Kubernetes 1.36',
      '2 objects in OLD are not in NEW and are kept; --prune deletes them',
    ]);
    expect(linesOf([web, autoscaler(2), service('other')], [autoscaler(5)])[2]).toBe(
      '~ settings   HorizontalPodAutoscaler shop/web   minReplicas 2 -> 5',
    );
  });

  test('what the apply deletes is deleted', () => {
    expect(linesOf([web, autoscaler(2)], [autoscaler(5)], { prune: true })[0]).toBe(
      '2 of 2 objects differ: 1 is deleted, 1 changes settings; 2 pods are removed; needs no extra pods; assumes Kubernetes 1.36',
    );
  });
});

describe('a runtime that no service of the input uses', () => {
  const effectOf = (old: object, next: object, others: readonly object[] = []) =>
    planChange([old, ...others], [next, ...others]).change.objects[0]!.effect;

  test('has an unknown effect, since KServe rolls every service that uses it', () => {
    expect(effectOf(runtime('server:1'), runtime('server:2'))).toBe('unknown');
    expect(effectOf(runtime('server:1'), runtime('server:2'), [service('other')])).toBe('unknown');
  });

  test('changes settings if only what selects it changes, or if a service of the input uses it', () => {
    expect(effectOf(runtime('server:1'), runtime('server:1', { disabled: true }))).toBe('settings');
    expect(effectOf(runtime('server:1'), runtime('server:2'), [service('sklearn')])).toBe('settings');
  });
});
