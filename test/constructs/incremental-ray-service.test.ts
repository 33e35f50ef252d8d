import { App, ApiObject, Chart, JsonPatch, Lazy, Testing, Yaml } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { IncrementalRayService, safeMaxSurgePercent } from 'rolloutkit';
import type { OperatorRayServiceProps, RayClusterProps, ServeDeployment } from 'rolloutkit';
import { getValueAt } from '../../src/core/manifest/manifest';
import { planManifests } from '../../src/headless';
import { factsOf, headsOf } from '../facts';
import { synthError } from './synth-error';

const upgrade = { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 };

const serveConfig = {
  applications: [
    {
      name: 'my_app',
      import_path: 'my_model:app',
      route_prefix: '/',
      deployments: [{ name: 'MyModel', ray_actor_options: { num_gpus: 1 }, autoscaling_config: { min_replicas: 0, max_replicas: 20 } }],
    },
  ],
};

const rayCluster: RayClusterProps = {
  headGroupSpec: { template: { spec: { containers: [{ name: 'ray-head', image: 'rayproject/ray:2.51.0' }] } } },
  workerGroupSpecs: [
    {
      groupName: 'gpu-worker',
      replicas: 0,
      minReplicas: 0,
      maxReplicas: 20,
      template: {
        spec: { containers: [{ name: 'ray-worker', image: 'rayproject/ray:2.51.0', resources: { limits: { 'nvidia.com/gpu': 1 } } }] },
      },
    },
  ],
};

const props: OperatorRayServiceProps = { ownership: 'operator', upgrade, serveConfig, rayCluster };

function gatewayObject(chart: Chart, id: string, kind: string, name: string, namespace?: string): ApiObject {
  return new ApiObject(chart, id, { apiVersion: 'gateway.networking.k8s.io/v1', kind, metadata: { name, namespace } });
}

/** Returns the duration of the upgrade for a start-up time of pods. */
function durationAt(startupSeconds: number): number {
  return new IncrementalRayService(Testing.chart(), 'llm', { ...props, startupSeconds }).simulation!.durationSeconds;
}

/** Returns the error of a synth of the guide's service with these changes. */
function failing(change: object): string {
  return synthError((chart) => new IncrementalRayService(chart, 'llm', { ...props, ...change }));
}

/** Returns the findings about the guide's service with these changes. */
function findingsWith(change: object) {
  return new IncrementalRayService(Testing.chart(), 'llm', { ...props, ...change }).findings;
}

test('a correct version of the guide’s example: only a RayService, with the autoscaler enabled and the Serve config as a YAML string', () => {
  const chart = new Chart(new App(), 'models', { namespace: 'models' });
  new IncrementalRayService(chart, 'rayservice-incremental-upgrade', props);

  expect(Testing.synth(chart).map((object) => Yaml.stringify(object))).toMatchInlineSnapshot(`
[
  "apiVersion: ray.io/v1
kind: RayService
metadata:
  name: rayservice-incremental-upgrade
  namespace: models
spec:
  rayClusterConfig:
    enableInTreeAutoscaling: true
    headGroupSpec:
      template:
        spec:
          containers:
            - image: rayproject/ray:2.51.0
              name: ray-head
    workerGroupSpecs:
      - groupName: gpu-worker
        maxReplicas: 20
        minReplicas: 0
        replicas: 0
        template:
          spec:
            containers:
              - image: rayproject/ray:2.51.0
                name: ray-worker
                resources:
                  limits:
                    nvidia.com/gpu: 1
  serveConfigV2: |
    applications:
      - name: my_app
        import_path: my_model:app
        route_prefix: /
        deployments:
          - name: MyModel
            ray_actor_options:
              num_gpus: 1
            autoscaling_config:
              min_replicas: 0
              max_replicas: 20
  upgradeStrategy:
    clusterUpgradeOptions:
      gatewayClassName: istio
      intervalSeconds: 10
      maxSurgePercent: 20
      stepSizePercent: 5
    type: NewClusterWithIncrementalUpgrade
",
]
`);
});

test('fields of a later Ray are written next to those of props', () => {
  const deployment: ServeDeployment = {
    name: 'MyModel',
    autoscaling_config: { max_replicas: 4, others: { aggregation_function: 'max' } },
    ray_actor_options: { num_gpus: 1, others: { label_selector: { zone: 'a' } } },
    others: { rolling_update_percentage: 0.5 },
  };
  const applications = [{ name: 'my_app', import_path: 'my_model:app', deployments: [deployment] }];
  const llm = new IncrementalRayService(Testing.chart(), 'llm', { ...props, serveConfig: { applications } });

  expect(llm.findings).toEqual([]);
  expect(getValueAt(llm.apiObjects.at(-1)!.toJson(), 'spec', 'serveConfigV2')).toBe(`applications:
  - name: my_app
    import_path: my_model:app
    deployments:
      - name: MyModel
        autoscaling_config:
          max_replicas: 4
          aggregation_function: max
        ray_actor_options:
          num_gpus: 1
          label_selector:
            zone: a
        rolling_update_percentage: 0.5
`);
});

