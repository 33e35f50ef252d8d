import type { Manifest } from '../../../src/core/manifest/manifest';
import { buildOperatorRoute } from '../../../src/systems/kuberay/objects';
import { simulateUpgradeSteps } from '../../../src/systems/kuberay/simulate';
import { CLUSTER, incremental, rayService, simulationOf } from './plan';

test('the plan shows the Gateway, and the HTTPRoute at the first and the last row, as the operator creates them', () => {
  expect(simulationOf(incremental()).previews).toEqual([
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: 'llm-gateway', namespace: 'models' },
      spec: { gatewayClassName: 'istio', listeners: [{ name: 'http', protocol: 'HTTP', port: 80 }] },
    },
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: 'llm-httproute', namespace: 'models' },
      spec: {
        parentRefs: [{ name: 'llm-gateway', namespace: 'models' }],
        rules: [
          {
            matches: [{ path: { type: 'PathPrefix', value: '/' } }],
            backendRefs: [
              { name: 'llm-active-serve-svc', namespace: 'models', port: 8000, weight: 100 },
              { name: 'llm-pending-serve-svc', namespace: 'models', port: 8000, weight: 0 },
            ],
          },
        ],
      },
    },
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: 'llm-httproute', namespace: 'models' },
      spec: {
        parentRefs: [{ name: 'llm-gateway', namespace: 'models' }],
        rules: [
          {
            matches: [{ path: { type: 'PathPrefix', value: '/' } }],
            backendRefs: [
              { name: 'llm-active-serve-svc', namespace: 'models', port: 8000, weight: 0 },
              { name: 'llm-pending-serve-svc', namespace: 'models', port: 8000, weight: 100 },
            ],
          },
        ],
      },
    },
  ]);
});

function backends(route: Manifest): unknown {
  return (route.spec as { rules: { backendRefs: unknown }[] }).rules[0]!.backendRefs;
}

test('the HTTPRoute can be built for any row', () => {
  const half = simulateUpgradeSteps({ maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 }).find(
    (row) => row.elapsedSeconds === 100,
  )!;
  expect(backends(buildOperatorRoute(incremental() as Manifest, half))).toMatchObject([{ weight: 50 }, { weight: 50 }]);
});

test('outside of upgrades it has one backend', () => {
  expect(backends(buildOperatorRoute(incremental() as Manifest))).toEqual([
    { name: 'llm-active-serve-svc', namespace: 'models', port: 8000, weight: 100 },
  ]);
});

test("requests go to the head container's port named serve", () => {
  const ports = [
    { name: 'gcs', containerPort: 6379 },
    { name: 'serve', containerPort: 9000 },
  ];
  const headGroupSpec = { template: { spec: { containers: [{ name: 'ray-head', ports }] } } };
  const object = incremental({}, { rayClusterConfig: { ...CLUSTER, headGroupSpec } });
  expect(backends(buildOperatorRoute(object as Manifest))).toMatchObject([{ port: 9000 }]);
});

test('without a namespace the previews have none either', () => {
  const object = { ...incremental(), metadata: { name: 'llm' } };
  expect(simulationOf(object).previews![0]!.metadata).toEqual({ name: 'llm-gateway' });
  expect(backends(simulationOf(object).previews![1]!)).toEqual([
    { name: 'llm-active-serve-svc', port: 8000, weight: 100 },
    { name: 'llm-pending-serve-svc', port: 8000, weight: 0 },
  ]);
});

test('other types have no previews, because the operator creates none of these objects', () => {
  expect('previews' in simulationOf(rayService({ type: 'NewCluster' }))).toBe(false);
});
