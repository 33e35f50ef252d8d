import { parse } from 'yaml';
import { planManifests } from '../../../src/headless';
import { factsOf } from '../../facts';
import { CLUSTER, incremental, lines, onlyFinding, OPTIONS, rayService, rolloutOf } from './plan';

/** The finding about the GPUs of every second cluster. */
const DOUBLES = 'warning kuberay/doubles-accelerators spec.upgradeStrategy.type';

const OPTIONS_PATH = 'spec.upgradeStrategy.clusterUpgradeOptions';
const TYPE = 'NewClusterWithIncrementalUpgrade';

const group = CLUSTER.workerGroupSpecs[0]!;

/** Returns a service with these fields of the cluster replaced. */
function cluster(more: object): object {
  return rayService({}, { rayClusterConfig: { ...CLUSTER, ...more } });
}

/** Returns the spec of a service with these worker groups. */
function withGroups(...groups: object[]): object {
  return { rayClusterConfig: { ...CLUSTER, workerGroupSpecs: groups } };
}

/** Returns a service with this text as Serve config. */
function withText(serveConfigV2: string): object {
  return incremental({}, { serveConfigV2 });
}

/** Returns an object of the Gateway API. */
function other(kind: string, name: string, more: object = {}): object {
  return { apiVersion: 'gateway.networking.k8s.io/v1', kind, metadata: { name, namespace: 'models', ...more }, spec: {} };
}

const WITH_SPACE = { spec: { containers: [{ name: 'ray', image: 'ray:1', resources: { limits: { memory: '4 Gi' } } }] } };

describe("the guide's own examples", () => {
  /** Section 3 of the guide, with its omissions. */
  const example = `
apiVersion: ray.io/v1
kind: RayService
metadata:
  name: rayservice-incremental-upgrade
spec:
  upgradeStrategy:
    type: "NewClusterWithIncrementalUpgrade"
    clusterUpgradeOptions:
      gatewayClassName: "istio"
      maxSurgePercent: 20
      stepSizePercent: 5
      intervalSeconds: 10
  serveConfigV2: |
    applications:
      - name: my_app
        import_path: my_model:app
        route_prefix: /
        deployments:
          - name: MyModel
            num_replicas: 10
            ray_actor_options:
              resources: { "GPU": 1 }
            autoscaling_config:
              min_replicas: 0
              max_replicas: 20
  rayClusterSpec:
    enableInTreeAutoscaling: true
    headGroupSpec:
    workerGroupSpecs:
    - groupName: gpu-worker
      replicas: 0
      minReplicas: 0
      maxReplicas: 20
      template:
`;

  test('rayClusterSpec is not a field: the API server refuses the manifest', () => {
    const { findings, ...rollout } = rolloutOf(parse(example) as object);
    expect(rollout).toEqual({
      system: 'kuberay',
      resource: { apiVersion: 'ray.io/v1', kind: 'RayService', name: 'rayservice-incremental-upgrade' },
      strategy: null,
      provenance: [],
      simulation: null,
    });
    expect(factsOf(findings)).toEqual([
      { code: 'kuberay/ray-cluster-spec', severity: 'error', messageId: 'misnamed', path: 'spec.rayClusterSpec', data: {} },
      {
        code: 'kuberay/serve-config-conflict',
        severity: 'error',
        messageId: 'conflictingScales',
        path: 'spec.serveConfigV2',
        data: { deployment: 'applications[0].deployments[0]', name: 'MyModel', numReplicas: 10 },
      },
    ]);
  });

  test('with rayClusterConfig the operator accepts it, but Ray Serve still refuses num_replicas with autoscaling_config', () => {
    const object = parse(example.replace('rayClusterSpec', 'rayClusterConfig')) as object;
    expect(lines(object)).toEqual(['error kuberay/serve-config-conflict spec.serveConfigV2']);
  });

  test('without num_replicas it has no findings', () => {
    expect(
      lines(parse(example.replace('rayClusterSpec', 'rayClusterConfig').replace('            num_replicas: 10\n', '')) as object),
    ).toEqual([]);
  });

  test('its last example has the options directly under upgradeStrategy and no type: that is NewCluster, at 200%', () => {
    const rollout = rolloutOf(rayService({ maxSurgePercent: 20, stepSizePercent: 10, intervalSeconds: 60 }));
    expect(rollout).toMatchObject({ strategy: {}, simulation: { type: 'NewCluster', peakCapacityPercent: 200 } });
    expect(factsOf(rollout.findings)).toEqual([
      {
        code: 'kuberay/misplaced-options',
        severity: 'error',
        messageId: 'misplaced',
        path: 'spec.upgradeStrategy.maxSurgePercent',
        data: { options: ['maxSurgePercent', 'stepSizePercent', 'intervalSeconds'] },
      },
    ]);
  });
});

