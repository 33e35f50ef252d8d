/** For any arguments of JavaScript callers, an exported function returns, or throws an error with a message of ours. */
import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import * as fc from 'fast-check';
import * as rolloutkit from 'rolloutkit';
import * as planner from 'rolloutkit/plan';
import { HOSTILE_VALUES, placesIn, withValueAt } from '../hostile-values';

type Call = (...args: never[]) => unknown;

const { DaemonSetPolicy, DeploymentPolicy, Inventory, KServePlatformConfig, Rollout, RolloutPlan, RolloutValidation } = rolloutkit;
const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
  },
};
const plan = planner.planManifests([web]);
const serveConfig = { applications: [{ name: 'app', import_path: 'app:app' }] };
const template = { spec: { containers: [{ name: 'ray', image: 'ray:2', resources: { limits: { 'nvidia.com/gpu': '1' } } }] } };
const workerGroupSpecs = [{ groupName: 'workers', replicas: 2, minReplicas: 1, maxReplicas: 2, rayStartParams: {}, template }];
const rayCluster = { rayVersion: '2.46.0', headGroupSpec: { rayStartParams: { a: 'b' }, template }, workerGroupSpecs };
const rayService = {
  apiVersion: 'ray.io/v1',
  kind: 'RayService',
  metadata: { name: 'llm' },
  spec: { serveConfigV2: JSON.stringify(serveConfig), rayClusterConfig: rayCluster },
};
const deploy = JSON.stringify({
  defaultDeploymentMode: 'Standard',
  deploymentRolloutStrategy: { defaultRollout: { mode: 'Availability', ratio: '25%' } },
});
const configMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
  data: { deploy },
};
const clusters = [{ name: 'paris', namespace: 'fleet-default', labels: { env: 'prod' } }];
const options = {
  versions: { kubernetes: '1.34' },
  startupSeconds: 5,
  clusters: [{ clusters, groups: [{ name: 'g', selector: { matchLabels: { env: 'prod' } } }] }],
  kserveConfig: configMap,
  capacity: { nodePools: [{ name: 'gpu', count: 2, allocatable: { cpu: '8' } }] },
  neverReady: ['paris'],
  notReadyNow: ['paris'],
  budget: { seconds: 60 },
};

function app(): App {
  const made = new App();
  new Chart(made, 'shop');
  return made;
}

const CALLS: Readonly<Record<string, readonly [call: Call, ...args: unknown[]]>> = {
  'DeploymentPolicy.stateless': [
    (props: never) => DeploymentPolicy.stateless(props),
    { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: '10%' },
  ],
  'DeploymentPolicy.stateful': [(props: never) => DeploymentPolicy.stateful(props), { update: 'RollingUpdate', partition: 2 }],
  'DaemonSetPolicy.of': [(props: never) => DaemonSetPolicy.of(props), { maxUnavailable: 1, maxSurge: 0 }],
  'KServePlatformConfig.of': [
    (props: never) => KServePlatformConfig.of(props),
    { defaultDeploymentMode: 'Standard', defaultRollout: { maxSurge: '1%', maxUnavailable: '1%' } },
  ],
  'KServePlatformConfig.fromConfigMap': [(given: never) => KServePlatformConfig.fromConfigMap(given), configMap],
  'KServePlatformConfig.fromFile': [
    (path: never) => KServePlatformConfig.fromFile(path),
    'examples/quick-start/inferenceservice-config.yaml',
  ],
  'Rollout.availability': [Rollout.availability, '25%'],
  'Rollout.resourceAware': [Rollout.resourceAware, '25%'],
  'Rollout.rollingUpdate': [Rollout.rollingUpdate, { maxSurge: 1, maxUnavailable: '10%' }],
  'Rollout.groups': [Rollout.groups, { surge: 1, unavailable: '10%' }],
  'Rollout.recreate': [Rollout.recreate],
  'Rollout.production': [Rollout.production, '25%'],
  'Rollout.critical': [Rollout.critical],
  'Rollout.testing': [Rollout.testing],
  'RolloutPlan.of': [(given, ...rest) => RolloutPlan.of(given ?? app(), ...rest).text(), undefined, options],
  'RolloutPlan.from': [
    (...args) =>
      RolloutPlan.of(app())
        .from(...(args as unknown as [[]]))
        .text(),
    [web],
    { apply: 'client', prune: true },
  ],
  RolloutValidation: [
    (props) => new RolloutValidation(props),
    {
      failOn: 'warning',
      requirePlanned: true,
      versions: { kubernetes: '1.34' },
      kserveConfig: 'a',
      clusters: ['a'],
      capacity: 'a',
      neverReady: ['a'],
      notReadyNow: ['a'],
      startupSeconds: 5,
      exclude: ['a'],
      rules: { 'kubernetes/paused': { severity: 'off', paths: ['a'] } },
      ignore: [{ rule: 'kubernetes/paused', reason: 'known', paths: ['a'] }],
      baseline: 'a',
      policy: 'a',
      crds: ['a'],
      budget: { seconds: 60 },
      config: false,
      from: 'a',
      apply: 'client',
      prune: false,
      print: false,
    },
  ],
  safeMaxSurgePercent: [
    rolloutkit.safeMaxSurgePercent,
    { rayCluster, gpusPerPod: 1, totalGpus: 8, podTemplate: template, total: { cpu: '8' } },
  ],
  'Inventory.of': [
    (given: never) => Inventory.of(given),
    { clusters, groups: [{ name: 'g', selector: { matchLabels: { env: 'prod' } } }] },
  ],
  'Inventory.fromFile': [(path: never) => Inventory.fromFile(path), 'examples/fleet-git/clusters.yaml'],
  automaticPartitions: [rolloutkit.automaticPartitions, { size: '10%', from: 5 }],
  canary: [rolloutkit.canary, { clusters: { matchLabels: { env: 'test' } } }],
  partitionsByLabel: [rolloutkit.partitionsByLabel, 'env', ['test', 'prod']],
  adviseManifests: [planner.adviseManifests, [web], { available: 1, extraPods: '25%', within: '15m' }, options],
  'Rollout.goal': [rolloutkit.Rollout.goal, { available: 6, extraGpus: 2, within: '15m', prefer: 'fast' }],
  diffPlans: [planner.diffPlans, plan, plan],
  planChange: [planner.planChange, [web], [web], { ...options, apply: 'server', prune: true }],
  planManifests: [planner.planManifests, [web], options],
  planSources: [planner.planSources, [{ path: 'shop/web.yaml', text: JSON.stringify(web) }], options],
  renderPlanHtml: [planner.renderPlanHtml, plan, { title: 'a' }],
  renderPlanSvg: [planner.renderPlanSvg, plan, { width: 800 }],
  diffRayServices: [planner.diffRayServices, rayService, rayService, '1.4'],
  rollsBack: [planner.rollsBack, rayService, rayService, rayService, '1.4'],
};

