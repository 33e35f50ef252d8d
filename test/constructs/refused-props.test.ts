/* oxlint-disable unicorn/no-thenable -- `then` is what a canary's props call the partitions behind it */
/** One synth reports everything that is wrong with the props of all constructs, each with the prop and the line of the user's code. */
import { ApiObject, App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import * as rolloutkit from 'rolloutkit';
import { errorOf } from './synth-error';
import { model } from '../builders/served-model';

const pod = { spec: { containers: [{ name: 'a', image: 'a:1' }] } };
const leaderWorkerTemplate = { workerTemplate: pod };
const rayCluster = {
  rayVersion: '2.46.0',
  headGroupSpec: { rayStartParams: { a: 'b' }, template: pod },
  workerGroupSpecs: [{ groupName: 'w', replicas: 1, minReplicas: 3, maxReplicas: 2, rayStartParams: {}, template: pod }],
};
const serveConfig = { applications: [{ name: 'app', import_path: 'app:app' }] };
const upgrade = { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 };
const anywhere = [{ clusterSelector: {} }];
const badSelector = { clusterSelector: { matchExpressions: [{ key: 'env', operator: 'Is' }] } };
const generators = [{ clusters: {} }];
const template = { metadata: { name: 'shop-{{name}}' }, spec: { project: 'default', destination: { server: '{{server}}' } } };
const gitRepo = { repo: 'https://example.com/shop', paths: ['shop'] };
const { Rollout, canary } = rolloutkit;

type Refused = readonly [what: string, props: unknown, said: readonly string[]];

/** Invalid props of each construct, and the beginnings of its error lines: a prop, or the code of a rule and a prop. */
const CONSTRUCTS: Readonly<Record<string, readonly Refused[]>> = {
  InferenceServiceRollout: [
    ['nothing', undefined, ['the props are undefined']],
    ['no predictor', {}, ['predictor is undefined']],
    ['another version', { kserve: 'new', predictor: { model } }, ['kserve: "new" is not a version of KServe: write it as 0.17 or 0.17.2']],
    [
      'limits and replicas',
      { predictor: { model, minReplicas: 3, maxReplicas: 2, rollout: { type: 'RollingUpdate', maxSurge: '1' } } },
      ['[kubernetes/quoted-integer] predictor.rollout.maxSurge:', '[kserve/invalid-service] predictor.minReplicas:'],
    ],
    [
      'fields of components, and others',
      {
        predictor: { model, maxReplicas: 'x', deploymentStrategy: { type: 'Fast' } },
        transformer: { containers: [{ name: 'kserve-container' }], others: { newField: 7, timeout: 'x' }, rollout: { mode: 'Fast' } },
      },
      [
        'transformer.others.timeout is a prop',
        '[kubernetes/invalid-strategy] predictor.deploymentStrategy:',
        '[kubernetes/invalid-strategy] transformer.rollout.mode:',
        '[input/wrong-type] predictor.maxReplicas:',
      ],
    ],
  ],
  LeaderWorkerSetRollout: [
    ['no template', { size: 2 }, ['leaderWorkerTemplate is undefined']],
    [
      'a container that is undefined',
      { leaderWorkerTemplate: { workerTemplate: { spec: { containers: [undefined, ...pod.spec.containers] } } } },
      [
        '[lws/template-refused] leaderWorkerTemplate.workerTemplate:',
        '[kubernetes/invalid-workload] leaderWorkerTemplate.workerTemplate.spec.containers[0].name:',
        '[kubernetes/invalid-workload] leaderWorkerTemplate.workerTemplate.spec.containers[0].image:',
      ],
    ],
    ['limits of pods', { leaderWorkerTemplate, rollout: Rollout.availability('25%') }, ['rollout is a map']],
    ['another version', { leaderWorkerTemplate, versions: { kubernetes: 'new' } }, ['versions.kubernetes: "new" is not a version']],
    [
      'numbers below their minimum',
      { leaderWorkerTemplate, size: 0, replicas: -1, partition: -1, rollout: { maxSurge: -1, maxUnavailable: '1' }, startupPolicy: 'Late' },
      [
        '[kubernetes/invalid-strategy] replicas:',
        '[kubernetes/quoted-integer] rollout.maxUnavailable:',
        '[kubernetes/invalid-strategy] rollout.maxSurge:',
        '[kubernetes/invalid-strategy] partition:',
        '[lws/invalid-set] startupPolicy:',
        '[lws/invalid-set] size:',
      ],
    ],
  ],
  DisaggregatedSetRollout: [
    ['no roles', {}, ['roles is undefined']],
    [
      'a name, replicas and a limit',
      {
        roles: [
          { name: 'P', replicas: -1, rollout: { maxSurge: '1' }, leaderWorkerTemplate },
          { name: 'decode', leaderWorkerTemplate },
        ],
      },
      [
        '[kubernetes/invalid-strategy] roles[0].replicas:',
        '[kubernetes/quoted-integer] roles[0].rollout.maxSurge:',
        '[lws/invalid-roles] roles[0].name:',
      ],
    ],
  ],
  FleetBundle: [
    ['no targets', {}, ['targets is missing']],
    [
      'a canary without clusters',
      { targets: anywhere, rollout: { partitions: canary({ clusters: [] }) } },
      ['rollout: a canary without clusters'],
    ],
    [
      'limits and dependencies',
      { targets: anywhere, dependsOn: [{}], rollout: { maxUnavailable: 0 } },
      ['[input/wrong-type] dependsOn[0]:'],
    ],
    [
      'a target after a customization',
      { targetCustomizations: anywhere, targets: [{ clusterSelector: {}, helm: { values: 7 } }] },
      ['[input/wrong-type] targets[0].helm.values:'],
    ],
    [
      'partitions after a canary',
      {
        targets: anywhere,
        rollout: {
          partitions: canary({ clusters: { matchLabels: { env: 'test' } }, then: [{ name: 'rest', ...badSelector } as never] }),
          catchAll: false,
        },
      },
      ['[fleet/invalid-selector] rollout.partitions.then[0].clusterSelector.matchExpressions[0].operator:'],
    ],
    [
      'a fleet.yaml',
      { output: 'fleet.yaml', gitRepo, targets: anywhere, rollout: { maxUnavailable: 0, maxNew: 0 } },
      ['[fleet/zero-max-unavailable] rollout.maxUnavailable:', '[fleet/max-new-zero] rollout.maxNew:'],
    ],
  ],
  ApplicationSetRollout: [
    ['no template', { generators, steps: [] }, ['template is undefined']],
    [
      'operators',
      {
        generators,
        template,
        steps: [{ match: { env: 'dev' }, matchExpressions: [{ key: 'tier', operator: 'Is', values: ['a'] }] }],
      },
      ['[argo-cd/invalid-operator] steps[0].matchExpressions[0].operator:'],
    ],
  ],
  LLMInferenceServiceRollout: [
    ['no model', { kserve: 'next' }, ['model is undefined']],
    ['a rollout that the version does not have', { model: { uri: 'hf://a/b' }, rollout: { maxSurge: 1 } }, ['rollout is set']],
    [
      'replicas and limits',
      {
        kserve: 'next',
        model: { uri: 'hf://a/b' },
        replicas: -1,
        prefill: { replicas: -1, rollout: { maxSurge: '1', maxUnavailable: 1 } },
      },
      [
        '[kubernetes/invalid-strategy] replicas:',
        '[kubernetes/invalid-strategy] prefill.replicas:',
        '[kubernetes/quoted-integer] prefill.rollout.maxSurge:',
      ],
    ],
  ],
  IncrementalRayService: [
    ['neither service nor cluster', { upgrade }, ['serveConfig is undefined', 'rayCluster is undefined']],
    [
      'a Serve config without applications',
      { upgrade, serveConfig: {}, rayCluster },
      ['serveConfig.applications is undefined; write a list'],
    ],
    [
      'an upgrade and a group',
      { upgrade: { ...upgrade, gatewayClassName: '', stepSizePercent: 500, intervalSeconds: 0 }, serveConfig, rayCluster },
      [
        '[kuberay/ray-cluster-spec] rayCluster.workerGroupSpecs[0].minReplicas:',
        '[kuberay/out-of-range] upgrade.stepSizePercent:',
        '[kuberay/interval-required] upgrade.intervalSeconds:',
        '[kuberay/gateway-class-required] upgrade.gatewayClassName:',
      ],
    ],
    [
      'a service of an upgrade by Git',
      { ownership: 'gitops', upgrade, current: { serveConfig, rayCluster }, next: { serveConfig } },
      ['next.rayCluster is undefined'],
    ],
  ],
  OperatorRollingUpdate: [
    ['no strategy', {}, ['strategy is undefined']],
    ['a mount path', { strategy: Rollout.recreate(), mountPath: 'status' }, ['mountPath is "status"']],
    [
      'limits and replicas',
      { strategy: { type: 'RollingUpdate', maxSurge: -1, maxUnavailable: '150%' }, replicas: -1 },
      [
        '[kubernetes/invalid-strategy] strategy.maxSurge:',
        '[kubernetes/invalid-strategy] strategy.maxUnavailable:',
        '[kubernetes/invalid-strategy] replicas:',
      ],
    ],
  ],
  RolloutGuardrails: [
    [
      'keys and values',
      { neverBelo: {}, neverBelow: { available: '120%' }, strategies: ['Canary', 'Blue'] },
      ['neverBelo: there is no such key', 'neverBelow.available: "120%"', 'strategies: "Canary"', 'strategies: "Blue"'],
    ],
    [
      'enforcement',
      { requireBudget: true, enforce: 'OPA', versions: { kubernetes: 'new' } },
      ['enforce is "OPA"', 'versions.kubernetes: "new"'],
    ],
  ],
};

const workload = (scope: Construct, kind: string) => new ApiObject(scope, 'it', { apiVersion: 'apps/v1', kind, spec: {} });
const zeros = { update: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 };

/** Invalid arguments of what is applied to objects. */
const APPLIED: Readonly<Record<string, readonly (readonly [what: string, apply: (scope: Construct) => void, said: readonly string[]])[]>> =
  {
    DeploymentPolicy: [
      [
        'limits',
        (scope) => void rolloutkit.DeploymentPolicy.stateless(zeros as never).applyTo(workload(scope, 'Deployment')),
        ['[kubernetes/invalid-strategy] maxUnavailable:'],
      ],
      [
        'numbers below 0',
        (scope) =>
          void rolloutkit.DeploymentPolicy.stateful({ update: 'RollingUpdate', partition: -1, replicas: -1 }).applyTo(
            workload(scope, 'StatefulSet'),
          ),
        ['[kubernetes/invalid-strategy] replicas:', '[kubernetes/invalid-strategy] partition:'],
      ],
      [
        'a type',
        (scope) => void rolloutkit.DeploymentPolicy.stateless({ update: 'Fast' } as never).applyTo(workload(scope, 'Deployment')),
        ['[kubernetes/invalid-strategy] update:'],
      ],
    ],
    DaemonSetPolicy: [
      [
        'numbers below 0',
        (scope) => void rolloutkit.DaemonSetPolicy.of({ maxSurge: -1, revisionHistory: -1 }).applyTo(workload(scope, 'DaemonSet')),
        ['[kubernetes/invalid-strategy] revisionHistory:', '[kubernetes/invalid-strategy] maxSurge:'],
      ],
      [
        'a number in quotes',
        (scope) => void rolloutkit.DaemonSetPolicy.of({ maxUnavailable: '1' } as never).applyTo(workload(scope, 'DaemonSet')),
        ['[kubernetes/quoted-integer] maxUnavailable:'],
      ],
    ],
    KServePlatformConfig: [
      [
        'the base ConfigMap',
        (scope) =>
          void rolloutkit.KServePlatformConfig.of({}).emit(scope, {
            id: 'it',
            base: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'inferenceservice-config' }, data: { deploy: '{' } },
          }),
        ['[kserve/invalid-config] base.data[deploy]:'],
      ],
    ],
  };