describe('what KubeRay refuses', () => {
  test('since 1.6 it sets a condition', () => {
    expect(onlyFinding(incremental({ maxSurgePercent: 200 }))).toEqual({
      code: 'kuberay/out-of-range',
      severity: 'error',
      messageId: 'surge',
      path: `${OPTIONS_PATH}.maxSurgePercent`,
      data: { value: 200, version: '1.7', onRefusal: 'condition' },
    });
  });

  test('before 1.6 it retries forever', () => {
    expect(rolloutOf(incremental({ maxSurgePercent: 200 }), { versions: { kuberay: '1.5.1' } }).findings[0]).toMatchObject({
      messageId: 'surge',
      data: { value: 200, version: '1.5.1', onRefusal: 'retries' },
    });
  });

  test.each<[string, object, string[]]>([
    ['a negative surge', incremental({ maxSurgePercent: -1 }), [`error kuberay/out-of-range ${OPTIONS_PATH}.maxSurgePercent`]],
    ['a step above 100', incremental({ stepSizePercent: 101 }), [`error kuberay/out-of-range ${OPTIONS_PATH}.stepSizePercent`]],
    ['no step', incremental({ stepSizePercent: undefined }), [`error kuberay/out-of-range ${OPTIONS_PATH}.stepSizePercent`]],
    ['a step above the surge', incremental({ stepSizePercent: 21 }), [`error kuberay/step-exceeds-surge ${OPTIONS_PATH}.stepSizePercent`]],
    ['a step without any surge', incremental({ maxSurgePercent: 0 }), [`error kuberay/step-exceeds-surge ${OPTIONS_PATH}.stepSizePercent`]],
    ['an interval of 0', incremental({ intervalSeconds: 0 }), [`error kuberay/interval-required ${OPTIONS_PATH}.intervalSeconds`]],
    ['a negative interval', incremental({ intervalSeconds: -5 }), [`error kuberay/interval-required ${OPTIONS_PATH}.intervalSeconds`]],
    ['no interval', incremental({ intervalSeconds: null }), [`error kuberay/interval-required ${OPTIONS_PATH}.intervalSeconds`]],
    [
      'an interval beyond 32 bits',
      incremental({ intervalSeconds: 3_000_000_000 }),
      [`error kuberay/out-of-range ${OPTIONS_PATH}.intervalSeconds`],
    ],
    ['no class', incremental({ gatewayClassName: undefined }), [`error kuberay/gateway-class-required ${OPTIONS_PATH}.gatewayClassName`]],
    ['an empty class', incremental({ gatewayClassName: '' }), [`error kuberay/gateway-class-required ${OPTIONS_PATH}.gatewayClassName`]],
    ['no options', rayService({ type: TYPE }), [`error kuberay/gateway-class-required ${OPTIONS_PATH}`]],
    ['an unknown type', rayService({ type: 'Canary' }), ['error kuberay/invalid-type spec.upgradeStrategy.type']],
    ['an empty type', rayService({ type: '' }), ['error kuberay/invalid-type spec.upgradeStrategy.type']],
    [
      'a negative deletion delay',
      incremental({}, { rayClusterDeletionDelaySeconds: -1 }),
      ['error kuberay/out-of-range spec.rayClusterDeletionDelaySeconds'],
    ],
    [
      'no autoscaler',
      incremental({}, { rayClusterConfig: { ...CLUSTER, enableInTreeAutoscaling: false } }),
      ['error kuberay/autoscaling-required spec.rayClusterConfig.enableInTreeAutoscaling'],
    ],
    [
      'no autoscaler, next to a cluster under another name',
      incremental({}, { rayClusterConfig: { ...CLUSTER, enableInTreeAutoscaling: undefined }, rayClusterSpec: CLUSTER }),
      ['error kuberay/autoscaling-required spec.rayClusterConfig.enableInTreeAutoscaling'],
    ],
    [
      'no cluster at all',
      incremental({}, { rayClusterConfig: undefined }),
      ['error kuberay/autoscaling-required spec.rayClusterConfig.enableInTreeAutoscaling'],
    ],
    [
      'a timeout of 00, which Go parses as a number of seconds',
      rayService({}, {}, { name: 'llm', annotations: { 'ray.io/initializing-timeout': '00' } }),
      ['error kuberay/out-of-range metadata.annotations[ray.io/initializing-timeout]'],
    ],
    ['a long name', rayService({}, {}, { name: 'a'.repeat(48) }), ['error kuberay/name-too-long metadata.name']],
    ['a name with an upper-case letter', rayService({}, {}, { name: 'Llm' }), ['error kuberay/name-too-long metadata.name']],
    [
      'a timeout of 0',
      rayService({}, {}, { name: 'llm', annotations: { 'ray.io/initializing-timeout': '0' } }),
      ['error kuberay/out-of-range metadata.annotations[ray.io/initializing-timeout]'],
    ],
    ['a quoted number', incremental({ maxSurgePercent: '20' }), [`error kubernetes/quoted-integer ${OPTIONS_PATH}.maxSurgePercent`]],
    ['a fraction', incremental({ maxSurgePercent: 2.5 }), [`error input/wrong-type ${OPTIONS_PATH}.maxSurgePercent`]],
    ['no spec', { ...rayService({}), spec: null }, ['error input/wrong-type spec']],
    [
      'an amount of memory with a space',
      rayService({}, { rayClusterConfig: { ...CLUSTER, headGroupSpec: { template: WITH_SPACE } } }),
      ['error input/wrong-type spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].resources.limits[memory]'],
    ],
    ['a number as name', rayService({}, {}, { name: 7 }), ['error input/wrong-type metadata.name']],
    ['a number as label', rayService({}, {}, { labels: { 'a.b/c': 1, d: 'e' } }), ['error input/wrong-type metadata.labels[a.b/c]']],
    [
      'options directly under upgradeStrategy',
      rayService({ type: TYPE, ...OPTIONS }),
      ['error kuberay/misplaced-options spec.upgradeStrategy.maxSurgePercent'],
    ],
    [
      'everything at once, in the order of the operator',
      rayService(
        { type: TYPE, clusterUpgradeOptions: { maxSurgePercent: 300, stepSizePercent: 400, intervalSeconds: 0, gatewayClassName: '' } },
        { rayClusterConfig: {} },
      ),
      [
        'error kuberay/autoscaling-required spec.rayClusterConfig.enableInTreeAutoscaling',
        `error kuberay/out-of-range ${OPTIONS_PATH}.maxSurgePercent`,
        `error kuberay/out-of-range ${OPTIONS_PATH}.stepSizePercent`,
        `error kuberay/interval-required ${OPTIONS_PATH}.intervalSeconds`,
        `error kuberay/gateway-class-required ${OPTIONS_PATH}.gatewayClassName`,
      ],
    ],
  ])('%s', (_what, object, expected) => {
    expect(lines(object)).toEqual(expected);
    expect(rolloutOf(object)).toMatchObject({ strategy: null, provenance: [], simulation: null });
  });

  test.each<[string, object, object]>([
    [
      'a quoted number',
      incremental({ stepSizePercent: '5' }),
      { code: 'kubernetes/quoted-integer', messageId: 'number', data: { field: 'stepSizePercent', value: '5' } },
    ],
    [
      'text',
      incremental({ stepSizePercent: 'all' }),
      { code: 'input/wrong-type', messageId: 'field', data: { field: 'stepSizePercent', value: 'all', expectedType: 'a whole number' } },
    ],
  ])('a wrong type is reported with the expected type: %s', (_what, object, facts) => {
    expect(onlyFinding(object)).toEqual({ severity: 'error', path: `${OPTIONS_PATH}.stepSizePercent`, ...facts });
  });

  test("required options are the API server's rule, so another type does not excuse their absence", () => {
    expect(lines(rayService({ type: 'NewCluster', clusterUpgradeOptions: { maxSurgePercent: 300, gatewayClassName: '' } }))).toEqual([
      `error kuberay/out-of-range ${OPTIONS_PATH}.stepSizePercent`,
      `error kuberay/interval-required ${OPTIONS_PATH}.intervalSeconds`,
    ]);
  });
});

