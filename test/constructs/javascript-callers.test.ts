/** JavaScript checks no types: for any value of a prop, the error names the construct and the prop, and nothing else is thrown. */
import { ApiObject, App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import * as fc from 'fast-check';
import * as rolloutkit from 'rolloutkit';
import {
  ApplicationSetRollout,
  automaticPartitions,
  canary,
  DaemonSetPolicy,
  DeploymentPolicy,
  FleetBundle,
  IncrementalRayService,
  InferenceServiceRollout,
  KServePlatformConfig,
  DisaggregatedSetRollout,
  LeaderWorkerSetRollout,
  LLMInferenceServiceRollout,
  OperatorRollingUpdate,
  partitionsByLabel,
  Rollout,
  RolloutPlan,
  RolloutGuardrails,
  safeMaxSurgePercent,
} from 'rolloutkit';
import { diffPlans, planChange, planManifests } from 'rolloutkit/plan';
import { cyclic, HOSTILE_VALUES, placesIn, throwing, withValueAt } from '../hostile-values';
import { withoutPlaces } from './synth-error';
import { scaleRuns } from '../setup/scale-runs';

type Built = new (...args: never[]) => object;

const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://bucket' };
const template = { spec: { containers: [{ name: 'ray', image: 'ray:2', resources: { limits: { cpu: '1' } } }] } };
const rayCluster = {
  rayVersion: '2.46.0',
  headGroupSpec: { rayStartParams: { a: 'b' }, template },
  workerGroupSpecs: [{ groupName: 'workers', replicas: 2, minReplicas: 1, maxReplicas: 2, rayStartParams: {}, template }],
};
const serveConfig = { applications: [{ name: 'app', import_path: 'app:app', runtime_env: {}, deployments: [{ name: 'd' }] }] };
const upgrade = { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 };
const metadata = { name: 'it', namespace: 'shop', labels: { a: 'b' }, annotations: { a: 'b' } };
const inventory = { clusters: [{ name: 'one', namespace: 'fleet-default', labels: { a: 'b' } }], groups: [] };

/** An object literal with `then` would be treated as a promise. */
const AFTER = ['then', [{ clusterSelector: {} }]] as const;
const REST = Object.fromEntries([AFTER]);

const SOUND_PROPS: readonly (readonly [name: string, Build: Built, props: object])[] = [
  [
    'InferenceServiceRollout',
    InferenceServiceRollout,
    {
      metadata,
      kserve: '0.20',
      predictor: {
        model,
        minReplicas: 2,
        rollout: Rollout.availability('25%'),
        containers: [{ name: 'a', image: 'a:1' }],
        others: { a: 1 },
      },
      transformer: {
        containers: [{ name: 'a', image: 'a:1' }],
        deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
      },
      explainer: { containers: [{ name: 'a' }], rollout: Rollout.rollingUpdate({ maxSurge: 1, maxUnavailable: 0 }) },
      canary: [{ trafficPercent: 5, predictor: { name: 'next', model } }],
    },
  ],
  [
    'IncrementalRayService',
    IncrementalRayService,
    {
      metadata,
      upgrade,
      serveConfig,
      rayCluster,
      gatewayClass: { controllerName: 'a.b/c' },
      kuberay: '1.6',
      startupSeconds: 5,
      suspend: false,
    },
  ],
  [
    'a staged IncrementalRayService',
    IncrementalRayService,
    {
      ownership: 'gitops',
      stage: 1,
      upgrade,
      current: { name: 'a', serveConfig, rayCluster },
      next: { name: 'b', serveConfig, rayCluster },
    },
  ],
  [
    'FleetBundle',
    FleetBundle,
    {
      metadata,
      fleet: '0.13',
      inventory,
      targets: [{ name: 'all', clusterSelector: { matchLabels: { a: 'b' } } }],
      targetCustomizations: [{ clusterGroup: 'a', helm: { values: { a: 1 } } }],
      dependsOn: [{ name: 'other' }],
      rollout: {
        maxUnavailable: '10%',
        maxNew: 5,
        partitions: [{ name: 'p', clusterSelector: {}, maxUnavailable: 1, group: { name: 'g', labels: { a: 'b' }, selector: {} } }],
      },
      resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } }],
      resourceFile: 'a.yaml',
    },
  ],
  [
    'a FleetBundle with a fleet.yaml',
    FleetBundle,
    {
      output: 'fleet.yaml',
      targets: [{ clusterSelector: {} }],
      gitRepo: { name: 'shop', repo: 'https://example.com/shop', branch: 'main', paths: ['a'] },
      rollout: { partitions: canary({ clusters: { matchLabels: { env: 'one' } }, ...REST }) },
      imageScans: [{ a: 1 }],
      helm: { chart: 'a' },
    },
  ],
  [
    'a FleetBundle in parts',
    FleetBundle,
    { targets: [{ clusterSelector: {} }], rollout: { partitions: { kind: 'automatic', size: '10%', from: 5 } } },
  ],
  [
    'ApplicationSetRollout',
    ApplicationSetRollout,
    {
      metadata,
      generators: [{ clusters: { selector: { matchLabels: { a: 'b' } } } }],
      template: {
        metadata: { name: 'shop-{{name}}', labels: { a: '{{metadata.labels.a}}' } },
        spec: { project: 'default', destination: { server: '{{server}}' } },
      },
      steps: [{ match: { a: ['b'] }, matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['c'] }], maxUpdate: '10%' }],
      deletionOrder: 'Reverse',
      inventory,
    },
  ],
  [
    'DisaggregatedSetRollout',
    DisaggregatedSetRollout,
    {
      metadata: { labels: { a: 'b' } },
      roles: [
        {
          name: 'prefill',
          replicas: 2,
          rollout: Rollout.groups({ surge: 1 }),
          leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: 'a', image: 'a:1' }] } } },
        },
        {
          name: 'decode',
          size: 2,
          startupPolicy: 'LeaderReady',
          leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: 'a', image: 'a:1' }] } } },
        },
      ],
    },
  ],
  [
    'LeaderWorkerSetRollout',
    LeaderWorkerSetRollout,
    {
      replicas: 2,
      size: 4,
      rollout: Rollout.groups({ surge: 1 }),
      leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: 'a', image: 'a:1' }] } } },
    },
  ],
  [
    'LLMInferenceServiceRollout',
    LLMInferenceServiceRollout,
    {
      metadata,
      kserve: 'next',
      model: { uri: 'hf://Qwen/Qwen3-8B', name: 'Qwen/Qwen3-8B' },
      replicas: 4,
      rollout: { maxSurge: 0, maxUnavailable: 1 },
      template: { containers: [{ name: 'main', image: 'a:1' }] },
      prefill: { replicas: 2, parallelism: { tensor: 1 }, template: { containers: [{ name: 'main', image: 'a:1' }] } },
      router: { route: {}, gateway: {}, scheduler: {} },
    },
  ],
  [
    'RolloutGuardrails',
    RolloutGuardrails,
    {
      neverBelow: { available: '75%' },
      atMost: { extraPods: 2, extraGpus: 0 },
      strategies: ['RollingUpdate'],
      requireReadinessProbe: true,
      requireBudget: true,
      requireEviction: true,
      match: { kinds: ['Deployment'], namespaces: ['shop'], labels: { tier: 'web' } },
      exceptions: [{ namespaces: ['kube-system'], reason: 'not ours' }],
      enforce: 'ValidatingAdmissionPolicy',
      name: 'guard',
      namespace: 'platform',
      versions: { kubernetes: '1.34' },
    },
  ],
  [
    'OperatorRollingUpdate',
    OperatorRollingUpdate,
    {
      strategy: Rollout.resourceAware(1),
      replicas: 5,
      mountPath: 'spec.baw[0].strategy',
      numbers: 'plain',
      resource: { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata, spec: { baw: [{ a: 1 }] } },
    },
  ],
];