test('the simulation is that of the plan, with the operator’s Gateway and HTTPRoute as previews', () => {
  const chart = new Chart(new App(), 'models', { namespace: 'models' });
  const llm = new IncrementalRayService(chart, 'llm', props);

  expect(llm.findings).toEqual([]);
  expect(llm.simulation).toMatchObject({
    outcome: 'promoted',
    durationSeconds: 200,
    trafficShifts: 20,
    capacityChanges: 10,
    peakCapacityPercent: 120,
  });
  expect(llm.simulation!.previews!.map(({ kind, metadata }) => [kind, metadata])).toEqual([
    ['Gateway', { name: 'llm-gateway', namespace: 'models' }],
    ['HTTPRoute', { name: 'llm-httproute', namespace: 'models' }],
    ['HTTPRoute', { name: 'llm-httproute', namespace: 'models' }],
  ]);
  for (const kuberay of ['1.5.1', '1.6', '1.7']) {
    const emitted = planManifests(Testing.synth(chart), { versions: { kuberay } }).rollouts[0]!;
    const promised = new IncrementalRayService(new Chart(new App(), 'models', { namespace: 'models' }), 'llm', { ...props, kuberay });
    expect(emitted.simulation).toEqual(promised.simulation);
    expect(emitted.strategy).toEqual({ type: 'NewClusterWithIncrementalUpgrade', clusterUpgradeOptions: upgrade });
  }
});

test('start-up times increase the duration', () => {
  expect([durationAt(0), durationAt(120)]).toEqual([200, 430]);
});

test('the interval defaults to the guide’s recommendation', () => {
  const { intervalSeconds: _, ...unhurried } = upgrade;
  const llm = new IncrementalRayService(Testing.chart(), 'llm', { ...props, upgrade: unhurried });
  expect(llm.rollouts[0]!.strategy).toMatchObject({ clusterUpgradeOptions: { intervalSeconds: 60 } });
});

test('the rollouts follow patches', () => {
  const llm = new IncrementalRayService(Testing.chart(), 'llm', props);
  ApiObject.of(llm).addJsonPatch(JsonPatch.replace('/spec/upgradeStrategy/clusterUpgradeOptions/maxSurgePercent', 50));

  expect(llm.rollouts).toMatchObject([{ system: 'kuberay', simulation: { peakCapacityPercent: 150 } }]);
  expect(llm.apiObjects).toEqual([ApiObject.of(llm)]);
});

test('the GatewayClass is emitted on request, without a namespace', () => {
  const chart = new Chart(new App(), 'models', { namespace: 'models' });
  new IncrementalRayService(chart, 'llm', { ...props, gatewayClass: { controllerName: 'istio.io/gateway-controller' } });

  expect(Testing.synth(chart)[0]).toEqual({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: 'istio' },
    spec: { controllerName: 'istio.io/gateway-controller' },
  });
});

test('the user can set the name, labels and further fields', () => {
  const chart = new Chart(new App(), 'models', { labels: { team: 'nlp' } });
  new IncrementalRayService(chart, 'llm', {
    ...props,
    metadata: { name: 'llm-v2', namespace: 'ml', labels: { tier: 'gold' } },
    rayClusterDeletionDelaySeconds: 600,
    excludeHeadPodFromServeSvc: true,
    suspend: false,
  });
  expect(Testing.synth(chart)).toMatchObject([
    {
      metadata: { name: 'llm-v2', namespace: 'ml', labels: { team: 'nlp', tier: 'gold' } },
      spec: { rayClusterDeletionDelaySeconds: 600, excludeHeadPodFromServeSvc: true, suspend: false },
    },
  ]);
});

describe('pod templates', () => {
  test('may be cdk8s-plus pods or workloads, which are removed from their chart', () => {
    const chart = new Chart(new App(), 'models');
    const worker = new kplus.Deployment(chart, 'worker', {
      podMetadata: { labels: { pool: 'gpu' } },
      containers: [{ name: 'ray-worker', image: 'rayproject/ray:2.51.0', resources: {} }],
    });
    const head = new kplus.Pod(chart, 'head', { containers: [{ name: 'ray-head', image: 'rayproject/ray:2.51.0', resources: {} }] });
    new IncrementalRayService(chart, 'llm', {
      ...props,
      rayCluster: {
        headGroupSpec: { template: head },
        workerGroupSpecs: [{ groupName: 'gpu', minReplicas: 0, maxReplicas: 5, template: worker }],
      },
    });

    const [service, ...others] = Testing.synth(chart);
    expect(others).toEqual([]);
    expect(service.spec.rayClusterConfig.headGroupSpec.template.spec.containers).toMatchObject([
      { name: 'ray-head', image: 'rayproject/ray:2.51.0' },
    ]);
    expect(service.spec.rayClusterConfig.workerGroupSpecs[0].template).toMatchObject({
      metadata: { labels: { pool: 'gpu' } },
      spec: { containers: [{ name: 'ray-worker', image: 'rayproject/ray:2.51.0' }] },
    });
  });

  test('accept cdk8s tokens in leaf strings', () => {
    const image = Lazy.any({ produce: () => 'rayproject/ray:known-at-synth' }) as unknown as string;
    const chart = Testing.chart();
    new IncrementalRayService(chart, 'llm', {
      ...props,
      rayCluster: { headGroupSpec: { template: { spec: { containers: [{ name: 'ray-head', image }] } } } },
    });
    expect(Testing.synth(chart)[0].spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].image).toBe(
      'rayproject/ray:known-at-synth',
    );
  });
});

