import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import {
  ApplicationSetRollout,
  canary,
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
  partitionsByLabel,
  Rollout,
  RolloutGuardrails,
  RolloutPlan,
  safeMaxSurgePercent,
} from 'rolloutkit';
import { errorOf, synthError } from './synth-error';

const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://models/iris' };
const template = { spec: { containers: [{ name: 'ray', image: 'ray:1' }] } };
const rayCluster = {
  headGroupSpec: { template },
  workerGroupSpecs: [{ groupName: 'gpu', replicas: 1, minReplicas: 0, maxReplicas: 1, template }],
};
const serveConfig = { applications: [{ name: 'llm', import_path: 'llm:app' }] };
const workerTemplate = { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }] } };
const targets = [{ clusterSelector: {} }];
const resource = { apiVersion: 'a.example/v1', kind: 'Db', metadata: { name: 'db' }, spec: {} };

const applications = {
  generators: [{ clusters: {} }],
  template: {
    metadata: { name: '{{name}}', labels: { env: '{{metadata.labels.env}}' } },
    spec: { project: 'default', destination: { server: '{{server}}' } },
  },
};

function workload(chart: Chart, kind: string): ApiObject {
  const pods = { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: workerTemplate.spec } };
  return new ApiObject(chart, 'web', { apiVersion: 'apps/v1', kind, metadata: { name: 'web' }, spec: pods });
}

