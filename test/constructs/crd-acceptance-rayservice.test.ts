import { App, Chart, Testing } from 'cdk8s';
import { IncrementalRayService } from 'rolloutkit';
import type { RayClusterProps, ServeConfig } from 'rolloutkit';
import type { Manifest } from '../../src/core/manifest/manifest';
import { expectRefused, expectTaken } from './crd-verdicts';

const KUBERAY = ['kuberay-v1.5.1', 'kuberay-v1.7.0'];
const GATEWAY_API = ['gateway-api-v1.4.0', 'gateway-api-v1.6.1'];

const serveConfig: ServeConfig = {
  applications: [{ name: 'llm', import_path: 'llm:app', deployments: [{ name: 'LLM', num_replicas: 5 }] }],
};

/** Every field of a cluster in the props, with some value. */
const rayCluster: RayClusterProps = {
  rayVersion: '2.51.0',
  autoscalerOptions: { version: 'v2', idleTimeoutSeconds: 30, upscalingMode: 'Default', resources: { limits: { cpu: '1' } } },
  headServiceAnnotations: { owner: 'ada' },
  headGroupSpec: {
    serviceType: 'ClusterIP',
    rayStartParams: { 'dashboard-host': '0.0.0.0' },
    template: {
      spec: { containers: [{ name: 'ray-head', image: 'rayproject/ray:2.51.0', ports: [{ name: 'serve', containerPort: 8000 }] }] },
    },
  },
  workerGroupSpecs: [
    {
      groupName: 'gpu',
      replicas: 5,
      minReplicas: 0,
      maxReplicas: 10,
      numOfHosts: 1,
      idleTimeoutSeconds: 30,
      rayStartParams: { 'num-cpus': '4' },
      scaleStrategy: { workersToDelete: [] },
      template: {
        metadata: { labels: { pool: 'gpu' } },
        spec: { containers: [{ name: 'w', resources: { limits: { 'nvidia.com/gpu': 1 } } }] },
      },
    },
  ],
};

const upgrade = { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5 };
const gatewayClass = { controllerName: 'istio.io/gateway-controller' };

function modelsChart(): Chart {
  return new Chart(new App(), 'models', { namespace: 'models', labels: { team: 'nlp' } });
}

function ofKind(kind: string, objects: readonly Manifest[]): Manifest[] {
  return objects.filter((object) => object.kind === kind);
}

describe('the CRDs accept what IncrementalRayService emits', () => {
  const operated = modelsChart();
  const llm = new IncrementalRayService(operated, 'llm', {
    upgrade,
    gatewayClass,
    serveConfig,
    rayCluster,
    rayClusterDeletionDelaySeconds: 30,
    excludeHeadPodFromServeSvc: true,
  });
  const staged = new IncrementalRayService(modelsChart(), 'llm', {
    ownership: 'gitops',
    upgrade,
    gatewayClass,
    current: { serveConfig, rayCluster },
    next: { serveConfig, rayCluster, excludeHeadPodFromServeSvc: true },
  });
  const stages = staged.stages.flatMap(({ objects }) => objects);

  describe.each(KUBERAY)('%s', (crds) => {
    test('the RayService of the operator', () => {
      expectTaken(crds, ofKind('RayService', Testing.synth(operated)));
    });

    test('the RayServices of all 31 stages', () => {
      expect(staged.stages).toHaveLength(31);
      expectTaken(crds, ofKind('RayService', stages));
    });
  });

  describe.each(GATEWAY_API)('%s', (crds) => {
    test.each(['Gateway', 'HTTPRoute', 'GatewayClass'])('every %s of the stages', (kind) => {
      expectTaken(crds, ofKind(kind, stages));
    });

    test.each(['Gateway', 'HTTPRoute'])('the preview of the operator’s %s', (kind) => {
      expectTaken(crds, ofKind(kind, llm.simulation!.previews!));
    });
  });

  test('and refuse unknown fields, such as the options directly under upgradeStrategy', () => {
    const [service] = ofKind('RayService', Testing.synth(operated)) as (Manifest & { spec: object })[];
    const mistaken = { ...service!, spec: { ...service!.spec, upgradeStrategy: upgrade } };

    expectRefused('kuberay-v1.7.0', mistaken, [
      { field: 'spec.upgradeStrategy.gatewayClassName', type: 'unknown field' },
      { field: 'spec.upgradeStrategy.maxSurgePercent', type: 'unknown field' },
      { field: 'spec.upgradeStrategy.stepSizePercent', type: 'unknown field' },
    ]);
  });

  test('and refuse what violates a CEL rule of the CRD, such as two listeners of a Gateway on one port', () => {
    const [gateway] = ofKind('Gateway', stages) as (Manifest & { spec: { listeners: object[] } })[];
    const [listener] = gateway!.spec.listeners;
    const mistaken = { ...gateway!, spec: { ...gateway!.spec, listeners: [listener!, { ...listener!, name: 'again' }] } };

    expectRefused('gateway-api-v1.4.0', mistaken, [{ field: 'spec.listeners', type: 'FieldValueInvalid' }]);
  });
});
