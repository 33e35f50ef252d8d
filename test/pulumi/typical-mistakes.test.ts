/** Typical mistakes in a Pulumi program: each is answered once, before anything is registered, on the line of the program. */
import { Provider } from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import {
  ApplicationSetRollout,
  DaemonSetPolicy,
  DeploymentPolicy,
  DisaggregatedSetRollout,
  FleetBundle,
  IncrementalRayService,
  InferenceServiceRollout,
  Inventory,
  KServePlatformConfig,
  LeaderWorkerSetRollout,
  LLMInferenceServiceRollout,
  OperatorRollingUpdate,
  Rollout,
  safeMaxSurgePercent,
} from 'rolloutkit/pulumi';
import { run } from './program';

const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://models/iris' };
const template = { spec: { containers: [{ name: 'ray', image: 'ray:1' }] } };
const serveConfig = { applications: [{ name: 'llm', import_path: 'llm:app' }] };
const rayCluster = { headGroupSpec: { template }, workerGroupSpecs: [] };
const upgrade = { gatewayClassName: 'istio', stepSizePercent: 5, maxSurgePercent: 20, intervalSeconds: 10 };
const leaderWorkerTemplate = { workerTemplate: template };
const targets = [{ clusterSelector: {} }];
const spec = { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, ...template } };
const workloads = [{ metadata: { name: 'web' }, spec }];

