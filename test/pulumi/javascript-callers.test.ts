/** JavaScript checks no types: for any value of an arg, the error names the component and the prop, and nothing is registered. */
import * as fc from 'fast-check';
import {
  ApplicationSetRollout,
  DaemonSetPolicy,
  DeploymentPolicy,
  FleetBundle,
  IncrementalRayService,
  InferenceServiceRollout,
  KServePlatformConfig,
  DisaggregatedSetRollout,
  LeaderWorkerSetRollout,
  OperatorRollingUpdate,
  Rollout,
} from 'rolloutkit/pulumi';
import { cyclic, HOSTILE_VALUES, placesIn, withValueAt } from '../hostile-values';
import { run } from './program';
import { scaleRuns } from '../setup/scale-runs';

const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://bucket' };
const template = { spec: { containers: [{ name: 'ray', image: 'ray:2' }] } };
const workloads = [
  {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
    },
  },
];

const SOUND_ARGS: readonly (readonly [name: string, Component: new (...args: never[]) => unknown, args: object])[] = [
  [
    'InferenceServiceRollout',
    InferenceServiceRollout,
    {
      predictor: { model, minReplicas: 2, rollout: Rollout.availability('25%') },
      platform: { defaultRollout: { maxSurge: '1%', maxUnavailable: '1%' } },
    },
  ],
  [
    'IncrementalRayService',
    IncrementalRayService,
    {
      upgrade: { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 },
      serveConfig: { applications: [{ name: 'app', import_path: 'app:app' }] },
      rayCluster: {
        headGroupSpec: { rayStartParams: {}, template },
        workerGroupSpecs: [{ groupName: 'w', replicas: 1, rayStartParams: {}, template }],
      },
    },
  ],
  [
    'FleetBundle',
    FleetBundle,
    {
      targets: [{ clusterSelector: { matchLabels: { a: 'b' } } }],
      rollout: { maxUnavailable: '10%', partitions: [{ name: 'p', clusterSelector: {} }] },
      inventory: { clusters: [{ name: 'one', labels: { a: 'b' } }], groups: [] },
      resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }],
    },
  ],
  [
    'ApplicationSetRollout',
    ApplicationSetRollout,
    {
      generators: [{ list: { elements: [{ env: 'dev' }] } }],
      template: {
        metadata: { name: 'shop-{{env}}', labels: { env: '{{env}}' } },
        spec: { project: 'default', destination: { server: '{{server}}' } },
      },
      steps: [{ match: { env: ['dev'] }, matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['prod'] }], maxUpdate: '10%' }],
      inventory: { clusters: [{ name: 'one', labels: { a: 'b' } }], groups: [] },
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
    'OperatorRollingUpdate',
    OperatorRollingUpdate,
    { strategy: Rollout.recreate(), replicas: 5, resource: { apiVersion: 'a.b/v1', kind: 'A', metadata: { name: 'a' }, spec: {} } },
  ],
  [
    'KServePlatformConfig',
    KServePlatformConfig,
    { defaultRollout: { maxSurge: '1%', maxUnavailable: '1%' }, base: { apiVersion: 'v1', kind: 'ConfigMap' } },
  ],
  ['DeploymentPolicy', DeploymentPolicy, { stateless: { update: 'RollingUpdate', maxSurge: 1 }, workloads, surroundings: [] }],
  ['DaemonSetPolicy', DaemonSetPolicy, { policy: { maxUnavailable: 1 }, workloads }],
];

async function refusalOf(Component: new (...args: never[]) => unknown, args: unknown): Promise<unknown> {
  try {
    await run(() => {
      try {
        Reflect.construct(Component, ['it', args]);
      } catch (error) {
        throw { refusal: error };
      }
    });
    return undefined;
  } catch (error) {
    // Pulumi's own errors about our resources, such as an unknown annotation, are not ours.
    return (error as { readonly refusal?: unknown }).refusal;
  }
}

test.each<[unknown, string]>([
  [Symbol('x'), 'InferenceServiceRollout "Symbol(x)" is refused: the name is a symbol; pass a string'],
  [5, 'InferenceServiceRollout "5" is refused: the name is 5; pass a string'],
  [undefined, 'InferenceServiceRollout "undefined" is refused: the name is undefined; pass a string'],
])('a name that is %p is refused', async (name, said) => {
  const args = { predictor: { model } };
  const error = await run(() => new InferenceServiceRollout(name as never, args)).catch((thrown: unknown) => thrown);
  expect((error as Error).message.replace(/ \(created at [^)]*\)/, '').replace(/\s+/g, ' ')).toBe(said);
});

test('options may be null', async () => {
  const { resources } = await run(() => new InferenceServiceRollout('it', { predictor: { model } }, null as never));
  expect(resources.map(({ type }) => type)).toContain('rolloutkit:kserve:InferenceServiceRollout');
});

describe.each(SOUND_ARGS)('%s', (kind, Component, sound) => {
  test('is registered with the valid args that the hostile ones derive from', async () => {
    expect(await refusalOf(Component, sound)).toBeUndefined();
  });

  test('is registered, or refused with its name, for any value anywhere in its args', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...placesIn(sound)), fc.constantFrom(...HOSTILE_VALUES), async (place, [, valueOf]) => {
        const refusal = await refusalOf(Component, withValueAt(sound, place, valueOf()));
        if (refusal === undefined) return;
        expect(refusal).toBeInstanceOf(Error);
        expect((refusal as Error).message).toMatch(`${kind} "it" is refused`);
      }),
      { numRuns: scaleRuns(25) },
    );
  });

  test.each([
    ['null', null, 'the props are null; write a map'],
    ['a bigint', 5n, '; write a map'],
    [
      'a cycle',
      cyclic(),
      'inner.again contains itself, or is nested more than 1000 levels deep; write plain data: a string, number, boolean, list or map',
    ],
  ])('with %s as args is refused before it is registered', async (_what, args, line) => {
    const refused = run(() => Reflect.construct(Component, ['it', args]));

    await expect(refused).rejects.toThrow(`${kind} "it" is refused`);
    await expect(refused).rejects.toThrow(line);
  });
});

test('a component that is refused never reaches the engine', async () => {
  const { resources } = await run(() => {
    expect(
      () =>
        new InferenceServiceRollout('it', {
          predictor: { model, rollout: Rollout.rollingUpdate({ maxSurge: 0, maxUnavailable: '0%' } as never) },
        }),
    ).toThrow('InferenceServiceRollout "it" is refused');
    expect(() => new DeploymentPolicy('web', { stateless: { update: 'RollingUpdate', maxSurge: 2 ** 40 }, workloads })).toThrow(
      'DeploymentPolicy "web" is refused',
    );
  });

  expect(resources).toEqual([]);
});