describe('what KubeRay refuses in a rayClusterConfig', () => {
  test.each<[string, object, string]>([
    ['minReplicas above maxReplicas', cluster({ workerGroupSpecs: [{ ...group, minReplicas: 11 }] }), 'workerGroupSpecs[0].minReplicas'],
    [
      'a worker group without container',
      cluster({ workerGroupSpecs: [{ ...group, template: { spec: { containers: [] } } }] }),
      'workerGroupSpecs[0].template.spec.containers',
    ],
    [
      'resources in two fields',
      cluster({ workerGroupSpecs: [{ ...group, rayStartParams: { 'num-gpus': '1' }, resources: { GPU: '1' } }] }),
      'workerGroupSpecs[0].resources',
    ],
    [
      'a suspended group with the autoscaler on',
      cluster({ workerGroupSpecs: [{ ...group, suspend: true }] }),
      'workerGroupSpecs[0].suspend',
    ],
    [
      'a quantity below 0',
      cluster({
        workerGroupSpecs: [
          { ...group, template: { spec: { containers: [{ name: 'w', resources: { limits: { 'nvidia.com/gpu': '-4' } } }] } } },
        ],
      }),
      'workerGroupSpecs[0].template.spec.containers[0].resources.limits[nvidia.com/gpu]',
    ],
    ['an upgradeStrategy in the cluster', cluster({ upgradeStrategy: { type: 'Recreate' } }), 'upgradeStrategy.type'],
    [
      'a name for the head Service',
      cluster({ headGroupSpec: { headService: { metadata: { name: 'mine' } } } }),
      'headGroupSpec.headService.metadata.name',
    ],
  ])('%s', (_what, object, path) => {
    expect(lines(object)).toEqual([`error kuberay/ray-cluster-spec spec.rayClusterConfig.${path}`]);
    expect(rolloutOf(object).strategy).toBeNull();
  });

  test('head ports without one for Serve are accepted, but no Service can be created', () => {
    const ports = [{ name: 'gcs', containerPort: 6379 }];
    const object = cluster({ headGroupSpec: { template: { spec: { containers: [{ name: 'ray-head', ports }] } } } });
    expect(lines(object)).toEqual([
      'error kuberay/ray-cluster-spec spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].ports',
      DOUBLES,
    ]);
    expect(rolloutOf(object).strategy).toEqual({});
  });

  test('rayClusterSpec next to rayClusterConfig is dropped', () => {
    const object = rayService({}, { rayClusterSpec: CLUSTER });
    expect(lines(object)).toEqual(['error kuberay/ray-cluster-spec spec.rayClusterSpec', DOUBLES]);
    expect(rolloutOf(object).simulation).not.toBeNull();
  });

  test('fields that a document omits are not validated', () => {
    expect(
      lines(rayService({}, { rayClusterConfig: { headGroupSpec: null, workerGroupSpecs: [{ groupName: 'gpu', template: null }] } })),
    ).toEqual([]);
  });
});