const EXPORTED = new Map<string, unknown>(Object.entries(rolloutkit));
const constructs = Object.entries(CONSTRUCTS).flatMap(([name, cases]) =>
  cases.map(([what, props, said]) => {
    const Build = EXPORTED.get(name) as new (scope: Construct, id: string, props: unknown) => object;
    return [name, what, (scope: Construct) => void new Build(scope, 'it', props), said] as const;
  }),
);
const applied = Object.entries(APPLIED).flatMap(([name, cases]) => cases.map(([what, apply, said]) => [name, what, apply, said] as const));
const ALL = [...constructs, ...applied];

test('every exported construct is tested here', () => {
  const isConstruct = (made: unknown) => typeof made === 'function' && made.prototype instanceof Construct;
  const exported = [...EXPORTED].filter(([, made]) => isConstruct(made));
  expect(Object.keys(CONSTRUCTS).toSorted()).toEqual(exported.map(([name]) => name).toSorted());
});

/** Returns each line without the text after its expected beginning, and without the position in the file. */
function shortened(line: string, expected: string): string {
  const [, path, said, file] = /^\s*(\[[^\]]*\]) (.*) \(created at ([^:]+):\d+:\d+\)$/.exec(line) ?? [line];
  return `${path} ${said?.startsWith(expected) ? expected : said} (${file})`;
}

