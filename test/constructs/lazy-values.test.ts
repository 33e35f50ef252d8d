/** A `Lazy` is kept where a construct only writes it. Where a construct reads it, the error names the construct and the prop. */
import { ApiObject, App, Chart, Lazy } from 'cdk8s';
import {
  ApplicationSetRollout,
  DaemonSetPolicy,
  DeploymentPolicy,
  FleetBundle,
  IncrementalRayService,
  InferenceServiceRollout,
  KServePlatformConfig,
  LeaderWorkerSetRollout,
  LLMInferenceServiceRollout,
  OperatorRollingUpdate,
  RolloutGuardrails,
} from '../../src';
import { placesIn, withValueAt } from '../hostile-values';
import type { Place } from '../hostile-values';
import { errorOf, synthError, withoutPlaces } from './synth-error';

const later = (value: unknown) => Lazy.any({ produce: () => value }) as never;

const webSpec = {
  selector: { matchLabels: { app: 'web' } },
  template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:2' }] } },
};
const web = (chart: Chart, kind = 'Deployment') =>
  new ApiObject(chart, 'web', { apiVersion: 'apps/v1', kind, metadata: { name: 'web' }, spec: webSpec });

const drain = { longestRequest: '10m' };
const container = { name: 'kserve-container', image: 'web:2' };
const groups = (spec: Readonly<Record<string, unknown>>) => ({ replicas: 2, drain, leaderWorkerTemplate: { workerTemplate: { spec } } });

