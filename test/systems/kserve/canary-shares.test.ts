import { planChange } from '../../../src/change/plan-change';
import { expectValidPlan } from '../../plan-schema';

const GATEWAY = '{"enableGatewayApi": true}';

function config(ingress = GATEWAY) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
    data: { deploy: '{"defaultDeploymentMode": "Standard"}', ingress },
  };
}

function model(version: number) {
  return { modelFormat: { name: 'sklearn' }, storageUri: `s3://models/${version}` };
}

function canary(name: string, trafficPercent: number, version = 2) {
  return { trafficPercent, predictor: { name, model: model(version) } };
}

/** A service with 4 pods of its stable predictor. */
function iris(canaries: readonly object[] = [], version = 1) {
  const annotations = { 'serving.kserve.io/deploymentMode': 'Standard', 'serving.kserve.io/autoscalerClass': 'none' };
  const spec = { predictor: { minReplicas: 4, model: model(version) }, ...(canaries.length > 0 && { canary: canaries }) };
  return { apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService', metadata: { name: 'iris', annotations }, spec };
}

/** Formats each Service in one line: `iris-predictor [stable] 4 -> 4: 4 (0), 4 (0.25)`. */
function shares(old: object, next: object, kserve = '0.21', ingress = GATEWAY): string[] {
  const plan = expectValidPlan(planChange([old, config(ingress)], [next, config(ingress)], { versions: { kserve } }));
  return (plan.services ?? []).map(({ resource, role, readyEndpoints: { before, after }, waves = [] }) => {
    const rows = waves.map(({ ready, newShare }) => `${ready} (${newShare ?? '-'})`);
    return `${resource.name} [${role}] ${before} -> ${after}${rows.length > 0 ? `: ${rows.join(', ')}` : ''}`;
  });
}

test('a new canary gets its share once a pod is ready', () => {
  expect(shares(iris(), iris([canary('v2', 25)]))).toEqual([
    'iris-predictor [stable] 4 -> 4: 4 (0), 4 (0.25)',
    'iris-v2-predictor [canary] 0 -> 1: 0 (0), 1 (0.25)',
  ]);
});

test('several canaries have a share each, and the stable predictor has the rest', () => {
  expect(shares(iris(), iris([canary('v2', 20), canary('v3', 30, 3)]))).toEqual([
    'iris-predictor [stable] 4 -> 4: 4 (0), 4 (0.5)',
    'iris-v2-predictor [canary] 0 -> 1: 0 (0), 1 (0.5)',
    'iris-v3-predictor [canary] 0 -> 2: 0 (0), 2 (0.5)',
  ]);
});

test('the new version of a canary only has the share of the canary', () => {
  expect(shares(iris([canary('v2', 50)]), iris([canary('v2', 50, 3)]))).toEqual([
    'iris-predictor [stable] 4 -> 4: 4 (0), 4 (0.25), 4 (0.5)',
    'iris-v2-predictor [canary] 2 -> 2: 2 (0), 2 (0.25), 2 (0.5)',
  ]);
});

test('KServe 0.20 sends a canary no requests', () => {
  expect(shares(iris(), iris([canary('v2', 25)]), '0.20')).toEqual([
    'iris-predictor [stable] 4 -> 4: 4 (0), 4 (0)',
    'iris-v2-predictor [canary] 0 -> 1: 0 (0), 1 (0)',
  ]);
});

test('neither does a later version without the Gateway API', () => {
  expect(shares(iris(), iris([canary('v2', 25)]), '0.21', '{"ingressGateway": "a/b"}')).toEqual([
    'iris-predictor [stable] 4 -> 4: 4 (0), 4 (0)',
    'iris-v2-predictor [canary] 0 -> 1: 0 (0), 1 (0)',
  ]);
});

test('the share is not known without the key ingress', () => {
  expect(shares(iris(), iris([canary('v2', 25)]), '0.21', '')[1]).toBe('iris-v2-predictor [canary] 0 -> 1: 0 (-), 1 (-)');
});

test('KServe deletes the pods of a removed canary', () => {
  const { change } = planChange([iris([canary('v2', 25)]), config()], [iris(), config()], { versions: { kserve: '0.21' } });
  expect(change.objects[0]).toMatchObject({ effect: 'scale', pods: { before: 5, after: 4 } });
});

test('a canary that becomes the predictor is all that serves until its other pods are ready', () => {
  const promoted = { ...iris([], 2), spec: { predictor: { name: 'v2', minReplicas: 4, model: model(2) } } };
  const { rollouts } = planChange([iris([canary('v2', 25)]), config()], [promoted, config()], { versions: { kserve: '0.21' } });
  expect(rollouts[0]!.simulation).toMatchObject({
    minAvailable: 1,
    waves: [{ wave: 1, newReplicas: 4, oldReplicas: 0, total: 4, available: 1 }],
  });
});
