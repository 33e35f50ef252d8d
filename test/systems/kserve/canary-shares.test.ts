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

test('a new canary gets its share once a pod is ready, and KServe then removes as many pods of the stable predictor', () => {
  expect(shares(iris(), iris([canary('v2', 25)]))).toEqual([
    'iris-predictor [stable] 4 -> 3: 4 (0), 3 (0.25)',
    'iris-v2-predictor [canary] 0 -> 1: 0 (0), 1 (0.25)',
  ]);
});

test('several canaries have a share each, and the stable predictor has the rest and at least one pod', () => {
  expect(shares(iris(), iris([canary('v2', 20), canary('v3', 70, 3)]))).toEqual([
    'iris-predictor [stable] 4 -> 1: 4 (0), 1 (0.9)',
    'iris-v2-predictor [canary] 0 -> 1: 0 (0), 1 (0.9)',
    'iris-v3-predictor [canary] 0 -> 3: 0 (0), 3 (0.9)',
  ]);
});

test('the new version of a canary only has the share of the canary', () => {
  expect(shares(iris([canary('v2', 50)]), iris([canary('v2', 50, 3)]))).toEqual([
    'iris-predictor [stable] 2 -> 2: 2 (0), 2 (0.25), 2 (0.5)',
    'iris-v2-predictor [canary] 2 -> 2: 2 (0), 2 (0.25), 2 (0.5)',
  ]);
});

test('a larger share of a canary that is ready moves a pod at once', () => {
  expect(shares(iris([canary('v2', 25)]), iris([canary('v2', 50)]))).toEqual([
    'iris-predictor [stable] 3 -> 2: 2 (0.5), 2 (0.5)',
    'iris-v2-predictor [canary] 1 -> 2: 1 (0.5), 2 (0.5)',
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
    'iris-predictor [stable] 4 -> 3: 4 (0), 3 (0)',
    'iris-v2-predictor [canary] 0 -> 1: 0 (0), 1 (0)',
  ]);
});

test('the share is not known without the key ingress', () => {
  expect(shares(iris(), iris([canary('v2', 25)]), '0.21', '')[1]).toBe('iris-v2-predictor [canary] 0 -> 1: 0 (-), 1 (-)');
});

/** A Service that a user writes next to those of KServe. */
function ownService(app: string) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'own' },
    spec: { selector: { app }, ports: [{ port: 80, targetPort: 8080 }] },
  };
}

/** Plans a change of the canaries behind a Service of the user. */
function planOwnService(app: string, old: readonly object[], next: readonly object[], kserve: string) {
  const sides = [old, next].map((canaries) => [iris(canaries), config(), ownService(app)] as object[]);
  const { change, services = [], findings } = expectValidPlan(planChange(sides[0]!, sides[1]!, { versions: { kserve } }));
  const own = services.find(({ resource }) => resource.name === 'own');
  const { podsAdded, podsRemoved } = change.summary;
  const lost = findings.filter(({ code }) => code === 'change/service-without-endpoints');
  return { ready: own?.readyEndpoints, podsAdded, podsRemoved, lost: lost.map(({ severity, message }) => `${severity}: ${message}`) };
}

test.each([
  ['0.20', { podsAdded: 0, podsRemoved: 1 }],
  // The predictor gets the pod back that it had given up for the canary.
  ['0.21', { podsAdded: 1, podsRemoved: 1 }],
])('KServe %s deletes the pods of a removed canary, which a Service of the user loses', (kserve, counts) => {
  expect(planOwnService('isvc.iris-v2-predictor', [canary('v2', 25)], [], kserve)).toEqual({
    ready: { before: 1, least: 0, after: 0 },
    ...counts,
    lost: [
      'error: Service own loses its only ready endpoint permanently: InferenceService iris (canary/v2) is deleted, and no other pods here have its labels. ' +
        'Its terminating pods answer only until they stop listening; then connections are refused.',
    ],
  });
});

test('a Service of the user gets the pods of a new canary once they are ready', () => {
  expect(planOwnService('isvc.iris-v2-predictor', [], [canary('v2', 25)], '0.20')).toEqual({
    ready: { before: 0, least: 0, after: 1 },
    podsAdded: 1,
    podsRemoved: 0,
    lost: [],
  });
});

test('pods of a canary that is replaced by another are counted as added and removed', () => {
  const { podsAdded, podsRemoved } = planOwnService('isvc.iris-predictor', [canary('v2', 25)], [canary('v3', 25)], '0.20');
  expect({ podsAdded, podsRemoved }).toEqual({ podsAdded: 1, podsRemoved: 1 });
});

test('the Deployment of a removed transformer stays, and so do the endpoints of its Service', () => {
  const transformer = { minReplicas: 2, containers: [{ name: 'kserve-container', image: 'resize:1', ports: [{ containerPort: 8080 }] }] };
  const withTransformer = { ...iris(), spec: { ...iris().spec, transformer } };
  const service = ownService('isvc.iris-transformer');
  const { services = [], findings } = planChange([withTransformer, config(), service], [iris(), config(), service]);
  expect(services.map(({ readyEndpoints }) => readyEndpoints)).toEqual([{ before: 2, least: 2, after: 2 }]);
  expect(findings.filter(({ code }) => code === 'change/service-without-endpoints')).toEqual([]);
});

test('a canary that becomes the predictor is all that serves until its other pods are ready', () => {
  const promoted = { ...iris([], 2), spec: { predictor: { name: 'v2', minReplicas: 4, model: model(2) } } };
  const { rollouts } = planChange([iris([canary('v2', 25)]), config()], [promoted, config()], { versions: { kserve: '0.21' } });
  expect(rollouts[0]!.simulation).toMatchObject({
    minAvailable: 1,
    waves: [{ wave: 1, newReplicas: 4, oldReplicas: 0, total: 4, available: 1 }],
  });
});

test('a Service over both versions counts the pod of the canary before it becomes the predictor', () => {
  const labeled = (predictor: object) => ({ ...predictor, labels: { team: 'ml' } });
  const service = { ...ownService(''), spec: { selector: { team: 'ml' }, ports: [{ port: 80, targetPort: 8080 }] } };
  const before = {
    ...iris(),
    spec: {
      predictor: labeled(iris().spec.predictor),
      canary: [{ trafficPercent: 25, predictor: labeled(canary('v2', 25).predictor) }],
    },
  };
  const promoted = { ...iris(), spec: { predictor: labeled({ name: 'v2', minReplicas: 4, model: model(2) }) } };
  const { services = [] } = planChange([before, config(), service], [promoted, config(), service], { versions: { kserve: '0.20' } });
  expect(services.map(({ readyEndpoints }) => readyEndpoints)).toEqual([{ before: 5, least: 1, after: 4 }]);
});
