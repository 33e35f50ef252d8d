/** Values of the right type that no controller follows: the API server or a webhook refuses them, or they are silently read as another one. */
import { ApiObject, Chart, Lazy } from 'cdk8s';
import {
  ApplicationSetRollout,
  DaemonSetPolicy,
  DeploymentPolicy,
  FleetBundle,
  IncrementalRayService,
  InferenceServiceRollout,
  Inventory,
  KServePlatformConfig,
  LeaderWorkerSetRollout,
  LLMInferenceServiceRollout,
  OperatorRollingUpdate,
  Rollout,
  RolloutGuardrails,
} from 'rolloutkit';
import { errorOf, synthError, withoutPlaces } from './synth-error';

const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://models/iris' };
const template = { spec: { containers: [{ name: 'ray', image: 'ray:1' }] } };
const targets = [{ clusterSelector: {} }];

function service(predictor: object): (chart: Chart) => unknown {
  return (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { model, ...predictor } });
}

function llm(props: object): (chart: Chart) => unknown {
  return (chart) => new LLMInferenceServiceRollout(chart, 'it', { model: { uri: 'hf://a/b' }, ...props });
}

function bundle(props: object): (chart: Chart) => unknown {
  return (chart) => new FleetBundle(chart, 'it', { targets, ...props });
}

function applications(props: object): (chart: Chart) => unknown {
  const metadata = { name: '{{name}}', labels: { env: '{{metadata.labels.env}}' } };
  const spec = { project: 'default', destination: { server: '{{server}}' } };
  return (chart) =>
    new ApplicationSetRollout(chart, 'it', {
      generators: [{ clusters: {} }],
      template: { metadata, spec },
      steps: [{ match: { env: 'dev' } }],
      ...props,
    });
}

function ray({ deployment = {}, group = {}, ...props }: { deployment?: object; group?: object } & Record<string, unknown>) {
  return (chart: Chart) =>
    new IncrementalRayService(chart, 'it', {
      upgrade: { gatewayClassName: 'istio', maxSurgePercent: 100, stepSizePercent: 5, intervalSeconds: 10 },
      serveConfig: { applications: [{ name: 'llm', import_path: 'llm:app', deployments: [{ name: 'llm', ...deployment }] }] },
      rayCluster: {
        headGroupSpec: { template },
        workerGroupSpecs: [{ groupName: 'gpu', replicas: 1, minReplicas: 0, maxReplicas: 1, template, ...group }],
      },
      ...props,
    });
}

function groups(props: object): (chart: Chart) => unknown {
  const workerTemplate = { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }] } };
  return (chart) => new LeaderWorkerSetRollout(chart, 'it', { replicas: 2, leaderWorkerTemplate: { workerTemplate }, ...props });
}

function resource(fields: object): (chart: Chart) => unknown {
  const written = { apiVersion: 'a.example/v1', kind: 'Db', metadata: { name: 'db' }, spec: {}, ...fields };
  return (chart) => new OperatorRollingUpdate(chart, 'it', { resource: written, replicas: 5, strategy: Rollout.recreate() });
}

function linesOf(make: (chart: Chart) => unknown): string[] {
  return withoutPlaces(synthError((chart) => void make(chart)))
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
}