describe('what stalls or surprises', () => {
  test.each<[string, object, string, string[]]>([
    [
      'no surge and no step',
      incremental({ maxSurgePercent: 0, stepSizePercent: 0 }),
      '1.7',
      [`error kuberay/zero-surge ${OPTIONS_PATH}.maxSurgePercent`],
    ],
    ['no step', incremental({ stepSizePercent: 0 }), '1.7', [`error kuberay/zero-step ${OPTIONS_PATH}.stepSizePercent`]],
    [
      'no surge, a step that would be capped',
      incremental({ maxSurgePercent: 0 }),
      '1.6',
      ['warning kuberay/feature-gate spec.upgradeStrategy.type', `error kuberay/zero-surge ${OPTIONS_PATH}.maxSurgePercent`],
    ],
    [
      'a step that is capped',
      incremental({ stepSizePercent: 30 }),
      '1.5.1',
      ['warning kuberay/feature-gate spec.upgradeStrategy.type', `warning kuberay/step-exceeds-surge ${OPTIONS_PATH}.stepSizePercent`],
    ],
    ['an upgrade before the gate is on', incremental(), '1.6.2', ['warning kuberay/feature-gate spec.upgradeStrategy.type']],
    ['an upgrade with the gate on', incremental(), '1.7', []],
    ['NewCluster, which needs no gate', rayService({ type: 'NewCluster' }), '1.6', [DOUBLES]],
    ['None', rayService({ type: 'None' }), '1.7', ['warning kuberay/no-upgrade spec.upgradeStrategy.type']],
    [
      'suspend in a version without it',
      rayService({ type: 'NewCluster' }, { suspend: true }),
      '1.6',
      ['warning input/unknown-field spec.suspend', DOUBLES],
    ],
    [
      'misspelled fields of the service, the cluster, its head and its workers',
      rayService(
        {},
        {
          ...withGroups({ ...group, replica: 3 }),
          serveConfig: '',
        },
      ),
      '1.7',
      [
        'warning input/unknown-field spec.serveConfig',
        'warning input/unknown-field spec.rayClusterConfig.workerGroupSpecs[0].replica',
        DOUBLES,
      ],
    ],
    ['an unknown option', incremental({ maxSurge: 20 }), '1.7', [`warning input/unknown-field ${OPTIONS_PATH}.maxSurge`]],
  ])('%s', (_what, object, kuberay, expected) => {
    expect(lines(object, { versions: { kuberay } })).toEqual(expected);
    expect(rolloutOf(object, { versions: { kuberay } }).simulation).not.toBeNull();
  });

  test('a suspended service, which has no clusters and rolls nothing out', () => {
    const object = rayService({}, { suspend: true });
    expect(lines(object, { versions: { kuberay: '1.7' } })).toEqual(['info kuberay/suspended spec.suspend']);
    expect(rolloutOf(object, { versions: { kuberay: '1.7' } }).simulation).toBeNull();
  });
});