describe('what fails the synth', () => {
  test('what the operator would refuse, by version', () => {
    expect(factsOf(findingsWith({ upgrade: { ...upgrade, stepSizePercent: 30 } }))).toMatchInlineSnapshot(`
[
  {
    "code": "kuberay/step-exceeds-surge",
    "data": {
      "maxSurgePercent": 20,
      "onRefusal": "condition",
      "stepSizePercent": 30,
      "version": "1.7",
    },
    "messageId": "refused",
    "path": "upgrade.stepSizePercent",
    "severity": "error",
  },
]
`);
  });

  test('what would stall forever, in a version that accepts it', () => {
    expect(factsOf(findingsWith({ kuberay: '1.6', upgrade: { ...upgrade, maxSurgePercent: 0 } }))).toMatchInlineSnapshot(`
[
  {
    "code": "kuberay/feature-gate",
    "data": {
      "enabledSince": "1.7",
      "version": "1.6",
    },
    "messageId": "off",
    "path": "upgrade",
    "severity": "warning",
  },
  {
    "code": "kuberay/zero-surge",
    "data": {
      "safe": 5,
      "step": 5,
    },
    "messageId": "neverBegins",
    "path": "upgrade.maxSurgePercent",
    "severity": "error",
  },
]
`);
  });

  test.each<[string, object, RegExp]>([
    [
      'a disabled autoscaler',
      { rayCluster: { ...rayCluster, enableInTreeAutoscaling: false } },
      /kuberay\/autoscaling-required\] rayCluster.enableInTreeAutoscaling/,
    ],
    ['no class', { upgrade: { ...upgrade, gatewayClassName: '' } }, /kuberay\/gateway-class-required\] upgrade.gatewayClassName/],
    ['a long name', { metadata: { name: 'a'.repeat(48) } }, /kuberay\/name-too-long\] metadata.name/],
    ['a negative delay', { rayClusterDeletionDelaySeconds: -1 }, /kuberay\/out-of-range\] rayClusterDeletionDelaySeconds/],
    ['a quoted number', { upgrade: { ...upgrade, maxSurgePercent: '20' } }, /kubernetes\/quoted-integer\] upgrade.maxSurgePercent/],
    [
      'two scales',
      {
        serveConfig: {
          applications: [{ name: 'a', import_path: 'a:b', deployments: [{ name: 'D', num_replicas: 2, autoscaling_config: {} }] }],
        },
      },
      /kuberay\/serve-config-conflict\] serveConfig/,
    ],
    [
      'a token in the Serve config',
      { serveConfig: { applications: [{ name: Lazy.any({ produce: () => 'a' }) }] } },
      /input\/wrong-type\] serveConfig.applications\[0\].name:/,
    ],
  ])('%s', (_what, change, message) => {
    expect(failing(change)).toMatch(message);
  });

  test('the plan reports warnings', () => {
    const llm = new IncrementalRayService(Testing.chart(), 'llm', { ...props, kuberay: '1.6' });
    expect(llm.findings.map(({ code, severity, path }) => [code, severity, path])).toEqual([
      ['kuberay/feature-gate', 'warning', 'upgrade'],
    ]);
  });
});

describe('the two names that the operator owns', () => {
  test('an object with one of them fails the synth, wherever it is in the app and whenever it was created', () => {
    const message = synthError((chart) => {
      new IncrementalRayService(chart, 'llm', props);
      new IncrementalRayService(chart, 'chat', props);
      gatewayObject(chart, 'front', 'Gateway', 'chat-gateway');
      gatewayObject(new Chart(chart, 'nested'), 'route', 'HTTPRoute', 'llm-httproute');
    });
    expect(headsOf(message)).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[] [kuberay/operator-owned-name] shop/front:",
  "[] [kuberay/operator-owned-name] shop/nested/route:",
]
`);
  });

  test('other names, kinds and namespaces are free', () => {
    const message = synthError((chart) => {
      new IncrementalRayService(chart, 'llm', props);
      gatewayObject(chart, 'front', 'Gateway', 'llm');
      gatewayObject(chart, 'other', 'Gateway', 'llm-gateway', 'elsewhere');
      new ApiObject(chart, 'config', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'llm-gateway' } });
    });
    expect(message).toBe('nothing: the chart was synthesized');
  });
});

test('safeMaxSurgePercent returns the surge for one worker at a time', () => {
  const llm = new IncrementalRayService(Testing.chart(), 'llm', {
    ...props,
    upgrade: { ...upgrade, maxSurgePercent: safeMaxSurgePercent({ gpusPerPod: 1, totalGpus: 5 }) },
  });
  expect(llm.simulation!.peakCapacityPercent).toBe(120);
});
