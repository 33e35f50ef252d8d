/** Every prop of every component, by the declared types: whether an Output may stand there, and what is said where none may. */
import * as pulumi from '@pulumi/pulumi';
import * as components from 'rolloutkit/pulumi';
import { fieldPathParts } from '../../src/core/field-path';
import { argPaths } from './arg-paths';
import { run } from './program';

const containers = [{ name: 'kserve-container', image: 'web:1' }];
const template = { metadata: {}, spec: { containers: [{ name: 'main', image: 'main:1' }] } };
const rayCluster = {
  rayVersion: '2.52.0',
  headGroupSpec: {
    rayStartParams: {},
    template: { spec: { containers: [{ name: 'head', image: 'ray:2', resources: { limits: { cpu: 1, memory: '1Gi' } } }] } },
  },
  enableInTreeAutoscaling: true,
  workerGroupSpecs: [],
};
const serveConfig = { applications: [{ name: 'a', import_path: 'a:b', route_prefix: '/' }] };
const upgrade = { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 };
const workload = {
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: template.spec } },
};

/** Sound args of each component; several where its props come in forms that exclude each other. */
const SOUND: Readonly<Record<string, readonly object[]>> = {
  ApplicationSetRollout: [
    { generators: [{ clusters: {} }], template: { metadata: { name: '{{name}}' }, spec: {} }, steps: [{ match: { env: 'dev' } }] },
  ],
  DaemonSetPolicy: [{ policy: { maxUnavailable: 1 }, workloads: [workload] }],
  DeploymentPolicy: [
    { stateless: { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }, workloads: [workload] },
    { stateful: { update: 'RollingUpdate', partition: 1 }, workloads: [workload] },
  ],
  DisaggregatedSetRollout: [
    { roles: ['prefill', 'decode'].map((name) => ({ name, replicas: 2, size: 1, leaderWorkerTemplate: { workerTemplate: template } })) },
  ],
  FleetBundle: [
    { targets: [{ clusterSelector: {} }], resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }] },
    { output: 'fleet.yaml', helm: { chart: 'web' } },
  ],
  IncrementalRayService: [
    { ownership: 'operator', upgrade, serveConfig, rayCluster },
    { ownership: 'gitops', upgrade, current: { serveConfig, rayCluster }, next: { serveConfig, rayCluster }, stage: 'all' },
  ],
  InferenceServiceRollout: [
    { predictor: { containers } },
    { predictor: { model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://a' } } },
  ],
  KServePlatformConfig: [{ defaultRollout: { maxSurge: '25%' } }],
  LeaderWorkerSetRollout: [{ replicas: 2, size: 2, leaderWorkerTemplate: { workerTemplate: template } }],
  LLMInferenceServiceRollout: [{ model: { uri: 'hf://a' } }],
  OperatorRollingUpdate: [
    {
      resource: { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec: {} },
      replicas: 3,
      strategy: { type: 'Recreate' },
    },
  ],
};

function withAt(value: unknown, [part, ...rest]: readonly (string | number)[], put: unknown): unknown {
  if (part === undefined) return put;
  if (typeof part === 'number') {
    const list = Array.isArray(value) ? [...(value as unknown[])] : [];
    list[part] = withAt(list[part], rest, put);
    return list;
  }
  const map = typeof value === 'object' && value !== null ? value : {};
  return { ...map, [part]: withAt((map as Record<string, unknown>)[part], rest, put) };
}

/** What a component says of an Output at a place: the type that the plan reads, another reason, or nothing where it is taken. */
async function answerFor(name: string, place: string): Promise<string> {
  const Component = (components as unknown as Record<string, new (...args: unknown[]) => unknown>)[name]!;
  const answers = await Promise.all(
    SOUND[name]!.map(async (sound) => {
      const args = withAt(sound, fieldPathParts(place), pulumi.output('x'));
      const said = await run(() => Reflect.construct(Component, ['it', args])).then(
        () => '',
        (error: unknown) => (error as Error).message,
      );
      return said.split('\n').find((line) => line.includes(`${place} is a Pulumi Output`)) ?? (said.includes('Output') ? said : 'taken');
    }),
  );
  const reads = answers
    .map((answer) => / the plan reads (.*) there: write the plain value/.exec(answer)?.[1])
    .find((type) => type !== undefined);
  return reads ?? answers.find((answer) => answer === 'taken') ?? answers[0]!;
}

/** Where an Output is taken: what is written without being read before the update. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  ApplicationSetRollout: [
    'metadata.namespace',
    'metadata.labels.key',
    'metadata.annotations.key',
    'template.metadata.namespace',
    'template.metadata.annotations.key',
  ],
  DaemonSetPolicy: ['workloads[0].metadata.namespace', 'surroundings[0].metadata.namespace'],
  DeploymentPolicy: ['workloads[0].metadata.namespace', 'surroundings[0].metadata.namespace'],
  DisaggregatedSetRollout: ['metadata.namespace', 'metadata.labels.key', 'metadata.annotations.key', 'roles[0].metadata.namespace'],
  FleetBundle: [
    'metadata.namespace',
    'metadata.labels.key',
    'metadata.annotations.key',
    'namespaceLabels.key',
    'namespaceAnnotations.key',
    'helm.templateValues.key',
    'diff.comparePatches[0].namespace',
    'resources[0]',
    'resources[0].apiVersion',
    'resources[0].kind',
    'resources[0].metadata',
    'resources[0].metadata.name',
    'resources[0].metadata.namespace',
    'resources[0].metadata.labels',
    'resources[0].metadata.annotations',
    'imageScans[0].image',
    'imageScans[0].secretRef.name',
  ],
  IncrementalRayService: [
    'metadata.namespace',
    'metadata.labels.key',
    'metadata.annotations.key',
    'rayCluster.headGroupSpec.labels.key',
    'rayCluster.autoscalerOptions.image',
    'rayCluster.headServiceAnnotations.key',
    'current.rayCluster.autoscalerOptions.image',
    'current.rayCluster.headServiceAnnotations.key',
    'next.rayCluster.autoscalerOptions.image',
    'next.rayCluster.headServiceAnnotations.key',
  ],
  InferenceServiceRollout: [
    'metadata.namespace',
    'metadata.labels.key',
    'metadata.annotations.key',
    'canary[0].predictor.serviceAccountName',
    'canary[0].predictor.priorityClassName',
    'canary[0].predictor.runtimeClassName',
    'canary[0].predictor.schedulerName',
    'canary[0].predictor.hostname',
    'canary[0].predictor.subdomain',
    'predictor.model.storageUri',
    'predictor.model.image',
    'predictor.model.workingDir',
    'predictor.workerSpec.serviceAccountName',
    'predictor.workerSpec.priorityClassName',
    'predictor.workerSpec.runtimeClassName',
    'predictor.workerSpec.schedulerName',
    'predictor.workerSpec.hostname',
    'predictor.workerSpec.subdomain',
    'predictor.labels.key',
    'predictor.annotations.key',
    'predictor.containers[0].image',
    'predictor.containers[0].workingDir',
    'predictor.serviceAccountName',
    'predictor.priorityClassName',
    'predictor.runtimeClassName',
    'predictor.schedulerName',
    'predictor.hostname',
    'predictor.subdomain',
    'transformer.labels.key',
    'transformer.annotations.key',
    'transformer.containers[0].image',
    'transformer.containers[0].workingDir',
    'transformer.serviceAccountName',
    'transformer.priorityClassName',
    'transformer.runtimeClassName',
    'transformer.schedulerName',
    'transformer.hostname',
    'transformer.subdomain',
    'explainer.labels.key',
    'explainer.annotations.key',
    'explainer.containers[0].image',
    'explainer.containers[0].workingDir',
    'explainer.serviceAccountName',
    'explainer.priorityClassName',
    'explainer.runtimeClassName',
    'explainer.schedulerName',
    'explainer.hostname',
    'explainer.subdomain',
  ],
  KServePlatformConfig: ['base.metadata.namespace', 'base.metadata.labels.key', 'base.metadata.annotations.key'],
  LeaderWorkerSetRollout: [
    'metadata.namespace',
    'metadata.labels.key',
    'metadata.annotations.key',
    'leaderWorkerTemplate.leaderTemplate.metadata.namespace',
    'leaderWorkerTemplate.workerTemplate.metadata.namespace',
  ],
  LLMInferenceServiceRollout: [
    'metadata.namespace',
    'metadata.labels.key',
    'metadata.annotations.key',
    'prefill.labels.key',
    'prefill.annotations.key',
    'labels.key',
    'annotations.key',
  ],
  OperatorRollingUpdate: ['resource.metadata.namespace', 'resource.metadata.labels.key', 'resource.metadata.annotations.key'],
};

/** Why one is refused where its type says nothing: the whole is one text, or items and entries of what is written as it is. */
const UNTYPED: Readonly<Record<string, readonly string[]>> = {
  ApplicationSetRollout: [
    'generators[0]',
    'generators[0].clusters',
    'generators[0].list',
    'steps[0].match.key',
    'ignoreApplicationDifferences[0]',
  ],
  DaemonSetPolicy: ['surroundings[0]'],
  DeploymentPolicy: ['surroundings[0]'],
  DisaggregatedSetRollout: [
    'roles[0].leaderWorkerTemplate.subGroupPolicy',
    'roles[0].leaderWorkerTemplate.volumeClaimTemplates',
    'roles[0].leaderWorkerTemplate.persistentVolumeClaimRetentionPolicy',
  ],
  FleetBundle: [
    'rollout.partitions.clusters',
    'rollout.partitions.clusters[0]',
    'rollout.partitions.then',
    'rollout.partitions.then[0]',
    'ignore.conditions[0]',
    'ignore.conditions[0].key',
  ],
  IncrementalRayService: [
    'serveConfig',
    'serveConfig.applications',
    'serveConfig.applications[0]',
    'serveConfig.applications[0].name',
    'serveConfig.applications[0].import_path',
    'serveConfig.applications[0].route_prefix',
    'serveConfig.applications[0].runtime_env',
    'serveConfig.applications[0].args',
    'serveConfig.applications[0].deployments',
    'serveConfig.proxy_location',
    'serveConfig.http_options',
    'serveConfig.grpc_options',
    'serveConfig.logging_config',
    'rayCluster.headGroupSpec.resources.key',
    'startupSeconds',
    'current.serveConfig',
    'current.serveConfig.applications',
    'current.serveConfig.applications[0]',
    'current.serveConfig.proxy_location',
    'current.serveConfig.http_options',
    'current.serveConfig.grpc_options',
    'current.serveConfig.logging_config',
    'next.serveConfig',
    'next.serveConfig.applications',
    'next.serveConfig.applications[0]',
    'next.serveConfig.proxy_location',
    'next.serveConfig.http_options',
    'next.serveConfig.grpc_options',
    'next.serveConfig.logging_config',
    'stage',
  ],
  LeaderWorkerSetRollout: [
    'leaderWorkerTemplate.subGroupPolicy',
    'leaderWorkerTemplate.subGroupPolicy.subGroupPolicyType',
    'leaderWorkerTemplate.subGroupPolicy.subGroupSize',
    'leaderWorkerTemplate.volumeClaimTemplates',
    'leaderWorkerTemplate.volumeClaimTemplates[0]',
    'leaderWorkerTemplate.persistentVolumeClaimRetentionPolicy',
    'leaderWorkerTemplate.persistentVolumeClaimRetentionPolicy.whenDeleted',
    'leaderWorkerTemplate.persistentVolumeClaimRetentionPolicy.whenScaled',
  ],
  LLMInferenceServiceRollout: ['baseRefs[0]'],
};

const TYPES: readonly string[] = [
  'a map',
  'a list',
  'a string',
  'true or false',
  'a whole number',
  'a whole number or a percentage such as "25%"',
  'a map of strings',
  'a map of quantities',
  'a list of strings',
];

const PATHS = argPaths();

test('every component is asked', () => {
  expect([...PATHS.keys()].toSorted()).toEqual(Object.keys(SOUND).toSorted());
});

test.each([...PATHS].map(([name, places]) => [name, places] as const))(
  '%s',
  async (name, places) => {
    const answers: (readonly [place: string, answer: string])[] = [];
    for (const place of places) answers.push([place, await answerFor(name, place)]);
    const placesWith = (isOf: (answer: string) => boolean) => answers.flatMap(([place, answer]) => (isOf(answer) ? [place] : []));

    expect(placesWith((answer) => answer === 'taken')).toEqual(TAKEN[name]);
    // What is refused says the prop and its type.
    expect(placesWith((answer) => answer !== 'taken' && !TYPES.includes(answer))).toEqual(UNTYPED[name] ?? []);
    const untyped = answers.filter(([place]) => UNTYPED[name]?.includes(place));
    for (const [place, answer] of untyped) expect(answer).toContain(`${place} is a Pulumi Output, whose value is not known at preview`);
  },
  120_000,
);