test.each<[value: string, make: (chart: Chart) => unknown, line: string]>([
  [
    'a share of requests above 100',
    service({ canaryTrafficPercent: 200 }),
    'predictor.canaryTrafficPercent is 200, which is no share of the requests; write a whole number from 0 to 100',
  ],
  [
    'no text as the seconds of a goal',
    service({ minReplicas: 4, rollout: { goal: { available: 3, startupSeconds: '' } } }),
    'predictor.rollout.goal: startupSeconds is "": write a number of seconds from 0 to 2147483647',
  ],
  [
    'a timeout below 0',
    service({ timeout: -1 }),
    'predictor.timeout is -1, which is no number of seconds; write a whole number of at least 0',
  ],
  [
    'a part of a request',
    service({ containerConcurrency: 1.5 }),
    'predictor.containerConcurrency is 1.5, which KServe refuses; write a whole number of at least 0',
  ],
  [
    'an unknown metric',
    service({ scaleMetric: 'gpu' }),
    'predictor.scaleMetric is "gpu", which the API server refuses; write cpu, memory, concurrency or rps',
  ],
  [
    'a predictor in upper case',
    service({ name: 'UP' }),
    'predictor.name is "UP", which the API server refuses; write lower-case letters, digits and hyphens that begin with a letter, such as next',
  ],
  [
    'no GPU for a layer',
    llm({ parallelism: { tensor: 0 } }),
    'parallelism.tensor is 0, which the API server refuses; write a whole number of at least 1',
  ],
  [
    'no replicas of an autoscaler',
    llm({ prefill: { scaling: { maxReplicas: 0, wva: { keda: {} } } } }),
    'prefill.scaling.maxReplicas is 0, which the API server refuses; write a whole number of at least 1',
  ],
  ['a URI that is a number', llm({ model: { uri: 5 } }), 'model.uri is 5; write a string'],
  [
    'a share of clusters below 0',
    bundle({ rollout: { maxUnavailable: '-5%' } }),
    'rollout.maxUnavailable is "-5%", which is no share of the clusters; write a whole number of at least 0, or a percentage from "0%" to "100%"',
  ],
  [
    'partitions below 0',
    bundle({ rollout: { maxUnavailablePartitions: -1 } }),
    'rollout.maxUnavailablePartitions is -1, which is no share of the partitions; write a whole number of at least 0, or a percentage from "0%" to "100%"',
  ],
  [
    'an unknown kind of partitions',
    bundle({ rollout: { partitions: { kind: 'canaries' } } }),
    'rollout.partitions.kind is "canaries", which is no kind of partitions; write canary or automatic',
  ],
  ['a number as a resource', bundle({ resources: [-1] }), 'resources[0] is -1; write a map'],
  [
    'a namespace in upper case',
    bundle({ namespace: 'UP' }),
    'namespace is "UP", which is no name of a namespace; write a DNS label (lower-case letters, digits and hyphens, a letter or digit at both ends), such as web-1',
  ],
  [
    'a release of Helm in upper case',
    bundle({ helm: { releaseName: 'Shop' } }),
    'helm.releaseName is "Shop", which the API server refuses; write a DNS name (lower-case letters, digits, hyphens and dots, a letter or digit at both ends of each part), such as web-1.shop',
  ],
  [
    'an interval in days',
    bundle({ output: 'fleet.yaml', gitRepo: { repo: 'https://example.com/shop', pollingInterval: '1d' } }),
    'gitRepo.pollingInterval is "1d", which the API server refuses; write a duration such as 15s or 1h30m',
  ],
  ...['', '+1s', '1.s', '.5s', '1s.5s', '1h ', '1\u03bcs'].map((pollingInterval): [string, (chart: Chart) => unknown, string] => [
    `the interval ${JSON.stringify(pollingInterval)}`,
    bundle({ output: 'fleet.yaml', gitRepo: { repo: 'https://example.com/shop', pollingInterval } }),
    `gitRepo.pollingInterval is "${pollingInterval}", which the API server refuses; write a duration such as 15s or 1h30m`,
  ]),
  [
    'more than all Applications',
    applications({ steps: [{ match: { env: 'dev' }, maxUpdate: '101%' }] }),
    'steps[0].maxUpdate is "101%", which is no share of the Applications of a step; write a whole number of at least 0, or a percentage from "0%" to "100%"',
  ],
  [
    'an unknown order of deletion',
    applications({ deletionOrder: 'reverse' }),
    'deletionOrder is "reverse", which the controller reads as AllAtOnce; write AllAtOnce or Reverse',
  ],
  [
    'an unknown sync of Applications',
    applications({ syncPolicy: { applicationsSync: 'never' } }),
    'syncPolicy.applicationsSync is "never", which the API server refuses; write create-only, create-update, create-delete or sync',
  ],
  [
    'a path as the inventory of an ApplicationSet',
    applications({ inventory: 'clusters.yaml' }),
    'inventory is "clusters.yaml"; pass the result of Inventory.of or Inventory.fromFile',
  ],
  [
    'replicas of a Serve deployment below 0',
    ray({ deployment: { num_replicas: -1 } }),
    'serveConfig.applications[0].deployments[0].num_replicas is -1, which Ray Serve refuses; write a whole number of at least 0, or auto',
  ],
  [
    'GPUs of a Serve deployment below 0',
    ray({ deployment: { ray_actor_options: { num_gpus: -1 } } }),
    'serveConfig.applications[0].deployments[0].ray_actor_options.num_gpus is -1, which Ray Serve refuses; write a number of at least 0',
  ],
  [
    'workers below 0',
    ray({ group: { replicas: -1 } }),
    'rayCluster.workerGroupSpecs[0].replicas is -1, which is no number of workers; write a whole number of at least 0',
  ],
  [
    'a GatewayClass in upper case',
    ray({ upgrade: { gatewayClassName: 'Istio', maxSurgePercent: 100, stepSizePercent: 5, intervalSeconds: 10 } }),
    'upgrade.gatewayClassName is "Istio", which is no name of a GatewayClass; write a DNS name (lower-case letters, digits, hyphens and dots, a letter or digit at both ends of each part), such as web-1.shop',
  ],
  ['a cluster without a head', ray({ rayCluster: { workerGroupSpecs: [] } }), 'rayCluster.headGroupSpec is undefined; write a map'],
  [
    'a restart policy that this version has not',
    groups({
      leaderWorkerTemplate: {
        workerTemplate: { spec: { containers: [{ name: 'a', image: 'a:1' }] } },
        restartPolicy: 'RecreateGroupAfterStart',
      },
      versions: { lws: '0.8' },
    }),
    '[lws/invalid-set] leaderWorkerTemplate.restartPolicy: restartPolicy is "RecreateGroupAfterStart", which the API server refuses: it must be "RecreateGroupOnPodRestart", "None" or "Default". Write RecreateGroupOnPodRestart, None or Default.',
  ],
  [
    'a share of pods below 0',
    (chart) => new RolloutGuardrails(chart, 'it', { neverBelow: { available: '-5%' } }),
    'neverBelow.available: "-5%" is not a number of pods or a percentage to 100%; write 3 or 75%',
  ],
  [
    'a fraction as an amount of an InferenceService',
    service({ model: { ...model, resources: { limits: { cpu: 1.5 } } } }),
    'predictor.model.resources.limits[cpu] is 1.5, which the definition of a custom resource does not take as a number; write "1500m"',
  ],
  [
    'a fraction as an amount of an LLMInferenceService',
    llm({ prefill: { template: { containers: [{ name: 'main', resources: { requests: { memory: 0.5 } } }] } } }),
    'prefill.template.containers[0].resources.requests[memory] is 0.5, which the definition of a custom resource does not take as a number; write "500m"',
  ],
  [
    'a fraction as an amount of a claim of a LeaderWorkerSet',
    groups({
      leaderWorkerTemplate: {
        workerTemplate: { spec: { containers: [{ name: 'a', image: 'a:1' }] } },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { resources: { requests: { storage: 1.5 } } } }],
      },
    }),
    'leaderWorkerTemplate.volumeClaimTemplates[0].spec.resources.requests[storage] is 1.5, which the definition of a custom resource does not take as a number; write "1500m"',
  ],
  [
    'a fraction as an amount of a Ray cluster',
    ray({ group: { template: { spec: { containers: [{ name: 'ray', image: 'ray:1', resources: { limits: { cpu: 1.5 } } }] } } } }),
    '[input/wrong-type] rayCluster.workerGroupSpecs[0].template.spec.containers[0].resources.limits[cpu]: limits[cpu] is 1.5, but the API requires a whole number or a quantity in quotes such as "1500m" here and refuses the entire object. Write a whole number or a quantity in quotes such as "1500m".',
  ],
  [
    'a number as a node label of an InferenceService',
    service({ podSpec: { nodeSelector: { disk: 1 } } }),
    '[input/wrong-type] predictor.podSpec.nodeSelector[disk]: nodeSelector[disk] is 1, but the API requires a string here and refuses the entire object. Write a string.',
  ],
  ['a resource without a kind', resource({ kind: '' }), 'resource.kind is "": write that of the resource, such as ICP4ACluster'],
  [
    'a resource with a name in upper case',
    resource({ metadata: { name: 'DB' } }),
    '[kubernetes/invalid-workload] resource.metadata.name: name is "DB", which is not a DNS name (lower-case letters, digits, hyphens and dots, a letter or digit at both ends of each part): the API server refuses it. Write a value such as web-1.shop.',
  ],
])('%s is refused once, with its prop, the reason and what to write', (_value, make, line) => {
  expect(linesOf(make)).toEqual([`[shop/it] ${line}`]);
});

