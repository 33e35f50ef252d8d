import { rolloutkit } from '../cli/command-line';
import { PLAYED_TYPES, playCluster } from '../live/played-cluster';

// Each command of kubectl is a process of its own.
jest.setTimeout(60_000);

const ISVC_TYPE = {
  plural: 'inferenceservices',
  group: 'serving.kserve.io',
  version: 'v1beta1',
  kind: 'InferenceService',
  isNamespaced: true,
};

const CONTROLLER = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'kserve-controller-manager', namespace: 'kserve' },
  spec: {
    selector: { matchLabels: { app: 'kserve' } },
    template: {
      metadata: { labels: { app: 'kserve' } },
      spec: { containers: [{ name: 'manager', image: 'docker.io/kserve/kserve-controller:v0.16.0' }] },
    },
  },
};

const CHAT = {
  apiVersion: 'serving.kserve.io/v1beta1',
  kind: 'InferenceService',
  metadata: { name: 'chat', namespace: 'models', uid: '1', annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } },
  spec: { predictor: { minReplicas: 2, containers: [{ name: 'kserve-container', image: 'own:1' }] } },
};

const CLUSTER = {
  currentContext: 'prod',
  namespace: 'models',
  serverVersion: 'v1.35.2',
  types: [...PLAYED_TYPES, ISVC_TYPE],
  objects: [CONTROLLER, CHAT],
};

test('the objects of a cluster are planned, with the version of its server', async () => {
  const { stdout, exitCode } = await rolloutkit('upgrade kserve=0.16..0.17 --from cluster', playCluster(CLUSTER));

  expect({ exitCode, start: stdout.split('\n').slice(0, 8) }).toMatchInlineSnapshot(`
{
  "exitCode": 0,
  "start": [
    "KServe 0.16 -> 0.17: 1 of 2 objects is affected: 1 rolls; 2 pods are replaced; needs up to 1 extra pod",
    "! roll   InferenceService models/chat   2 of 2 available at the worst moment   env[INFERENCE_SERVICE_NAME] none -> chat",
    "",
    "what the new version does differently",
    "  rolls pods, 1 object: KServe 0.17 adds the variable INFERENCE_SERVICE_NAME to every container of a predictor, and to the first container of a transformer.",
    "",
    "2 rollouts on Kubernetes 1.35.2 and KServe 0.17: 1 warning",
    "from cluster prod, namespaces kserve and models; detected Kubernetes 1.35.2 and KServe 0.16.0",
  ],
}
`);
});

const PRESET = {
  apiVersion: 'serving.kserve.io/v1alpha2',
  kind: 'LLMInferenceServiceConfig',
  metadata: { name: 'kserve-config-llm-template', namespace: 'kserve', uid: '3' },
  spec: {},
};

const PRESET_TYPE = {
  ...ISVC_TYPE,
  plural: 'llminferenceserviceconfigs',
  version: 'v1alpha2',
  kind: 'LLMInferenceServiceConfig',
};

const SEARCH = { ...CHAT, metadata: { ...CHAT.metadata, name: 'chat', namespace: 'search', uid: '2' } };

const SHARED_CLUSTER = { ...CLUSTER, types: [...CLUSTER.types, PRESET_TYPE], objects: [...CLUSTER.objects, SEARCH, PRESET] };

/** Runs the upgrade over a cluster with services in two namespaces. Returns the output, and the commands of kubectl. */
async function runOnShared(args: string, cluster = {}) {
  const answer = await rolloutkit(`upgrade kserve=0.16..0.17 --from cluster ${args}`, playCluster({ ...SHARED_CLUSTER, ...cluster }));
  const commands = answer.stderr.split('\n').filter((line) => line.includes('kubectl') && line.includes(' get '));
  return { ...answer, commands };
}

test('all namespaces are planned, with the presets in that of the operator', async () => {
  const { stdout, stderr, commands } = await runOnShared('');

  expect(stdout.split('\n')[0]).toBe(
    'KServe 0.16 -> 0.17: 2 of 4 objects are affected: 2 roll; 4 pods are replaced; needs up to 2 extra pods',
  );
  expect(stdout).toContain('from cluster prod, namespaces kserve, models and search; detected Kubernetes 1.35.2 and KServe 0.16.0');
  expect(stderr).toContain('rolloutkit: reads all namespaces');
  expect(commands.filter((command) => command.includes('inferenceservices.'))).toEqual([expect.stringContaining('--all-namespaces')]);
  expect(commands.filter((command) => /get (?:secrets|configmaps) --all-namespaces/.test(command))).toEqual([]);
});

test('a namespace that is named is planned alone, with the presets in that of the operator', async () => {
  const { stdout, commands } = await runOnShared('--namespace search');

  expect(stdout.split('\n')[0]).toContain('1 of 2 objects is affected');
  expect(commands.filter((command) => command.includes('llminferenceserviceconfigs'))).toEqual([
    expect.stringContaining('--namespace=search'),
    expect.stringContaining('--namespace=kserve'),
  ]);
});

test('the namespace of the context is planned if the user may not list all, and the rest is said to be unread', async () => {
  const forbidden = [{ resource: 'inferenceservices.serving.kserve.io', namespace: '*' }];
  const { stdout } = await runOnShared('', { forbidden });

  expect(stdout.split('\n')[0]).toContain('1 of 3 objects is affected');
  expect(stdout).toContain('inferenceservices.serving.kserve.io of all namespaces');
});

test('what the user may not read may roll, which the headline and a warning say', async () => {
  const cluster = playCluster({ ...CLUSTER, forbidden: [{ resource: 'inferenceservices.serving.kserve.io' }] });
  const { stdout, exitCode } = await rolloutkit('upgrade kserve=0.16..0.17 --from cluster --fail-on warning', cluster);

  expect([exitCode, stdout.split('\n')[0]]).toEqual([
    1,
    'incomplete: a part of the cluster is not read; KServe 0.16 -> 0.17: nothing rolls in the 1 object that was planned',
  ]);
  expect(stdout).toContain('warning  change/incomplete-information');
});

test('a PATH that is not read completely ends the command, since what it lacks would be missing in the answer', async () => {
  const cluster = playCluster(CLUSTER, { files: { 'models.yaml': 'kind: [\n' } });
  const { exitCode, stdout, stderr } = await rolloutkit('upgrade kserve=0.16..0.17 --from cluster models.yaml', cluster);

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^rolloutkit: models.yaml:1:7: The document that begins at line 1 cannot be read/);
});

test('an upgrade from another version than the one that runs is planned, and said on standard error', async () => {
  const { stdout, stderr } = await rolloutkit('upgrade kserve=0.15..0.19 --from cluster', playCluster(CLUSTER));

  expect(stdout.split('\n')[0]).toContain('KServe 0.15 -> 0.19: 1 of 2 objects is affected');
  expect(stderr.split('\n')).toContain('rolloutkit: the cluster runs KServe 0.16.0, and the upgrade is planned from 0.15');
});

test('a pair of versions that is not known answers nothing and reads no cluster', async () => {
  const answer = await rolloutkit('upgrade kserve=0.16..0.30 --from cluster', playCluster(CLUSTER));

  expect(answer).toMatchObject({ exitCode: 2, stdout: '' });
  expect(answer.stderr).toContain('what an upgrade of KServe from 0.16 to 0.30 rolls is not known, so nothing is answered');
  expect(answer.stderr).not.toContain('runs kubectl');
});