/** Reports whether nothing is thrown, or an error that begins with the path of the construct. */
function isOurs(error: unknown): boolean {
  if (error === undefined) return true;
  const beginsWithPath = /^(?:\[shop\/it[^\]]*\] |Validation failed with the following errors:\n {2}\[shop)/;
  return error instanceof Error && error.name !== 'TypeError' && error.name !== 'RangeError' && beginsWithPath.test(error.message);
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

function build(Build: Built, props: unknown): void {
  const app = new App();
  const made = Reflect.construct(Build, [new Chart(app, 'shop'), 'it', props]) as { readonly rollouts?: unknown };
  void made.rollouts;
  app.synthYaml();
}

test('every exported construct is tested here', () => {
  const isConstruct = (made: unknown) => typeof made === 'function' && made.prototype instanceof Construct;
  const exported = Object.values(rolloutkit).filter(isConstruct);
  expect(new Set(SOUND_PROPS.map(([, Build]) => Build))).toEqual(new Set(exported));
});

describe.each(SOUND_PROPS)('%s', (_name, Build, sound) => {
  test('is built from the valid props that the hostile ones derive from', () => {
    expect(thrownBy(() => build(Build, sound))).toBeUndefined();
  });

  test('is built, or refused with its path, for any value anywhere in its props', () => {
    fc.assert(
      fc.property(fc.constantFrom(...placesIn(sound)), fc.constantFrom(...HOSTILE_VALUES), (place, [, valueOf]) => {
        const error = thrownBy(() => build(Build, withValueAt(sound, place, valueOf())));
        expect([isOurs(error), error]).toEqual([true, error]);
      }),
      { numRuns: scaleRuns(60) },
    );
  });
});

test.each([
  [() => DeploymentPolicy.stateless(undefined as never), ['[shop/web] DeploymentPolicy.stateless: the props are undefined; write a map']],
  [
    () => DeploymentPolicy.stateful(cyclic() as never),
    [
      '[shop/web] DeploymentPolicy.stateful: inner.again contains itself, or is nested more than 1000 levels deep; write plain data: a string, number, boolean, list or map',
    ],
  ],
  [() => DaemonSetPolicy.of(null as never), ['[shop/web] DaemonSetPolicy: the props are null; write a map']],
])('%s fails the synth when it is applied', (policy, lines) => {
  const applied = () => {
    const app = new App();
    policy().applyTo(new ApiObject(new Chart(app, 'shop'), 'web', { apiVersion: 'apps/v1', kind: 'Deployment' }));
    app.synthYaml();
  };
  expect(linesOf(applied)).toEqual(lines);
});

function linesOf(work: () => unknown): unknown {
  const said = withoutPlaces(String((thrownBy(work) as Error | undefined)?.message));
  return said.replace(/^Validation failed with the following errors:\n {2}/, '').split('\n');
}

test.each([
  ['undefined', undefined, ['[shop/it] the props are undefined; write a map']],
  ['null', { predictor: null }, ['[shop/it] predictor is null; write a map']],
  [
    'a bigint',
    { predictor: { model, minReplicas: 2n } },
    ['[shop/it] predictor.minReplicas is a bigint; write a plain value: a string, number, boolean, list or map'],
  ],
  [
    'a number that no file contains',
    { predictor: { model, others: { weight: NaN } } },
    ['[shop/it] predictor.others.weight is NaN or an infinite number; write a plain value: a string, number, boolean, list or map'],
  ],
  ['a list for a map', { predictor: { model: [] } }, ['[shop/it] predictor.model is []; write a map']],
  [
    'a Map',
    { predictor: { model, nodeSelector: new Map() } },
    ['[shop/it] predictor.nodeSelector is a Map; write a plain value: a string, number, boolean, list or map'],
  ],
  [
    'an instance of any other built-in class',
    { predictor: { model, nodeSelector: Buffer.from('a') } },
    ['[shop/it] predictor.nodeSelector is a Buffer; write a plain value: a string, number, boolean, list or map'],
  ],
  [
    'a boxed number',
    { predictor: { model, others: { weight: Object(3) as unknown } } },
    ['[shop/it] predictor.others.weight is a Number; write a plain value: a string, number, boolean, list or map'],
  ],
  [
    'a cycle',
    { predictor: { model: cyclic() } },
    [
      '[shop/it] predictor.model.inner.again contains itself, or is nested more than 1000 levels deep; write plain data: a string, number, boolean, list or map',
    ],
  ],
  [
    'a getter that throws',
    {
      predictor: {
        get model() {
          throw new Error('no');
        },
      },
    },
    ['[shop/it] predictor.model cannot be read: reading it throws "no"; write plain data: a string, number, boolean, list or map'],
  ],
])('%s in the props is reported with the construct and the prop', (_what, props, lines) => {
  expect(linesOf(() => build(InferenceServiceRollout, props))).toEqual(lines);
});

test.each<[unknown, string]>([
  [10n, 'the props are 10; write a map'],
  [() => 1, 'the props are a function; write a map'],
  [new Date(0), 'the map of props is a Date; write a plain value: a string, number, boolean, list or map'],
])('props that are %p are reported once', (props, line) => {
  expect(linesOf(() => build(FleetBundle, props as object))).toEqual([`[shop/it] ${line}`]);
});

test.each<[unknown, string]>([
  [5, '5'],
  ['x', '"x"'],
  [[], '[]'],
  [null, 'null'],
  [{ defaultRollout: {} }, 'a map'],
])('a platform that is %p is not a KServePlatformConfig', (platform, seen) => {
  const props = { platform, predictor: { model } };
  expect(linesOf(() => build(InferenceServiceRollout, props))).toEqual([
    `[shop/it] platform is ${seen}; pass a KServePlatformConfig, such as the result of KServePlatformConfig.of`,
  ]);
});

test.each<[unknown, string]>([
  [{ clusters: [null] }, 'inventory is a map'],
  [{ clusters: [null], groups: [] }, 'inventory.clusters[0] is null, but must be a map'],
  [{ clusters: [], groups: [5] }, 'inventory.groups[0] is 5, but must be a map'],
])('an inventory that is %j is not an Inventory', (given, problem) => {
  const props = { targets: [{ clusterSelector: {} }], inventory: given };
  expect(linesOf(() => build(FleetBundle, props))).toEqual([`[shop/it] ${problem}; pass the result of Inventory.of or Inventory.fromFile`]);
});

test.each([
  [() => DaemonSetPolicy.of({ maxUnavailable: 1 }).applyTo(undefined as never), 'applyTo: got undefined; pass a construct'],
  [() => DaemonSetPolicy.of({ maxUnavailable: 1 }).applyToAll(7 as never), 'applyToAll: got 7; pass a construct'],
  [() => KServePlatformConfig.of(undefined as never), 'platform config: the props are undefined; write a map'],
  [() => KServePlatformConfig.fromConfigMap(5n as never), 'inferenceservice-config: 5 is given; write the ConfigMap as a map'],
  [() => KServePlatformConfig.fromFile(null as never), 'platform config: the path is null; write the path of a file'],
  [
    () => Rollout.rollingUpdate(throwing() as never),
    'Rollout.rollingUpdate: maxSurge cannot be read: reading it throws "no"; write plain data: a string, number, boolean, list or map',
  ],
  [() => canary(undefined as never), 'canary: undefined is given; write a map'],
  [() => automaticPartitions(null as never), 'automaticPartitions: null is given; write a map'],
  [() => partitionsByLabel('env', undefined as never), 'partitionsByLabel: the values are undefined, but must be a list'],
  [() => safeMaxSurgePercent(undefined as never), 'safeMaxSurgePercent: undefined is given; write a map'],
  [() => planManifests(undefined as never), 'the objects are undefined: write a list of objects'],
  [() => planManifests([], null as never), 'the options are null: write a map, or leave them out'],
  [() => planManifests([], { versions: { kserve: 5 } } as never), 'versions[kserve] is 5: write a string'],
  [() => planManifests([], { kserveConfig: [] } as never), 'kserveConfig is []: write a map'],
  [() => planManifests([], { neverReady: 'a' } as never), 'neverReady is "a": write a list of strings'],
  [() => planManifests([], { startupSecond: 4 } as never), 'there is no option "startupSecond": write startupSeconds'],
  [
    () => planManifests([], { apply: 'server' } as never),
    'there is no option "apply": write versions, kserveConfig, clusters, neverReady, notReadyNow, startupSeconds, measuredStartupSeconds, daemonSetNodes, operatorResources, capacity or budget',
  ],
  [() => planChange([], [], { aply: 'server' } as never), 'there is no option "aply": write apply'],
  [() => planChange([], [], { prune: 'yes' } as never), 'prune is "yes": write true or false'],
  [() => RolloutPlan.of(new App()).from([], { aply: 'server' } as never), 'there is no option "aply": write apply'],
  [
    () => RolloutPlan.of(new App()).from([], { apply: 'kubectl' } as never),
    'apply is "kubectl": write client, server, helm, helm4, flux, argocd, fleet, pulumi or replace',
  ],
  [() => planManifests([], { capacity: { total: new Map([['cpu', 4]]) } }), 'capacity.total is an instance of a class: write a plain map'],
  [() => planManifests([], { versions: new Map() } as never), 'versions is an instance of a class: write a plain map'],
  [
    () => planManifests([], { capacity: cyclic() }),
    'the options cannot be used: capacity.inner.again contains itself, or is nested more than 1000 levels deep; write plain data: a string, number, boolean, list or map',
  ],
  [() => planChange(undefined as never, []), 'the objects are undefined: write a list of objects'],
  [
    () => planChange([], [], { apply: 'force' } as never),
    'apply is "force": write client, server, helm, helm4, flux, argocd, fleet, pulumi or replace',
  ],
  [() => diffPlans(undefined as never, undefined as never), 'diffPlans takes two plans, not undefined'],
])('%s says what is wrong', (work, message) => {
  expect(linesOf(work)).toEqual([message]);
});
