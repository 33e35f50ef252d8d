import { App, Chart, Testing } from 'cdk8s';
import { IncrementalRayService } from 'rolloutkit';
import type { RayClusterProps, ServeConfig } from 'rolloutkit';
import type { Manifest } from '../../src/core/manifest';
import { customResourceCheck, haveCrds } from './crd-schema';

const KUBERAY = ['kuberay-v1.5.1', 'kuberay-v1.7.0'];
const GATEWAY_API = ['gateway-api-v1.4.0', 'gateway-api-v1.6.1'];

const serveConfig: ServeConfig = {
  applications: [{ name: 'llm', import_path: 'llm:app', deployments: [{ name: 'LLM', num_replicas: 5 }] }],
};

/** Every field of a cluster that the props know, in some value. */
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

/** The objects of a kind that the CRD of this file refuses, with why. */
function refused(folder: string, file: string, version: string, objects: readonly Manifest[], kind: string): unknown[] {
  const asked = objects.filter((object) => object.kind === kind);
  expect(asked).not.toEqual([]);
  const check = customResourceCheck(folder, file, version, asked);
  return asked.flatMap((object) => (check(object as unknown) ? [] : [[object.metadata?.name, check.errors]]));
}

const withCrds = haveCrds ? describe : describe.skip;

withCrds(
  `the CRDs take what IncrementalRayService emits${haveCrds ? '' : ' (the upstream CRDs are not at hand: no folder ../shared/crds)'}`,
  () => {
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

    describe.each(KUBERAY)('%s', (folder) => {
      test('the RayService of the operator', () => {
        expect(refused(folder, 'rayservices.yaml', 'v1', Testing.synth(operated), 'RayService')).toEqual([]);
      });

      test('the RayServices of all 31 stages', () => {
        expect(staged.stages).toHaveLength(31);
        expect(
          refused(
            folder,
            'rayservices.yaml',
            'v1',
            staged.stages.flatMap(({ objects }) => objects),
            'RayService',
          ),
        ).toEqual([]);
      });
    });

    describe.each(GATEWAY_API)('%s', (folder) => {
      const files = { Gateway: 'gateways.yaml', HTTPRoute: 'httproutes.yaml', GatewayClass: 'gatewayclasses.yaml' };

      test.each(Object.entries(files))('every %s of the stages', (kind, file) => {
        expect(
          refused(
            folder,
            file,
            'v1',
            staged.stages.flatMap(({ objects }) => objects),
            kind,
          ),
        ).toEqual([]);
      });

      test.each(['Gateway', 'HTTPRoute'] as const)('the preview of the operator’s %s', (kind) => {
        expect(refused(folder, files[kind], 'v1', llm.simulation!.previews!, kind)).toEqual([]);
      });
    });

    test('and refuse what is none of theirs, such as the options directly under upgradeStrategy', () => {
      const [service] = Testing.synth(operated).filter(({ kind }) => kind === 'RayService') as { spec: object }[];
      const mistaken = { ...service!, spec: { ...service!.spec, upgradeStrategy: upgrade } } as unknown as Manifest;
      expect(refused('kuberay-v1.7.0', 'rayservices.yaml', 'v1', [mistaken], 'RayService')).toHaveLength(1);
    });
  },
);