/** Typical mistakes: how a user makes each, cast where TypeScript refuses it too, and what the error says. */
const MISTAKES: readonly (readonly [mistake: string, make: (chart: Chart) => unknown, says: string])[] = [
  [
    'a limit in quotes',
    (chart) =>
      new InferenceServiceRollout(chart, 'it', { predictor: { model, rollout: { type: 'RollingUpdate', maxSurge: '1' as '1%' } } }),
    'predictor.rollout.maxSurge: maxSurge is "1", a number in quotes',
  ],
  [
    'both limits 0',
    (chart) =>
      new InferenceServiceRollout(chart, 'it', {
        predictor: { model, rollout: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 } },
      }),
    'Write maxUnavailable: 1 to replace pods in place, or maxSurge: 1 to keep every replica available.',
  ],
  [
    'a mode in lower case',
    (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { model, rollout: { mode: 'availability', ratio: '25%' } as never } }),
    'Write Availability or ResourceAware.',
  ],
  [
    'a prop with a typo',
    (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { model, minReplica: 4 } as never }),
    'predictor.minReplica is not a prop; write minReplicas',
  ],
  [
    'a namespace that is no DNS label',
    (chart) => new InferenceServiceRollout(chart, 'it', { metadata: { namespace: 'My_Models' }, predictor: { model } }),
    'metadata.namespace: namespace is "My_Models", which is not a DNS label',
  ],
  [
    'a label that is too long',
    (chart) =>
      new LeaderWorkerSetRollout(chart, 'it', {
        metadata: { labels: { team: 'a'.repeat(70) } },
        leaderWorkerTemplate: { workerTemplate },
      }),
    'metadata.labels[team]: labels[team] has 70 characters, but the API server allows at most 63',
  ],
  [
    'a quantity with a space',
    (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { model: { ...model, resources: { limits: { memory: '4 Gi' } } } } }),
    'predictor.model.resources.limits[memory]: limits[memory] is "4 Gi", but the API requires a quantity',
  ],
  [
    'two models',
    (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { model, sklearn: { storageUri: 's3://models/iris' } } }),
    'predictor has model and sklearn, but KServe serves only one model: delete sklearn',
  ],
  [
    'a model without a URI',
    (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { model: { ...model, storageUri: '' } } }),
    'predictor.model.storageUri is empty',
  ],
  [
    'the URI of an LLM from a variable that is empty',
    (chart) => new LLMInferenceServiceRollout(chart, 'it', { model: { uri: '' } }),
    'model.uri is "": write a URI such as hf://Qwen/Qwen3-8B',
  ],
  [
    'an image from a variable that is not set',
    (chart) => {
      const containers = [{ name: 'vllm', image: process.env.NO_SUCH_IMAGE }];
      return new LeaderWorkerSetRollout(chart, 'it', { leaderWorkerTemplate: { workerTemplate: { spec: { containers } } } });
    },
    'leaderWorkerTemplate.workerTemplate.spec.containers[0].image is undefined: write an image, and check the variable',
  ],
  [
    'a tag from a variable that is not set',
    (chart) => {
      const containers = [{ name: 'kserve-container', image: `server:${String(process.env.NO_SUCH_TAG)}` }];
      return new InferenceServiceRollout(chart, 'it', { predictor: { containers } });
    },
    'predictor.containers[0].image is "server:undefined", with a tag that was undefined',
  ],
  [
    'a resource of a bundle without a name',
    (chart) => new FleetBundle(chart, 'it', { targets, resources: [{ apiVersion: 'v1', kind: 'ConfigMap' }] }),
    'resources[0] has no metadata.name, so the agent of Fleet cannot deploy it',
  ],
  [
    'a version that is not released',
    (chart) => new InferenceServiceRollout(chart, 'it', { kserve: 'next', predictor: { model } }),
    'kserve: "next" is not a version of KServe: write it as 0.17 or 0.17.2',
  ],
  ['no predictor', (chart) => new InferenceServiceRollout(chart, 'it', {} as never), 'predictor is undefined; write a map'],
  [
    'no model format',
    (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { model: { storageUri: 's3://models/iris' } } }),
    "write modelFormat: { name: 'sklearn' }",
  ],
  [
    'a rollout next to a strategy',
    (chart) =>
      new InferenceServiceRollout(chart, 'it', {
        predictor: { model, rollout: Rollout.recreate(), deploymentStrategy: { type: 'Recreate' } },
      }),
    'predictor has both rollout and deploymentStrategy',
  ],
  [
    'a ratio above 100%',
    (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { model, rollout: Rollout.resourceAware('150%') } }),
    'Write a percentage from "0%" to "100%".',
  ],
  [
    'fewer maximum than minimum replicas',
    (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { model, minReplicas: 4, maxReplicas: 2 } }),
    'Write maxReplicas: 4 or more.',
  ],
  [
    'a name that is no DNS name',
    (chart) => new InferenceServiceRollout(chart, 'it', { metadata: { name: 'My_Model' }, predictor: { model } }),
    'Write a name such as my-model.',
  ],
  [
    'a platform file that does not exist',
    () => KServePlatformConfig.fromFile('missing.yaml'),
    'missing.yaml: no such file or folder; name a file with the ConfigMap',
  ],
  [
    'a platform file from a variable that is not set',
    () => KServePlatformConfig.fromFile(process.env.NO_SUCH_FILE as string),
    'platform config: the path is undefined; write the path of a file (called at ',
  ],
  [
    'an unknown mode of the platform',
    () => KServePlatformConfig.of({ defaultDeploymentMode: 'Raw' as never }),
    'Write Standard, Knative or ModelMesh.',
  ],
  [
    'an inventory that does not exist',
    () => Inventory.fromFile('clusters.yaml'),
    'clusters.yaml: no such file or folder; name a file with Cluster objects',
  ],
  [
    'a rollout of an LLM that no KServe has',
    (chart) => new LLMInferenceServiceRollout(chart, 'it', { model: { uri: 'hf://a' }, rollout: { maxSurge: 1 } }),
    'rollout is set, but KServe 0.17 has no field for it',
  ],
  [
    'a step of 0 percent',
    (chart) =>
      new IncrementalRayService(chart, 'it', {
        upgrade: { gatewayClassName: 'istio', stepSizePercent: 0, maxSurgePercent: 20 },
        serveConfig,
        rayCluster,
      }),
    'Set stepSizePercent to between 1 and 20',
  ],
  [
    'no GatewayClass',
    (chart) => new IncrementalRayService(chart, 'it', { upgrade: { stepSizePercent: 5 } as never, serveConfig, rayCluster }),
    'Set the name of a GatewayClass in the cluster',
  ],
  [
    'an amount of memory with a space in a Ray cluster',
    (chart) => {
      const head = { spec: { containers: [{ name: 'ray', image: 'ray:1', resources: { limits: { memory: '4 Gi' } } }] } };
      return new IncrementalRayService(chart, 'it', {
        upgrade: { gatewayClassName: 'istio', stepSizePercent: 5, maxSurgePercent: 20, intervalSeconds: 10 },
        serveConfig,
        rayCluster: { ...rayCluster, headGroupSpec: { template: head } },
      });
    },
    'limits[memory] is "4 Gi", but the API requires a quantity such as "500m" or "1Gi" here',
  ],
  [
    'a stage that does not exist',
    (chart) =>
      new IncrementalRayService(chart, 'it', {
        ownership: 'gitops',
        upgrade: { gatewayClassName: 'istio', stepSizePercent: 50, maxSurgePercent: 50, intervalSeconds: 10 },
        current: { serveConfig, rayCluster },
        next: { serveConfig, rayCluster },
        stage: 99,
      }),
    'stage is 99, but this upgrade has the stages 0 to 6',
  ],
  [
    'groups of size 0',
    (chart) => new LeaderWorkerSetRollout(chart, 'it', { replicas: 2, size: 0, leaderWorkerTemplate: { workerTemplate } }),
    'Write a size of at least 1.',
  ],
  [
    'one role',
    (chart) => new DisaggregatedSetRollout(chart, 'it', { roles: [{ name: 'a', replicas: 1, leaderWorkerTemplate: { workerTemplate } }] }),
    'For a single role, use a LeaderWorkerSet.',
  ],
  [
    'a bundle without targets',
    (chart) => new FleetBundle(chart, 'it', { rollout: {} } as never),
    'set targets, such as [{ clusterSelector: {} }]',
  ],
  [
    'a canary without an inventory',
    (chart) => new FleetBundle(chart, 'it', { targets, rollout: { partitions: canary({ clusters: 1 }) } }),
    'a canary of 1 needs an inventory',
  ],
  [
    'a bundle that never updates',
    (chart) => new FleetBundle(chart, 'it', { targets, rollout: { maxUnavailable: 0 } }),
    'Set maxUnavailable: 1, the smallest value that allows updates',
  ],
  [
    'an ApplicationSet without steps',
    (chart) =>
      new ApplicationSetRollout(chart, 'it', {
        generators: [{ clusters: {} }],
        template: { metadata: { name: 'a' }, spec: { project: 'default', destination: { server: '{{server}}' } } },
      } as never),
    'steps is undefined: write a list of steps',
  ],
  [
    'a policy for another kind',
    (chart) => DeploymentPolicy.stateful({ update: 'OnDelete' }).applyTo(workload(chart, 'Deployment')),
    'Use DeploymentPolicy.stateless for a Deployment.',
  ],
  [
    'both limits of a DaemonSet',
    (chart) => DaemonSetPolicy.of({ maxSurge: 1, maxUnavailable: 1 } as never).applyTo(workload(chart, 'DaemonSet')),
    'Write maxUnavailable: 0 in addition to maxSurge, or delete maxSurge.',
  ],
  [
    'guardrails without a namespace',
    (chart) => new RolloutGuardrails(chart, 'it', { enforce: 'ValidatingAdmissionPolicy', neverBelow: { available: '75%' } }),
    'write the namespace of the platform team',
  ],
  [
    'a strategy outside spec',
    (chart) => new OperatorRollingUpdate(chart, 'it', { resource, replicas: 5, strategy: Rollout.recreate(), mountPath: 'strategy' }),
    'mountPath',
  ],
  [
    'an ownership that does not exist',
    (chart) =>
      new IncrementalRayService(chart, 'it', {
        ownership: 'git' as never,
        upgrade: { gatewayClassName: 'istio', stepSizePercent: 5, maxSurgePercent: 20, intervalSeconds: 10 },
        serveConfig,
        rayCluster,
      }),
    "ownership is \"git\"; write 'operator' or 'gitops'",
  ],
  [
    'an upgrade by Git without its ownership',
    (chart) =>
      new IncrementalRayService(chart, 'it', {
        upgrade: { gatewayClassName: 'istio', stepSizePercent: 5, maxSurgePercent: 20, intervalSeconds: 10 },
        current: { serveConfig, rayCluster },
        next: { serveConfig, rayCluster },
      } as never),
    "current and next are set, but ownership is undefined; write ownership: 'gitops'",
  ],
  [
    'limits of pods for groups',
    (chart) =>
      new LeaderWorkerSetRollout(chart, 'it', {
        replicas: 2,
        rollout: Rollout.groups({ maxSurge: 1 } as object),
        leaderWorkerTemplate: { workerTemplate },
      }),
    'Rollout.groups: maxSurge is not a limit in groups; write surge',
  ],
  [
    'a version of a product with another name',
    (chart) =>
      new LeaderWorkerSetRollout(chart, 'it', {
        versions: { leaderworkerset: '0.8' } as object,
        replicas: 2,
        leaderWorkerTemplate: { workerTemplate },
      }),
    'versions.leaderworkerset is not a prop; leave it out, or write one of lws and kubernetes',
  ],
  [
    'a version that is none',
    (chart) => new InferenceServiceRollout(chart, 'it', { kserve: 'latest', predictor: { model } }),
    'kserve: "latest" is not a version of KServe: write it as 0.17 or 0.17.2',
  ],
  ['an inventory without clusters', () => Inventory.of({ clusters: [] }), 'the inventory has no clusters'],
  [
    'a path as the inventory',
    (chart) => new FleetBundle(chart, 'it', { targets, inventory: 'clusters.yaml' as never }),
    'Inventory.fromFile',
  ],
  ['partitions of no value', () => partitionsByLabel('env', []), 'the list of values is empty; write the values of env, in order'],
  [
    'a limit for another partition',
    () => partitionsByLabel('env', ['staging', 'prod'], { production: 1 }),
    'a limit is set for "production", which is not one of the values staging and prod',
  ],
  ['half of a pair of amounts', () => safeMaxSurgePercent({ totalGpus: 5 }), 'GPUs: one pod has undefined and the cluster 5'],
  ['pods without GPUs', () => safeMaxSurgePercent({ gpusPerPod: 0, totalGpus: 5 }), 'safeMaxSurgePercent has nothing to count'],
  ['a policy for nothing', () => DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(undefined as never), 'pass a construct'],
  ['the plan of a chart', (chart) => RolloutPlan.of(chart as never), 'got the construct shop; pass the App that contains it'],
  [
    'the plan of a change from a folder that does not exist',
    (chart) => RolloutPlan.of(chart.node.root as App).from('missing'),
    'cannot read missing: no such file or folder',
  ],
  [
    'no model',
    (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { minReplicas: 4, drain: { longestRequest: '20s' } } }),
    "predictor has no model, so the webhook of KServe refuses the service: write model: { modelFormat: { name: 'sklearn' }",
  ],
  [
    'a transformer without containers',
    (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { model }, transformer: { minReplicas: 2 } }),
    "transformer has no containers, so the webhook of KServe refuses the service: write containers: [{ name: 'kserve-container'",
  ],
  [
    'a predictor with a typo',
    (chart) => new InferenceServiceRollout(chart, 'it', { predicter: { model } } as never),
    'predicter is not a prop; write predictor',
  ],
  [
    'a limit next to a goal',
    (chart) =>
      new InferenceServiceRollout(chart, 'it', {
        predictor: { model, rollout: { ...Rollout.goal({ available: 1 }), maxSurge: 1 } as never },
      }),
    'predictor.rollout.maxSurge is set next to predictor.rollout.goal, which decides it: delete one of them',
  ],
  [
    'a limit next to the goal of groups',
    (chart) =>
      new LeaderWorkerSetRollout(chart, 'it', {
        replicas: 2,
        rollout: { ...Rollout.goal({ available: 1 }), maxSurge: 1 },
        leaderWorkerTemplate: { workerTemplate },
      }),
    'rollout.maxSurge is set next to rollout.goal',
  ],
  [
    'a limit next to the goal of a role',
    (chart) =>
      new DisaggregatedSetRollout(chart, 'it', {
        roles: [
          { name: 'prefill', replicas: 2, leaderWorkerTemplate: { workerTemplate } },
          {
            name: 'decode',
            replicas: 2,
            rollout: { ...Rollout.goal({ available: 1 }), surge: 1 } as never,
            leaderWorkerTemplate: { workerTemplate },
          },
        ],
      }),
    'roles[1].rollout.surge is set next to roles[1].rollout.goal',
  ],
  [
    'seconds with a unit',
    (chart) =>
      new IncrementalRayService(chart, 'it', {
        upgrade: { gatewayClassName: 'istio', stepSizePercent: 5, maxSurgePercent: 20, intervalSeconds: 10 },
        serveConfig,
        rayCluster,
        startupSeconds: '5m' as never,
      }),
    'startupSeconds is "5m": write a number of seconds, such as 300',
  ],
  [
    'a duration in words',
    (chart) =>
      new InferenceServiceRollout(chart, 'it', { predictor: { model, rollout: Rollout.goal({ available: 1, within: '15 minuts' }) } }),
    'predictor.rollout.goal.within: "15 minuts" is not a duration; write 15m, 1h30m or 90s',
  ],
  [
    'a canary of nothing',
    (chart) => new FleetBundle(chart, 'it', { targets, rollout: { partitions: canary({} as never) } }),
    'rollout: a canary has no clusters: write clusters: 1, or names or a label selector',
  ],
  [
    'guardrails that require nothing',
    (chart) => new RolloutGuardrails(chart, 'it', {}),
    "the guardrails require nothing; write neverBelow: { available: '75%' }",
  ],
  [
    'an amount with a typo',
    () => safeMaxSurgePercent({ gpusPerPod: 1, totalGpu: 5 } as never),
    'safeMaxSurgePercent: totalGpu is not a prop; write totalGpus',
  ],
  [
    'stages of an upgrade by the operator',
    (chart) =>
      new IncrementalRayService(chart, 'it', {
        upgrade: { gatewayClassName: 'istio', stepSizePercent: 5, maxSurgePercent: 20, intervalSeconds: 10 },
        serveConfig,
        rayCluster,
      }).writeStages('stages'),
    "[shop/it] has no stages to write; set ownership: 'gitops'",
  ],
  [
    'stages in a file',
    (chart) =>
      new IncrementalRayService(chart, 'it', {
        ownership: 'gitops',
        upgrade: { gatewayClassName: 'istio', stepSizePercent: 50, maxSurgePercent: 50, intervalSeconds: 10 },
        current: { serveConfig, rayCluster },
        next: { serveConfig, rayCluster },
      }).writeStages('package.json'),
    '[shop/it] cannot write into package.json: a part of the path is not a folder; name a folder that can be written',
  ],
  [
    'the folder of a bundle in a file',
    (chart) =>
      new FleetBundle(chart, 'it', { output: 'fleet.yaml', targets, gitRepo: { repo: 'https://a.example/a', paths: ['a'] } }).writeTo(
        'package.json',
      ),
    '[shop/it] cannot write into package.json: it is a file; name a folder that can be written',
  ],
  [
    'a bundle without a folder',
    (chart) => new FleetBundle(chart, 'it', { targets }).writeTo('dist/a'),
    "[shop/it] is written as a Bundle; set output: 'fleet.yaml' to get a fleet.yaml",
  ],
  [
    'a partition that no index of a StatefulSet reaches',
    (chart) => DeploymentPolicy.stateful({ update: 'RollingUpdate', partition: 5, replicas: 3 }).applyTo(workload(chart, 'StatefulSet')),
    'partition is 5, but the StatefulSet has 3 replicas, and the highest index is 2: no update reaches a pod; write 2 or less to update the pods from ' +
      'that index on, or 3 to hold all of them back',
  ],
  [
    'two policies on one workload',
    (chart) => {
      const web = workload(chart, 'Deployment');
      DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }).applyTo(web);
      DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 2, maxUnavailable: 0 }).applyTo(web);
    },
    'which this one would replace: maxSurge is 2 here and 1 there. Delete one of the two.',
  ],
  [
    'a general policy after an exception',
    (chart) => {
      DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(workload(chart, 'Deployment'));
      DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1 }).applyToAll(chart);
    },
    'which this one would replace: update is "RollingUpdate" here and "Recreate" there',
  ],
  [
    'a policy without an update',
    (chart) => DeploymentPolicy.stateless({ maxSurge: 1 } as never).applyTo(workload(chart, 'Deployment')),
    "update is missing; write update: 'RollingUpdate' or update: 'Recreate'",
  ],
  [
    'a label with a typo in a step',
    (chart) => new ApplicationSetRollout(chart, 'it', { ...applications, steps: [{ match: { evn: 'dev' } }, { match: { env: 'prod' } }] }),
    'steps[0].match.evn: no Application has the label "evn", which template.metadata.labels does not set, so the step selects none; write env',
  ],
  [
    'a generator with a typo',
    (chart) => new ApplicationSetRollout(chart, 'it', { ...applications, generators: [{ cluster: {} }] as never, steps: [{}] }),
    'generators[0].cluster is not a prop; write clusters, or leave it out',
  ],
  [
    'a Go template without goTemplate',
    (chart) =>
      new ApplicationSetRollout(chart, 'it', {
        ...applications,
        template: { metadata: { name: '{{.name}}' }, spec: { project: 'default', destination: { server: '{{server}}' } } },
        steps: [{}],
      }),
    'template.metadata.name has {{.name}}, a Go template, which Argo CD leaves as it is without goTemplate; write goTemplate: true, or {{name}}',
  ],
  [
    'an operator resource without its kind',
    (chart) => new OperatorRollingUpdate(chart, 'it', { resource: { apiVersion: 'a.example/v1' }, strategy: Rollout.recreate() }),
    'resource.kind is missing: write the kind of a.example/v1 that your operator reads',
  ],
  [
    'a bundle of an empty chart',
    (chart) => new FleetBundle(chart, 'it', { targets, resources: new Chart(chart.node.root, 'empty') }),
    'resources has no objects, so the bundle deploys nothing',
  ],
  [
    'a canary that the version of KServe drops',
    (chart) =>
      new InferenceServiceRollout(chart, 'it', {
        kserve: '0.17',
        predictor: { model },
        canary: [{ trafficPercent: 5, predictor: { model } }],
      }),
    "canary is set, but KServe 0.17 has no such field, so the API server drops it; write kserve: '0.20' or later",
  ],
  [
    'a partition in the limits of groups',
    (chart) =>
      new LeaderWorkerSetRollout(chart, 'it', {
        replicas: 2,
        size: 2,
        rollout: { maxSurge: 1, partition: 1 } as never,
        leaderWorkerTemplate: { workerTemplate },
      }),
    'rollout.partition is not a limit in groups: write partition next to rollout, not in it',
  ],
  [
    'a construct in no chart',
    (chart) => new InferenceServiceRollout(chart.node.root, 'it', { predictor: { model } }),
    'InferenceServiceRollout "it": the scope is not in a chart; pass a chart, or a construct in one',
  ],
  [
    'options of emit in the wrong place',
    (chart) => KServePlatformConfig.of({}).emit(chart, 'platform' as never),
    'platform config: the props are "platform"; write a map',
  ],
  [
    'partitions by a label without a name',
    () => partitionsByLabel('', ['staging']),
    'partitionsByLabel: the label is "", but must be the name of a label, such as env',
  ],
  ['an inventory with a typo', () => Inventory.of({ cluster: [] }), 'the inventory is not an inventory (it has cluster: write clusters)'],
];