test('one synth reports everything: the path of the construct, the prop, and the line of code that created it', () => {
  const app = new App();
  const made = ALL.map(([name, what, make, said]) => {
    const namespace = `${name} ${what}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    make(new Chart(app, namespace, { namespace }));
    return { path: `${namespace}/it`, said };
  });

  const [head, ...lines] = errorOf(() => app.synthYaml()).split('\n');
  expect(head).toBe('Validation failed with the following errors:');
  const expected = made.flatMap(({ path, said }) => said.map((begin) => ({ path, begin })));
  expect(lines.map((line, index) => shortened(line, expected[index]?.begin ?? '?'))).toEqual(
    expected.map(({ path, begin }) => `[${path}] ${begin} (test/constructs/refused-props.test.ts)`),
  );
});

/** Returns the line of this file with the next call. */
function nextLine(): number {
  return Number(/refused-props\.test\.ts:(\d+)/.exec(new Error().stack!.split('\n')[2]!)![1]) + 1;
}

test('the line is that of the call', () => {
  const app = new App();
  const chart = new Chart(app, 'shop');
  const first = nextLine();
  new rolloutkit.InferenceServiceRollout(chart, 'iris', {} as never);
  const second = nextLine();
  new rolloutkit.FleetBundle(chart, 'shop', { targets: anywhere, rollout: { maxUnavailable: 0 } });

  const lines = errorOf(() => app.synthYaml())
    .split('\n')
    .slice(1);
  expect(lines.map((line) => Number(/created at test\/constructs\/refused-props\.test\.ts:(\d+)/.exec(line)![1]))).toEqual([first, second]);
});

describe('a construct with rejected props', () => {
  test('has a bare object, no rollouts and no findings, so that the app continues', () => {
    const iris = new rolloutkit.InferenceServiceRollout(new Chart(new App(), 'shop'), 'iris', {} as never);

    expect(iris.apiObject.toJson()).toEqual({
      apiVersion: 'serving.kserve.io/v1beta1',
      kind: 'InferenceService',
      metadata: { name: 'iris' },
    });
    expect([iris.rollouts, iris.findings]).toEqual([[], []]);
    expect(iris.predictor).toEqual({ component: 'predictor', strategy: null, provenance: [] });
  });

  test('writes no files, and reports all errors of the synth', () => {
    const app = new App();
    const chart = new Chart(app, 'shop');
    const bundle = new rolloutkit.FleetBundle(chart, 'shop', {} as never);
    const upgraded = new rolloutkit.IncrementalRayService(chart, 'llm', { ownership: 'gitops' } as never);

    const said = errorOf(() => app.synthYaml());
    expect(said.split('\n')).toHaveLength(5);
    expect(errorOf(() => bundle.writeTo('nowhere'))).toBe(said);
    expect(errorOf(() => upgraded.writeStages('nowhere'))).toBe(said);
  });

  test('is not a duplicate of an object with its name', () => {
    const app = new App();
    const chart = new Chart(app, 'shop');
    new rolloutkit.LeaderWorkerSetRollout(chart, 'llama', {} as never);
    new rolloutkit.LeaderWorkerSetRollout(chart, 'other', { metadata: { name: 'llama' }, leaderWorkerTemplate });

    expect(
      errorOf(() => app.synthYaml())
        .split('\n')
        .slice(1),
    ).toEqual([expect.stringContaining('[shop/llama] leaderWorkerTemplate is undefined; write a map')]);
  });
});