const MISTAKES: readonly (readonly [mistake: string, make: () => unknown, says: string])[] = [
  ['no args', () => new InferenceServiceRollout('it', undefined as never), 'the props are undefined; write a map'],
  ['no name', () => new InferenceServiceRollout({ predictor: { model } } as never, {} as never), 'the name is a map; pass a string'],
  [
    'a limit in quotes',
    () => new InferenceServiceRollout('it', { predictor: { model, rollout: { type: 'RollingUpdate', maxSurge: '1' as '1%' } } }),
    'predictor.rollout.maxSurge: maxSurge is "1", a number in quotes',
  ],
  [
    'both limits 0',
    () => new DeploymentPolicy('it', { stateless: { update: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 } as never, workloads }),
    'Write maxUnavailable: 1 to replace pods in place, or maxSurge: 1',
  ],
  ['an arg with a typo', () => new InferenceServiceRollout('it', { predictor: { model, minReplica: 4 } as never }), 'write minReplicas'],
  [
    'no model format',
    () => new InferenceServiceRollout('it', { predictor: { model: { storageUri: 's3://models/iris' } } }),
    "write modelFormat: { name: 'sklearn' }",
  ],
  [
    'a stage that the upgrade does not have',
    () => {
      const [current, next] = ['ray:1', 'ray:2'].map((image) => {
        const head = { template: { spec: { containers: [{ name: 'ray', image }] } } };
        return { serveConfig, rayCluster: { headGroupSpec: head, workerGroupSpecs: [] } };
      });
      return new IncrementalRayService('it', { ownership: 'gitops', upgrade, current: current!, next: next!, stage: 99 });
    },
    'stage is 99, but this upgrade has the stages 0 to 30. Set stage to one of them.',
  ],
  [
    'a namespace that is no DNS label',
    () => new InferenceServiceRollout('it', { metadata: { namespace: 'My_Models' }, predictor: { model } }),
    'metadata.namespace: namespace is "My_Models", which is not a DNS label',
  ],
  [
    'an image from a variable that is not set',
    () => {
      const containers = [{ name: 'web', image: process.env.NO_SUCH_IMAGE }];
      const pods = { ...spec, template: { ...spec.template, spec: { containers } } };
      return new DeploymentPolicy('it', { stateless: { update: 'Recreate' }, workloads: [{ metadata: { name: 'web' }, spec: pods }] });
    },
    'workloads[0].spec.template.spec.containers[0].image is undefined: write an image',
  ],
  [
    'a resource of a bundle without a name',
    () => new FleetBundle('it', { metadata: { namespace: 'fleet' }, targets, resources: [{ apiVersion: 'v1', kind: 'ConfigMap' }] }),
    'resources[0] has no metadata.name',
  ],
  [
    'an impossible goal',
    () =>
      new InferenceServiceRollout('it', { predictor: { minReplicas: 4, model, rollout: Rollout.goal({ available: 4, extraPods: 0 }) } }),
    'extra pods: 0 wanted, 1 is the closest possible',
  ],
  [
    'an unknown mode of the platform',
    () => new KServePlatformConfig('it', { defaultDeploymentMode: 'Raw' as never }),
    'Write Standard, Knative or ModelMesh.',
  ],
  [
    'a rollout of an LLM that no KServe has',
    () => new LLMInferenceServiceRollout('it', { model: { uri: 'hf://a' }, rollout: { maxSurge: 1 } }),
    'rollout is set, but KServe 0.17 has no field for it',
  ],
  [
    'a version that is none',
    () => new IncrementalRayService('it', { kuberay: 'latest', upgrade, serveConfig, rayCluster }),
    'kuberay: "latest" is not a version of KubeRay',
  ],
  [
    'an ownership that does not exist',
    () => new IncrementalRayService('it', { ownership: 'git' as never, upgrade, serveConfig, rayCluster }),
    "ownership is \"git\"; write 'operator' or 'gitops'",
  ],
  ['groups of size 0', () => new LeaderWorkerSetRollout('it', { size: 0, leaderWorkerTemplate }), 'Write a size of at least 1.'],
  [
    'limits of pods for groups',
    () => new LeaderWorkerSetRollout('it', { rollout: Rollout.groups({ maxSurge: 1 } as object), leaderWorkerTemplate }),
    'Rollout.groups: maxSurge is not a limit in groups; write surge',
  ],
  [
    'one role',
    () => new DisaggregatedSetRollout('it', { roles: [{ name: 'a', replicas: 1, leaderWorkerTemplate }] }),
    'For a single role, use a LeaderWorkerSet.',
  ],
  ['a bundle without targets', () => new FleetBundle('it', { rollout: {} } as never), 'set targets, such as [{ clusterSelector: {} }]'],
  [
    'a path as the inventory',
    () => new FleetBundle('it', { targets, inventory: 'clusters.yaml' as never }),
    'pass the result of Inventory.of',
  ],
  ['an inventory that does not exist', () => Inventory.fromFile('clusters.yaml'), 'clusters.yaml: no such file or folder'],
  [
    'an ApplicationSet without steps',
    () =>
      new ApplicationSetRollout('it', {
        generators: [{ clusters: {} }],
        template: { metadata: { name: 'a' }, spec: { project: 'default', destination: { server: '{{server}}' } } },
      } as never),
    'steps is undefined: write a list of steps',
  ],
  [
    'a policy without workloads',
    () => new DeploymentPolicy('it', { stateless: { update: 'Recreate' } } as never),
    'workloads is undefined; write a list of workloads',
  ],
  [
    'both limits of a DaemonSet',
    () => new DaemonSetPolicy('it', { policy: { maxSurge: 1, maxUnavailable: 1 } as never, workloads }),
    'Write maxUnavailable: 0 in addition to maxSurge, or delete maxSurge.',
  ],
  [
    'a strategy outside spec',
    () =>
      new OperatorRollingUpdate('it', {
        resource: { apiVersion: 'a.example/v1', kind: 'Db', metadata: { name: 'db' }, spec: {} },
        replicas: 5,
        strategy: Rollout.recreate(),
        mountPath: 'strategy',
      }),
    'mountPath is "strategy", which is not a field below spec',
  ],
  ['half of a pair of amounts', () => safeMaxSurgePercent({ totalGpus: 5 }), 'GPUs: one pod has undefined and the cluster 5'],
  [
    'a partition that no index of a StatefulSet reaches',
    () => new DeploymentPolicy('it', { stateful: { update: 'RollingUpdate', partition: 5, replicas: 3 }, workloads }),
    'stateful: partition is 5, but the StatefulSet has 3 replicas, and the highest index is 2: no update reaches a pod; write 2 or less',
  ],
  [
    'two policies in one component',
    () => new DeploymentPolicy('it', { stateless: { update: 'Recreate' }, stateful: { update: 'OnDelete' }, workloads } as never),
    'stateless and stateful are both set; set one of them',
  ],
  [
    'a policy without an update',
    () => new DeploymentPolicy('it', { stateless: { maxSurge: 1 } as never, workloads }),
    "stateless: update is missing; write update: 'RollingUpdate' or update: 'Recreate'",
  ],
  [
    'a DaemonSet policy that says nothing',
    () => new DaemonSetPolicy('it', { policy: {} as never, workloads }),
    "maxUnavailable, maxSurge and update are missing; write one of them, such as maxUnavailable: '10%'",
  ],
  [
    'a bundle of nothing',
    () => new FleetBundle('it', { targets, resources: [] }),
    'resources has no objects, so the bundle deploys nothing; add objects, or leave resources out',
  ],
  [
    'a stage from the config as a text',
    () => {
      const service = { serveConfig, rayCluster };
      return new IncrementalRayService('it', { ownership: 'gitops', upgrade, current: service, next: service, stage: '3' as never });
    },
    'stage is "3", and a stack contains one stage: write its number',
  ],
  [
    'a label with a typo in a step',
    () =>
      new ApplicationSetRollout('it', {
        generators: [{ clusters: {} }],
        template: {
          metadata: { name: '{{name}}', labels: { env: 'dev' } },
          spec: { project: 'default', destination: { server: '{{server}}' } },
        },
        steps: [{ match: { evn: 'dev' } }],
      }),
    'steps[0].match.evn: no Application has the label "evn"',
  ],
];