test('the alternatives to type None depend on the accelerators and on the version', () => {
  const plain = { rayClusterConfig: { ...CLUSTER, workerGroupSpecs: [{ ...group, template: CLUSTER.headGroupSpec.template }] } };
  const dataOf = (spec: object, kuberay: string) => onlyFinding(rayService({ type: 'None' }, spec), { versions: { kuberay } }).data;
  expect(dataOf({}, '1.7')).toEqual({ hasNoAccelerators: false });
  expect(dataOf(plain, '1.7')).toEqual({ hasNoAccelerators: true });
  expect(dataOf(plain, '1.6')).toEqual({ hasNoAccelerators: true, enabledSince: '1.7' });
});

describe('options that nothing reads', () => {
  test.each<[string, object, string[]]>([
    ['options without type: an error', rayService({ clusterUpgradeOptions: OPTIONS }), [`error kuberay/misplaced-options ${OPTIONS_PATH}`]],
    [
      'options under NewCluster: a warning',
      rayService({ type: 'NewCluster', clusterUpgradeOptions: OPTIONS }),
      [`warning kuberay/misplaced-options ${OPTIONS_PATH}`, DOUBLES],
    ],
    [
      'options directly under NewCluster: a warning',
      rayService({ type: 'NewCluster', maxSurgePercent: 20 }),
      ['warning kuberay/misplaced-options spec.upgradeStrategy.maxSurgePercent', DOUBLES],
    ],
    [
      'an option at both levels',
      rayService({ type: TYPE, maxSurgePercent: 10, clusterUpgradeOptions: OPTIONS }),
      ['error kuberay/misplaced-options spec.upgradeStrategy.maxSurgePercent'],
    ],
  ])('%s', (_what, object, expected) => {
    expect(lines(object)).toEqual(expected);
    expect(rolloutOf(object).simulation).not.toBeNull();
  });
});