test.each<[what: string, make: (chart: Chart) => unknown, line: string]>([
  [
    'the name of a format',
    service({ model: { ...model, modelFormat: {} } }),
    'predictor.model.modelFormat.name is undefined; write a name such as sklearn',
  ],
  ['the URI of a model', llm({ model: {} }), 'model.uri is undefined; write a URI such as hf://Qwen/Qwen3-8B'],
  ['the actuator of an autoscaler', llm({ scaling: { maxReplicas: 2 } }), 'scaling.wva is undefined; write { hpa: {} } or { keda: {} }'],
  [
    'one of two actuators',
    llm({ scaling: { maxReplicas: 2, wva: { hpa: {}, keda: {} } } }),
    'scaling.wva is a map, which the API server refuses; write { hpa: {} } or { keda: {} }',
  ],
  [
    'the subdomains of groups',
    groups({ networkConfig: {} }),
    'networkConfig.subdomainPolicy is undefined; write Shared or UniquePerReplica',
  ],
  ['a repository', bundle({ output: 'fleet.yaml', gitRepo: {} }), 'gitRepo.repo is undefined; write the URL of the repository'],
  [
    'a destination',
    applications({ template: { metadata: { name: '{{name}}', labels: { env: 'dev' } }, spec: { project: 'default' } } }),
    "template.spec.destination is undefined; write the cluster, such as { server: '{{server}}', namespace: 'shop' }",
  ],
  ['the pods of a Ray group', ray({ group: { template: undefined } }), 'rayCluster.workerGroupSpecs[0].template is undefined; write a map'],
  [
    'the name of a Ray group',
    ray({ group: { groupName: undefined } }),
    'rayCluster.workerGroupSpecs[0].groupName is undefined; write a name, such as gpu',
  ],
  [
    'the name of a Ray container',
    ray({ group: { template: { spec: { containers: [{ image: 'ray:1' }] } } } }),
    'rayCluster.workerGroupSpecs[0].template.spec.containers[0].name is undefined; write a name, such as ray',
  ],
])('%s must not be missing, which JavaScript does not check', (_what, make, line) => {
  expect(linesOf(make)).toEqual([`[shop/it] ${line}`]);
});