test.each<[what: string, create: (chart: Chart) => unknown, line: string]>([
  [
    'a limit of a DeploymentPolicy',
    (chart) => DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: later(1), maxUnavailable: 0 } as never).applyTo(web(chart)),
    '[shop/web] DeploymentPolicy.stateless: maxSurge is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  ],
  [
    'a limit of a DaemonSetPolicy',
    (chart) => DaemonSetPolicy.of({ maxUnavailable: later('10%') }).applyTo(web(chart, 'DaemonSet')),
    '[shop/web] DaemonSetPolicy: maxUnavailable is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  ],
  [
    'the labels of applyToAll',
    (chart) => {
      web(chart);
      DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1 }).applyToAll(chart, { matchLabels: { app: later('web') } });
    },
    '[shop] applyToAll: matchLabels.app is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  ],
  [
    'the entire resource of an operator',
    (chart) => new OperatorRollingUpdate(chart, 'baw', { strategy: { type: 'Recreate' }, resource: later({ kind: 'ICP4ACluster' }) }),
    '[shop/baw] resource is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  ],
  [
    'what contains the mount path of an operator',
    (chart) => new OperatorRollingUpdate(chart, 'baw', { strategy: { type: 'Recreate' }, resource: { spec: later({}) } }),
    '[shop/baw] resource.spec is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  ],
  [
    'the other fields of a component',
    (chart) => new InferenceServiceRollout(chart, 'iris', { predictor: { containers: [container], others: later({ a: 1 }) } }),
    '[shop/iris] predictor.others is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  ],
  [
    'a version',
    (chart) => new InferenceServiceRollout(chart, 'iris', { kserve: later('0.20'), predictor: { containers: [container] } }),
    '[shop/iris] kserve is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  ],
  [
    'all props',
    (chart) => new InferenceServiceRollout(chart, 'iris', later({ predictor: { containers: [container] } })),
    '[shop/iris] the map of props is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  ],
  [
    'an object in the text of a Bundle',
    (chart) =>
      new FleetBundle(chart, 'shop', {
        metadata: { namespace: 'fleet-default' },
        targets: [{ clusterSelector: {} }],
        resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: later('b') } }] as never,
      }),
    '[shop/shop] resources[0].data.a is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  ],
  [
    'the kind of partitions',
    (chart) =>
      new FleetBundle(chart, 'shop', {
        metadata: { namespace: 'fleet-default' },
        targets: [{ clusterSelector: {} }],
        rollout: { partitions: { kind: later('automatic'), size: '10%' } },
      }),
    '[shop/shop] rollout.partitions.kind is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  ],
  [
    'a limit of guardrails',
    (chart) => new RolloutGuardrails(chart, 'guard', { neverBelow: { available: later('75%') } }),
    '[shop/guard] neverBelow.available is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  ],
  [
    'the program of a server that drains',
    (chart) => new LeaderWorkerSetRollout(chart, 'llama', groups({ containers: [{ ...container, command: [later('vllm'), 'serve'] }] })),
    '[shop/llama] drain.longestRequest needs 600 s, but leaderWorkerTemplate.workerTemplate.spec.containers[0] starts a program that is known only later, ' +
      'and so is the flag of its server: write its name as plain text',
  ],
  [
    'the grace period of pods that drain',
    (chart) => new LeaderWorkerSetRollout(chart, 'llama', groups({ containers: [container], terminationGracePeriodSeconds: later(5) })),
    '[shop/llama] drain.longestRequest needs 600 s, but leaderWorkerTemplate.workerTemplate.spec.terminationGracePeriodSeconds is known only later, ' +
      'and the drain reads it: write it plainly',
  ],
  [
    'the hooks of pods that drain',
    (chart) => new LeaderWorkerSetRollout(chart, 'llama', groups({ containers: [{ ...container, lifecycle: later({}) }] })),
    '[shop/llama] drain.longestRequest needs 600 s, but leaderWorkerTemplate.workerTemplate.spec.containers[0].lifecycle is known only later, ' +
      'and the drain reads it: write it plainly',
  ],
])('%s', (_what, create, line) => {
  expect(withoutPlaces(synthError((chart) => void create(chart)))).toBe(`Validation failed with the following errors:\n  ${line}`);
});

test('a limit of a platform level', () => {
  const create = () => KServePlatformConfig.of({ defaultRollout: { maxSurge: later(1) } });
  expect(withoutPlaces(errorOf(create))).toBe(
    'platform config: defaultRollout.maxSurge is a Lazy value, which is known only at synth, but it is needed before: write the plain value',
  );
});

test('an argument that is a Lazy does not hide the server, which gets the flag of the drain', () => {
  const app = new App();
  const server = { name: 'kserve-container', image: 'vllm/vllm-openai:v0.19.0', args: ['--model', later('m')] };
  new InferenceServiceRollout(new Chart(app, 'shop'), 'iris', { predictor: { containers: [server], drain } });

  expect(app.synthYaml()).toContain(`
      - args:
          - --model
          - m
          - --shutdown-timeout
          - "600"
`);
});

const template = { spec: { containers: [{ name: 'ray', image: 'ray:2', resources: { limits: { cpu: '1' } } }] } };
const VALID: readonly (readonly [name: string, create: (chart: Chart, props: never) => unknown, props: object])[] = [
  [
    'InferenceServiceRollout',
    (chart, props) => new InferenceServiceRollout(chart, 'it', props),
    {
      metadata: { labels: { a: 'b' } },
      kserve: '0.20',
      predictor: { minReplicas: 2, containers: [container], rollout: { mode: 'Availability', ratio: '25%' }, others: { a: 1 } },
    },
  ],
  [
    'IncrementalRayService',
    (chart, props) => new IncrementalRayService(chart, 'it', props),
    {
      upgrade: { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 },
      serveConfig: { applications: [{ name: 'app', import_path: 'app:app' }] },
      rayCluster: { headGroupSpec: { rayStartParams: {}, template }, workerGroupSpecs: [{ groupName: 'w', replicas: 1, template }] },
    },
  ],
  [
    'FleetBundle',
    (chart, props) => new FleetBundle(chart, 'it', props),
    {
      metadata: { namespace: 'fleet-default' },
      targets: [{ clusterSelector: { matchLabels: { a: 'b' } } }],
      rollout: { maxUnavailable: '10%', partitions: [{ name: 'p', clusterSelector: {} }] },
      resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } }],
    },
  ],
  [
    'ApplicationSetRollout',
    (chart, props) => new ApplicationSetRollout(chart, 'it', props),
    {
      generators: [{ clusters: {} }],
      template: {
        metadata: { name: '{{name}}', labels: { env: 'dev' } },
        spec: { project: 'default', destination: { server: '{{server}}' } },
      },
      steps: [{ match: { env: 'dev' }, maxUpdate: '10%' }],
    },
  ],
  [
    'LeaderWorkerSetRollout',
    (chart, props) => new LeaderWorkerSetRollout(chart, 'it', props),
    {
      ...groups({ containers: [{ ...container, command: ['uvicorn', 'app:app'] }] }),
      size: 2,
      rollout: { maxSurge: 1, maxUnavailable: 0 },
    },
  ],
  [
    'LLMInferenceServiceRollout',
    (chart, props) => new LLMInferenceServiceRollout(chart, 'it', props),
    { kserve: 'next', model: { uri: 'hf://a', name: 'a' }, replicas: 2, rollout: { maxSurge: 0, maxUnavailable: 1 } },
  ],
  [
    'OperatorRollingUpdate',
    (chart, props) => new OperatorRollingUpdate(chart, 'it', props),
    {
      strategy: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' },
      replicas: 5,
      mountPath: 'spec.baw[0].strategy',
      resource: { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { labels: { a: 'b' } }, spec: { baw: [{ a: 1 }] } },
    },
  ],
];

describe.each(VALID)('any prop of %s', (_name, create, props) => {
  const synthesize = (given: object) => {
    const app = new App();
    return errorOrYaml(() => {
      create(new Chart(app, 'shop'), given as never);
      return app.synthYaml();
    });
  };
  const plain = synthesize(props);

  test('as a Lazy is written as its plain value, or refused with its path', () => {
    const valueAt = (place: Place) => place.reduce<unknown>((value, part) => (value as Record<string | number, unknown>)[part], props);
    const others = placesIn(props).flatMap((place) => {
      const given = withValueAt(props, place, later(valueAt(place)));
      const said = synthesize(given as object);
      return said === plain || /is a Lazy value|a token that is resolved at synth|known only later/.test(said) ? [] : [[place, said]];
    });

    expect(plain).toContain('apiVersion: ');
    expect(others).toEqual([]);
  });
});

function errorOrYaml(run: () => string): string {
  let yaml = '';
  const error = errorOf(() => (yaml = run()));
  return yaml === '' ? error : yaml;
}