test.each(MISTAKES)('%s is answered on the line of the user', (_, make, says) => {
  let thrown: string | undefined;
  const atSynth = synthError((chart) => {
    const message = errorOf(() => make(chart));
    if (!message.startsWith('nothing')) thrown = message;
  });
  const message = thrown ?? atSynth;

  expect(message).toContain(says);
  expect(message).toMatch(/ \((?:created|called) at test\/constructs\/typical-mistakes\.test\.ts:\d+:\d+\)$/);
  // One error per mistake.
  expect(message.split('\n').filter((line) => line.includes(' at test/'))).toHaveLength(1);
});

describe('what is not a mistake', () => {
  const all = DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 });

  test('a policy for one workload, or with more labels, after the one for all', () => {
    const message = synthError((chart) => {
      const web = workload(chart, 'Deployment');
      web.metadata.addLabel('tier', 'batch');
      all.applyToAll(chart);
      DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 2 }).applyToAll(chart, { matchLabels: { tier: 'batch' } });
      DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(web);
    });
    expect(message).toMatch(/^nothing/);
  });

  test('the same policy twice, and one that only adds the history', () => {
    const message = synthError((chart) => {
      const web = workload(chart, 'Deployment');
      all.applyTo(web);
      all.applyToAll(chart);
      DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, revisionHistory: 3 }).applyTo(web);
    });
    expect(message).toMatch(/^nothing/);
  });

  test.each([
    ['equals the replicas, which holds all pods back', 3, undefined],
    ['is above the replicas of a StatefulSet that an autoscaler may scale up to it', 5, 'HorizontalPodAutoscaler'],
  ])('a partition that %s', (_, partition, autoscaler) => {
    const message = synthError((chart) => {
      DeploymentPolicy.stateful({ update: 'RollingUpdate', partition, replicas: 3 }).applyTo(workload(chart, 'StatefulSet'));
      if (!autoscaler) return;
      const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' };
      const spec = { scaleTargetRef, minReplicas: 3, maxReplicas: 9 };
      new ApiObject(chart, 'hpa', { apiVersion: 'autoscaling/v2', kind: autoscaler, metadata: { name: 'web' }, spec });
    });
    expect(message).toMatch(/^nothing/);
  });
});