test('a required prop under a misspelt name is reported once', () => {
  expect(linesOf(bundle({ output: 'fleet.yaml', gitRepo: { repos: 'https://example.com/shop.git' } }))).toEqual([
    '[shop/it] gitRepo.repos is not a prop; write repo, or leave it out',
  ]);
});

test('the other faults of a construct are reported with such a value', () => {
  expect(linesOf(service({ canaryTrafficPercent: 200, timeout: -1, minReplicas: 4, maxReplicas: 2 }))).toEqual([
    expect.stringContaining('predictor.canaryTrafficPercent is 200'),
    expect.stringContaining('predictor.timeout is -1'),
    expect.stringContaining('[kserve/invalid-service] predictor.minReplicas'),
  ]);
});

const later = (value: unknown) => Lazy.any({ produce: () => value });

test('a token is judged once its value is known, at synth', () => {
  expect(linesOf(service({ timeout: later(-1), canaryTrafficPercent: later(5) }))).toEqual([
    '[shop/it] predictor.timeout is -1, which is no number of seconds; write a whole number of at least 0',
  ]);
  expect(linesOf(service({ model: { ...model, resources: later({ limits: { cpu: 1.5 } }) } }))).toEqual([
    '[shop/it] predictor.model.resources.limits[cpu] is 1.5, which the definition of a custom resource does not take as a number; write "1500m"',
  ]);
  expect(linesOf(bundle({ helm: later({ maxHistory: -1 }) }))).toEqual([
    '[shop/it] helm.maxHistory is -1, which is no number of releases; write a whole number of at least 0',
  ]);
  expect(synthError((chart) => void service({ timeout: later(60) })(chart))).toBe('nothing: the chart was synthesized');
  expect(synthError((chart) => void service({ timeout: later(-1) })(chart))).toMatch(/\(created at test\/constructs\/value-limits/);
});

function applyTo(kind: string, apply: (workload: ApiObject) => unknown): string {
  const pods = { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, ...template } };
  return withoutPlaces(
    synthError(
      (chart) =>
        void apply(
          new ApiObject(chart, 'web', { apiVersion: 'apps/v1', kind, metadata: { name: 'web' }, spec: { ...pods, serviceName: 'web' } }),
        ),
    ),
  );
}