/** Error classes that are constructed from arguments, and that no function returns. */
function isOwn(made: unknown): boolean {
  return typeof made === 'function' && (made.prototype instanceof Error || made.prototype instanceof Construct);
}

/** Returns the functions of an export: itself, and its members. */
function functionsOf([name, made]: [string, unknown]): string[] {
  if (isOwn(made)) return [];
  const inner = Object.getOwnPropertyNames(made).filter((field) => typeof (made as Record<string, unknown>)[field] === 'function');
  return inner.length === 0 ? [name] : inner.map((field) => `${name}.${field}`);
}

test('every exported function is tested here', () => {
  const exported = [...Object.entries(rolloutkit), ...Object.entries(planner)].flatMap(functionsOf);
  expect(exported.filter((name) => !Object.hasOwn(CALLS, name))).toEqual([]);
});

/** Messages of JavaScript for unchecked values, and of throwing getters. Our errors quote them. */
const NOT_OURS = /^(?:Cannot |.* is not (?:a function|iterable|a constructor|an object)|Maximum call stack|Invalid |hostile|no$)/;

/** Returns an error without a message of ours, or undefined. */
function strangeError(call: Call, args: readonly unknown[]): unknown {
  try {
    call(...(args as never[]));
    return undefined;
  } catch (error) {
    const isOurs =
      error instanceof Error && error.name !== 'TypeError' && (/ throws "[^]*"$/.test(error.message) || !NOT_OURS.test(error.message));
    return isOurs ? undefined : error;
  }
}

/** Functions that iterate over the values of a plan of rolloutkit, so a number of a billion takes as long. */
const OF_PLANS: readonly string[] = ['diffPlans', 'renderPlanHtml', 'renderPlanSvg'];

function hostileFor(name: string): typeof HOSTILE_VALUES {
  return OF_PLANS.includes(name) ? HOSTILE_VALUES.filter(([what]) => what !== '30 levels of two') : HOSTILE_VALUES;
}

describe.each(Object.entries(CALLS))('%s', (name, [call, ...sound]) => {
  test('returns for valid arguments', () => {
    expect(() => call(...(sound as never[]))).not.toThrow();
  });

  test('returns, or says what is wrong, for any value anywhere in its arguments', () => {
    fc.assert(
      fc.property(fc.constantFrom(...placesIn(sound)), fc.constantFrom(...hostileFor(name)), (place, [, valueOf]) => {
        fc.pre(place.length > 0);
        expect(strangeError(call, withValueAt(sound, place, valueOf()) as unknown[])).toBeUndefined();
      }),
      { numRuns: sound.length === 0 ? 0 : 40 },
    );
  });
});