describe('kuberay/surge-below-one-pod', () => {
  test('names the smallest group and the smallest surge that is one pod', () => {
    const object = incremental({}, withGroups(group, { ...group, groupName: 'big', replicas: 3 }));
    expect(onlyFinding(object)).toEqual({
      code: 'kuberay/surge-below-one-pod',
      severity: 'warning',
      messageId: 'lessThanOne',
      path: `${OPTIONS_PATH}.maxSurgePercent`,
      data: { maxSurgePercent: 20, group: 'big', replicas: 3, safe: 34 },
    });
  });

  test.each<[string, object, boolean]>([
    ['exactly one pod', { replicas: 5 }, false],
    ['a little less', { replicas: 4 }, true],
    ['no initial replicas: maxReplicas counts', { replicas: 0, maxReplicas: 5 }, false],
    ['no initial replicas and a low maximum', { replicas: 0, maxReplicas: 4 }, true],
    ['no initial replicas and no maximum: the size is unknown', { replicas: 0, maxReplicas: 2_147_483_647 }, false],
  ])('%s', (_what, fields, fires) => {
    expect(lines(incremental({}, withGroups({ ...group, ...fields })))).toEqual(
      fires ? [`warning kuberay/surge-below-one-pod ${OPTIONS_PATH}.maxSurgePercent`] : [],
    );
  });
});

describe('kuberay/min-replicas-above-surge', () => {
  const code = 'kuberay/min-replicas-above-surge';

  test('names the group, both numbers and the fix', () => {
    expect(onlyFinding(incremental({}, withGroups(group, { ...group, groupName: 'big', replicas: 10, minReplicas: 3 })))).toEqual({
      code,
      severity: 'warning',
      messageId: 'startsWithMore',
      path: 'spec.rayClusterConfig.workerGroupSpecs[1].minReplicas',
      data: { group: 'big', minReplicas: 3, replicas: 10, maxSurgePercent: 20, surge: 2 },
    });
  });

  test.each<[string, object, boolean]>([
    ['as many as the surge', { replicas: 10, minReplicas: 2 }, false],
    ['one, which every surge allows', { replicas: 5, minReplicas: 1 }, false],
    ['more than the initial replicas', { replicas: 1, minReplicas: 5 }, true],
  ])('%s', (_what, fields, fires) => {
    expect(lines(incremental({}, withGroups({ ...group, ...fields })))).toEqual(
      fires ? [`warning ${code} spec.rayClusterConfig.workerGroupSpecs[0].minReplicas`] : [],
    );
  });

  test('is not reported for NewCluster, which starts a full cluster anyway', () => {
    expect(lines(rayService({ type: 'NewCluster' }, withGroups({ ...group, minReplicas: 5 })))).toEqual([DOUBLES]);
  });
});