describe('what a plan of the app finds has the line of the user', () => {
  function findingsOf(build: (chart: Chart) => void) {
    const app = new App();
    build(new Chart(app, 'shop', { namespace: 'shop' }));
    const { findings, rollouts } = RolloutPlan.of(app).document;
    return [...findings, ...rollouts.flatMap((rollout) => rollout.findings)]
      .filter(({ source }) => source)
      .map(({ code, path, source }) => [code, path, source!.file]);
  }
  const here = 'test/constructs/typical-mistakes.test.ts';

  test('a container without an image, which only the API server refuses, in the pods', () => {
    const containers = [{ name: 'kserve-container' }];
    const findings = findingsOf((chart) => {
      new InferenceServiceRollout(chart, 'iris', { predictor: { model }, transformer: { containers } });
      new LLMInferenceServiceRollout(chart, 'chat', {
        kserve: '0.20',
        model: { uri: 'hf://a/b' },
        template: { containers: [{ name: 'main' }] },
      });
    });
    expect(findings).toEqual([['kubernetes/invalid-workload', 'spec.transformer.containers[0].image', here]]);
  });

  test('invalid fields of the pods of an InferenceService and a RayService, which the API server refuses in the pods', () => {
    const container = { name: 'UP', image: 'a:1', env: [{ name: 'A=B', value: '1' }] };
    const pods = { metadata: { labels: { app: 'a b' } }, spec: { containers: [container], nodeSelector: { 'a b': 'c' } } };
    const findings = findingsOf((chart) => {
      new InferenceServiceRollout(chart, 'iris', {
        kserve: '0.20',
        predictor: {
          model: { ...model, ports: [{ containerPort: 0 }] },
          labels: { tier: 'a b' },
          containers: [{ ...container, name: 'side' }],
        },
        // KServe names the first container.
        transformer: { containers: [container, { ...container, env: [] }] },
        canary: [{ trafficPercent: 5, predictor: { name: 'next', model, podSpec: { tolerations: [{ operator: 'Is' }] } } }],
      });
      const group = {
        groupName: 'gpu',
        replicas: 1,
        minReplicas: 0,
        maxReplicas: 1,
        template: { spec: { containers: [{ ...container, env: [] }] } },
      };
      new IncrementalRayService(chart, 'llm', {
        upgrade: { gatewayClassName: 'istio', maxSurgePercent: 100, stepSizePercent: 50, intervalSeconds: 60 },
        serveConfig,
        rayCluster: { headGroupSpec: { template: pods }, workerGroupSpecs: [group] },
      });
    });
    expect(findings.filter(([code]) => code === 'kubernetes/invalid-workload').map(([, at]) => at)).toEqual([
      'spec.predictor.labels[tier]',
      'spec.predictor.containers[0].env[0].name',
      'spec.predictor.model.ports[0].containerPort',
      'spec.transformer.containers[0].env[0].name',
      'spec.transformer.containers[1].name',
      'spec.canary[0].predictor.tolerations[0].operator',
      'spec.rayClusterConfig.headGroupSpec.template.metadata.labels[app]',
      'spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].name',
      'spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].env[0].name',
      'spec.rayClusterConfig.headGroupSpec.template.spec.nodeSelector[a b]',
      'spec.rayClusterConfig.workerGroupSpecs[0].template.spec.containers[0].name',
    ]);
  });

  test('a partition of a bundle that no cluster is in', () => {
    const inventory = Inventory.of({ clusters: [{ name: 'a', namespace: 'shop', labels: { env: 'prod' } }] });
    const rollout = { maxUnavailable: 1, partitions: partitionsByLabel('env', ['stagin', 'prod']) };
    const findings = findingsOf((chart) => new FleetBundle(chart, 'shop', { targets, rollout, inventory }));
    expect(findings).toContainEqual(['fleet/empty-partition', 'spec.rolloutStrategy.partitions[0]', here]);
  });

  test('a bundle without a namespace, and an upgrade to the same service', () => {
    const app = new App();
    new FleetBundle(new Chart(app, 'fleet'), 'it', { targets });
    const service = { serveConfig, rayCluster };
    const upgrade = { gatewayClassName: 'istio', maxSurgePercent: 100, stepSizePercent: 50, intervalSeconds: 60 };
    const create = (id: string, stage: number) =>
      new IncrementalRayService(new Chart(app, id, { namespace: id }), 'it', {
        ownership: 'gitops',
        upgrade,
        current: service,
        next: service,
        stage,
      });
    create('unchanged', 0);
    create('changed', 1);

    const { findings } = RolloutPlan.of(app).document;
    const atLines = findings.filter(({ source }) => source?.file?.endsWith('typical-mistakes.test.ts'));
    expect(atLines.map(({ code, path, severity, object }) => [severity, code, path, object?.namespace])).toEqual([
      ['warning', 'fleet/no-target', 'metadata.namespace', undefined],
      ['warning', 'kuberay/no-upgrade', 'next', 'changed'],
    ]);
  });

  test('a field that a policy wrote, at the policy', () => {
    const findings = findingsOf((chart) => DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(workload(chart, 'Deployment')));
    expect(findings).toEqual([['kubernetes/outage', 'spec.strategy.type', here]]);
  });
});

test('the nodes of a goal are those of the plan of the app', () => {
  const app = new App();
  const chart = new Chart(app, 'shop', { namespace: 'shop' });
  const agent = workload(chart, 'DaemonSet');
  agent.addJsonPatch(JsonPatch.add('/spec/template/spec/nodeSelector', { gpu: 'true' }));
  DaemonSetPolicy.of({ rollout: Rollout.goal({ within: '1h' }), nodes: 20 }).applyTo(agent);

  const { rollouts, findings } = RolloutPlan.of(app).document;
  expect(rollouts).toMatchObject([{ simulation: { kind: 'daemonset', nodes: 20 } }]);
  expect(findings.map(({ code }) => code)).not.toContain('kubernetes/no-nodes');
});