test('a policy refuses such values when it is applied', () => {
  expect(applyTo('DaemonSet', (agent) => DaemonSetPolicy.of({ maxUnavailable: 1, nodes: -1 } as never).applyTo(agent))).toContain(
    '[shop/web] DaemonSetPolicy: nodes is -1, which is no number of nodes; write a whole number of at least 1',
  );
  expect(applyTo('StatefulSet', (db) => DeploymentPolicy.stateful({ update: 'RollingUpdate', revisionHistory: -1 }).applyTo(db))).toContain(
    '[shop/web] DeploymentPolicy.stateful: revisionHistory is -1, which is no number of revisions; write a whole number of at least 0',
  );
  expect(applyTo('Deployment', (web) => DeploymentPolicy.stateless({ update: '' as 'Recreate' }).applyTo(web))).toContain(
    "[shop/web] DeploymentPolicy.stateless: update is missing; write update: 'RollingUpdate' or update: 'Recreate'",
  );
});

test('a limit of the platform is refused, also if the mode sets it to 0', () => {
  const platform = () => KServePlatformConfig.of({ defaultRollout: { mode: 'Availability', maxSurge: 1, maxUnavailable: -1 } });
  expect(withoutPlaces(errorOf(platform))).toBe(
    'platform config: defaultRollout.maxUnavailable is -1, which the API server refuses; write a whole number of at least 0, or a percentage from "0%" to "100%"',
  );
});

test('values at the bounds are accepted', () => {
  const inventory = Inventory.of({ clusters: [{ name: 'one', labels: { env: 'dev' } }] });
  const accepted = [
    service({ canaryTrafficPercent: 100, timeout: 0, containerConcurrency: 0, scaleMetric: 'memory' }),
    llm({ parallelism: { tensor: 1, expert: true }, scaling: { minReplicas: 1, maxReplicas: 1, wva: { hpa: {} } } }),
    bundle({
      rollout: { maxUnavailable: '100%', maxUnavailablePartitions: 0 },
      namespace: 'shop',
      helm: { releaseName: 'shop.v2', maxHistory: 0 },
    }),
    applications({ steps: [{ match: { env: 'dev' }, maxUpdate: '100%' }], deletionOrder: 'Reverse', inventory }),
    ray({ deployment: { num_replicas: 'auto', max_queued_requests: -1, ray_actor_options: { num_gpus: 0.5 } }, group: { numOfHosts: 1 } }),
    groups({ versions: { lws: '0.9' } }),
  ];
  expect(accepted.map((make) => synthError((chart) => void make(chart)))).toEqual(accepted.map(() => 'nothing: the chart was synthesized'));
});