describe('kuberay/serve-config-conflict', () => {
  test.each<[string, string, object]>([
    ['broken YAML', 'applications: [', { messageId: 'syntax', data: { reason: 'a "," or "]" is missing from the list' } }],
    [
      'an alias without an anchor',
      'applications: *apps',
      { messageId: 'syntax', data: { reason: 'the alias *apps has no anchor &apps before it' } },
    ],
    ['text', 'just text', { messageId: 'notAMap', data: { value: 'just text' } }],
  ])('%s is not a config', (_what, text, facts) => {
    expect(onlyFinding(withText(text))).toEqual({
      code: 'kuberay/serve-config-conflict',
      severity: 'error',
      path: 'spec.serveConfigV2',
      ...facts,
    });
  });

  test('a text with aliases that expand to millions of values is not read, so the object is not planned', () => {
    const text = `a: &a [${'1, '.repeat(200_000)}]\nb: [*a, *a, *a, *a, *a]\n`;
    const { rollouts, findings } = planManifests([withText(text)]);
    expect([rollouts, factsOf(findings)]).toMatchInlineSnapshot(`
[
  [],
  [
    {
      "code": "input/unreadable",
      "data": {
        "field": "serveConfigV2",
        "problem": {
          "kind": "aliases-too-large",
          "values": 1000000,
        },
        "resource": "RayService models/llm",
      },
      "messageId": "text",
      "path": "",
      "severity": "error",
    },
  ],
]
`);
  });

  test('a text with aliases that repeat a long text is a config, as for the operator', () => {
    expect(lines(withText(`a: &a ${'x'.repeat(1_000_000)}\nb: [${'*a, '.repeat(11)}]`))).toEqual([]);
  });

  test.each([
    ['num_replicas: auto', 'num_replicas: auto, autoscaling_config: { max_replicas: 2 }', 0],
    ['no num_replicas', 'autoscaling_config: { max_replicas: 2 }', 0],
    ['an empty autoscaling_config', 'num_replicas: 2, autoscaling_config: null', 0],
    ['both', 'num_replicas: 2, autoscaling_config: {}', 1],
    ['a duplicate key, where the last one wins', 'num_replicas: 2, num_replicas: auto, autoscaling_config: {}', 0],
  ])('%s', (_what, scale, count) => {
    expect(lines(withText(`applications: [{ name: a, import_path: a:b, deployments: [{ name: D, ${scale} }] }]`))).toHaveLength(count);
  });

  test('each deployment is reported separately', () => {
    const both = '{ name: D, num_replicas: 2, autoscaling_config: {} }';
    const { findings } = rolloutOf(
      withText(`applications: [{ name: a, deployments: [${both}] }, { name: b, deployments: [{ name: C }, ${both}] }]`),
    );
    expect(findings.map(({ data }) => data.deployment)).toEqual(['applications[0].deployments[0]', 'applications[1].deployments[1]']);
  });
});

describe('kuberay/operator-owned-name', () => {
  test.each<[string, object, boolean]>([
    ['the Gateway', other('Gateway', 'llm-gateway'), true],
    ['the HTTPRoute', other('HTTPRoute', 'llm-httproute'), true],
    ['a Gateway named like the HTTPRoute', other('Gateway', 'llm-httproute'), false],
    ['a Gateway in another namespace', other('Gateway', 'llm-gateway', { namespace: 'web' }), false],
    ['a Gateway of another service', other('Gateway', 'chat-gateway'), false],
    [
      'a preview that is never applied',
      other('Gateway', 'llm-gateway', { annotations: { 'config.kubernetes.io/local-config': 'true' } }),
      false,
    ],
  ])('%s: %s', (_what, object, fires) => {
    expect(lines([incremental(), object])).toEqual(fires ? ['error kuberay/operator-owned-name metadata.name'] : []);
  });

  test('only an incremental upgrade owns them', () => {
    expect(lines([rayService({ type: 'NewCluster' }), other('Gateway', 'llm-gateway')])).toEqual([DOUBLES]);
  });
});

test('RayClusters are not rollouts', () => {
  expect(planManifests([{ apiVersion: 'ray.io/v1', kind: 'RayCluster', metadata: { name: 'a' } }]).rollouts).toEqual([]);
});