test.each(MISTAKES)('%s is answered on the line of the program', async (_, make, says) => {
  let message = 'nothing: the program ran';
  let shown: string | undefined;
  const { resources } = await run(() => {
    try {
      make();
    } catch (error) {
      ({ message } = error as Error);
      // Pulumi shows the stack of every error that is not a RunError.
      shown = pulumi.RunError.isInstance(error) ? message : (error as Error).stack;
    }
  });

  expect(message).toContain(says);
  expect(message.match(/ \((?:created|called) at test\/pulumi\/typical-mistakes\.test\.ts:\d+:\d+\)/g)).toHaveLength(1);
  expect(shown).not.toMatch(/^ +at /m);
  expect(resources).toEqual([]);
});

test('what only the API server refuses, in the pods, is logged with the component', async () => {
  const { logged } = await run(() => {
    new InferenceServiceRollout('iris', { predictor: { model }, transformer: { containers: [{ name: 'kserve-container' }] } });
    new LLMInferenceServiceRollout('chat', { model: { uri: 'hf://a/b' }, template: { containers: [{ name: 'main' }] } });
  });
  expect(logged.filter((line) => line.includes('is missing or empty'))).toEqual([
    expect.stringContaining('warn iris: [kubernetes/invalid-workload] spec.transformer.containers[0].image'),
  ]);
});

describe('one object of two components', () => {
  const service = { metadata: { name: 'iris' }, predictor: { model } };
  const create = (opts?: pulumi.ComponentResourceOptions) => {
    new InferenceServiceRollout('first', service);
    new InferenceServiceRollout('second', service, opts);
  };

  test('is refused, with both lines: the second create would fail', async () => {
    let message = '';
    await run(() => {
      try {
        create();
      } catch (error) {
        ({ message } = error as Error);
      }
    });

    expect(message).toMatch(
      /^InferenceServiceRollout "second" \(created at test\/pulumi\/typical-mistakes\.test\.ts:\d+:\d+\) is refused:\n  InferenceService iris is also created by InferenceServiceRollout "first" \(created at test\/pulumi/,
    );
  });

  test('is fine in two clusters, or if the program runs again', async () => {
    const inTwoClusters = () => create({ provider: new Provider('other', {}) });
    for (let times = 0; times < 2; times++) {
      const { resources } = await run(inTwoClusters);
      expect(resources.filter(({ type }) => type.endsWith(':InferenceService'))).toHaveLength(2);
    }
  });
});
