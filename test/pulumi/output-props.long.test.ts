/** Checks for every prop of every component, by its declared type, whether it may be an Output, and otherwise the error. */
import * as pulumi from '@pulumi/pulumi';
import * as components from 'rolloutkit/pulumi';
import { parseFieldPath } from '../../src/core/manifest/field-path';
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

/** Valid args of each component. Several if its props have forms that exclude each other. */
const SOUND: Readonly<Record<string, readonly object[]>> = {
  ApplicationSetRollout: [
    {
      generators: [{ clusters: {} }],
      template: { metadata: { name: '{{name}}' }, spec: { project: 'default', destination: { server: '{{server}}' } } },
      steps: [{ match: { env: 'dev' } }],
    },
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
  KServePlatformConfig: [{ defaultRollout: { maxSurge: '25%' }, emit: 'configmap' }],
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

/** Returns the error of a component for an Output at a path: the type that the plan reads, another reason, or nothing if it is accepted. */
async function answerFor(name: string, place: string): Promise<string> {
  const Component = (components as unknown as Record<string, new (...args: unknown[]) => unknown>)[name]!;
  const answers = await Promise.all(
    SOUND[name]!.map(async (sound) => {
      const args = withAt(sound, parseFieldPath(place), pulumi.output('x'));
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

/** Props that may be Outputs, because they are written without being read before the update. */
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
  DisaggregatedSetRollout: [
    'metadata.namespace',
    'metadata.labels.key',
    'metadata.annotations.key',
    'roles[0].metadata.namespace',
    'surroundings[0].metadata.namespace',
  ],
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
    'surroundings[0].metadata.namespace',
    'current.rayCluster.autoscalerOptions.image',
    'current.rayCluster.headServiceAnnotations.key',
    'next.rayCluster.autoscalerOptions.image',
    'next.rayCluster.headServiceAnnotations.key',
  ],
  InferenceServiceRollout: [
    'metadata.namespace',
    'metadata.labels.key',
    'metadata.annotations.key',
    'predictor.model.storageUri',
    'predictor.model.image',
    'predictor.model.workingDir',
    'predictor.workerSpec.hostname',
    'predictor.workerSpec.priorityClassName',
    'predictor.workerSpec.runtimeClassName',
    'predictor.workerSpec.schedulerName',
    'predictor.workerSpec.serviceAccountName',
    'predictor.workerSpec.subdomain',
    'predictor.podSpec.hostname',
    'predictor.podSpec.priorityClassName',
    'predictor.podSpec.runtimeClassName',
    'predictor.podSpec.schedulerName',
    'predictor.podSpec.serviceAccountName',
    'predictor.podSpec.subdomain',
    'predictor.labels.key',
    'predictor.annotations.key',
    'predictor.containers[0].image',
    'predictor.containers[0].workingDir',
    'transformer.podSpec.hostname',
    'transformer.podSpec.priorityClassName',
    'transformer.podSpec.runtimeClassName',
    'transformer.podSpec.schedulerName',
    'transformer.podSpec.serviceAccountName',
    'transformer.podSpec.subdomain',
    'transformer.labels.key',
    'transformer.annotations.key',
    'transformer.containers[0].image',
    'transformer.containers[0].workingDir',
    'explainer.podSpec.hostname',
    'explainer.podSpec.priorityClassName',
    'explainer.podSpec.runtimeClassName',
    'explainer.podSpec.schedulerName',
    'explainer.podSpec.serviceAccountName',
    'explainer.podSpec.subdomain',
    'explainer.labels.key',
    'explainer.annotations.key',
    'explainer.containers[0].image',
    'explainer.containers[0].workingDir',
    'surroundings[0].metadata.namespace',
  ],
  KServePlatformConfig: ['base.metadata.namespace', 'base.metadata.labels.key', 'base.metadata.annotations.key'],
  LeaderWorkerSetRollout: [
    'metadata.namespace',
    'metadata.labels.key',
    'metadata.annotations.key',
    'leaderWorkerTemplate.leaderTemplate.metadata.namespace',
    'leaderWorkerTemplate.workerTemplate.metadata.namespace',
    'surroundings[0].metadata.namespace',
  ],
  LLMInferenceServiceRollout: [
    'metadata.namespace',
    'metadata.labels.key',
    'metadata.annotations.key',
    'model.uri',
    'prefill.labels.key',
    'prefill.annotations.key',
    'labels.key',
    'annotations.key',
    'surroundings[0].metadata.namespace',
  ],
  OperatorRollingUpdate: [
    'resource.metadata.namespace',
    'resource.metadata.labels.key',
    'resource.metadata.annotations.key',
    'surroundings[0].metadata.namespace',
  ],
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
  'a string or a list of strings',
  'a whole number, a list of strings or a map',
  'a number',
];

const PATHS = argPaths();

test('every component is tested', () => {
  expect([...PATHS.keys()].toSorted()).toEqual(Object.keys(SOUND).toSorted());
});

test.each([...PATHS].map(([name, places]) => [name, places] as const))(
  '%s',
  async (name, places) => {
    const answers: (readonly [place: string, answer: string])[] = [];
    for (const place of places) answers.push([place, await answerFor(name, place)]);
    const placesWith = (isOf: (answer: string) => boolean) => answers.flatMap(([place, answer]) => (isOf(answer) ? [place] : []));

    expect(placesWith((answer) => answer === 'taken')).toEqual(TAKEN[name]);
    // Errors have the prop and its type.
    expect(answers.filter(([, answer]) => answer !== 'taken' && !TYPES.includes(answer))).toEqual([]);
  },
  120_000,
);
