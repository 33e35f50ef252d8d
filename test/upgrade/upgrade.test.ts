import type { PlanDocument } from '../../src/core/document/plan-document';
import { nameChanges } from '../../src/upgrade/rules/name-changes';
import { rolloutkit } from '../cli/command-line';
import { expectValidPlan } from '../plan-schema';

const SERVICE = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: chat, namespace: models, annotations: { serving.kserve.io/deploymentMode: Standard } }
spec:
  predictor:
    minReplicas: 2
    containers: [{ name: kserve-container, image: "own:1", resources: { limits: { nvidia.com/gpu: 2 } } }]
`;

const RUNTIME = (image: string) => `apiVersion: serving.kserve.io/v1alpha1
kind: ClusterServingRuntime
metadata: { name: own }
spec:
  supportedModelFormats: [{ name: sklearn, version: "1", autoSelect: true }]
  containers: [{ name: kserve-container, image: "${image}" }]
`;

const MODEL = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris, namespace: models, annotations: { serving.kserve.io/deploymentMode: Standard } }
spec: { predictor: { minReplicas: 2, model: { modelFormat: { name: sklearn }, runtime: own, storageUri: "pvc://models/iris" } } }
`;

const QUOTA = `---
apiVersion: v1
kind: ResourceQuota
metadata: { name: gpus, namespace: models }
spec: { hard: { requests.nvidia.com/gpu: 4 } }
`;

/** Plans an upgrade of the files of a folder as JSON. */
async function planUpgrade(upgrade: string, files: Readonly<Record<string, string>>, args: readonly string[] = ['models.yaml']) {
  const { stdout, stderr, exitCode } = await rolloutkit(['upgrade', upgrade, ...args, '--format', 'json'], { files });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return expectValidPlan(JSON.parse(stdout) as PlanDocument);
}

/** What happens to each object: [name, effect, fields]. */
function effectsOf({ change }: PlanDocument) {
  return change!.objects.map(({ resource, effect, because }) => [resource.name, effect, because.map(({ path }) => path)]);
}

test('an object that does not change rolls if the new version writes another pod template', async () => {
  const plan = await planUpgrade('kserve=0.16..0.17', { 'models.yaml': SERVICE });

  expect(effectsOf(plan)).toEqual([['chat', 'roll', ['spec.template.spec.containers[kserve-container].env[INFERENCE_SERVICE_NAME]']]]);
  expect(plan.upgrade).toMatchObject({
    product: 'kserve',
    from: '0.16',
    to: '0.17',
    differences: [{ id: 'inference-service-name', since: '0.17', effect: 'roll', objects: [{ name: 'chat' }] }],
  });
  expect(plan.rollouts[0]!.simulation).toMatchObject({ kind: 'deployment', peakPods: 3 });
});

test('an error about the upgrade is no refusal of the object', async () => {
  const files = { 'models.yaml': nameChanges.example };
  const { stdout } = await rolloutkit('upgrade kserve=0.15..0.16 models.yaml', { files });

  expect(stdout).toContain('error  upgrade/name-changes  InferenceService shop/iris predictor');
  expect(stdout).toContain('InferenceService shop/iris predictor (kserve)\n  no strategy\n');
  expect(stdout).not.toContain('refused');
});

test('KServe 0.16 deletes the Deployments of a stopped service, which 0.15 runs in mode Standard', async () => {
  const stopped = SERVICE.replace('Standard }', 'RawDeployment, serving.kserve.io/stop: "true" }');
  const renamed = `${stopped}status: { deploymentMode: Standard }\n`;

  expect(effectsOf(await planUpgrade('kserve=0.15..0.16', { 'models.yaml': renamed }))).toEqual([
    ['chat', 'scale', ['metadata.deletionTimestamp']],
  ]);
  expect(effectsOf(await planUpgrade('kserve=0.15..0.19', { 'models.yaml': stopped }))).toEqual([
    ['chat', 'scale', ['metadata.deletionTimestamp']],
  ]);
  // Its status has a mode that 0.16 does not know.
  expect(effectsOf(await planUpgrade('kserve=0.15..0.16', { 'models.yaml': stopped }))).toEqual([['chat', 'none', []]]);
});

test('KServe 0.16 writes the rollout of its ConfigMap, which 0.15 does not read', async () => {
  const config = `apiVersion: v1
kind: ConfigMap
metadata: { name: inferenceservice-config, namespace: kserve }
data: { deploy: '{"defaultDeploymentMode":"Standard","deploymentRolloutStrategy":{"defaultRollout":{"maxSurge":"1","maxUnavailable":"25%"}}}' }
`;
  const plan = await planUpgrade('kserve=0.16..0.17', { 'models.yaml': `${SERVICE}---\n${config}` });

  expect(plan.upgrade!.differences.map(({ id }) => id)).not.toContain('rollout-of-config');

  const from15 = await planUpgrade('kserve=0.15..0.19', { 'models.yaml': `${SERVICE}---\n${config}` });

  expect(from15.upgrade!.differences).toContainEqual(
    expect.objectContaining({ id: 'rollout-of-config', effect: 'settings', objects: [expect.objectContaining({ name: 'chat' })] }),
  );
});

test('the surge of an upgrade deadlocks on a full quota', async () => {
  const plan = await planUpgrade('kserve=0.16..0.17', { 'models.yaml': SERVICE + QUOTA });

  expect(plan.rollouts[0]!.capacity).toMatchObject({ verdict: 'deadlocks' });
  const [rolls] = plan.findings.filter(({ code }) => code === 'upgrade/rolls-everything');
  expect(rolls!.data).toMatchObject({ extraPods: 1, extraGpus: 2, deadlocks: { names: ['InferenceService models/chat'] } });
});

test('a service whose updates are off is on hold', async () => {
  const held = SERVICE.replace('deploymentMode: Standard', 'deploymentMode: Standard, serving.kserve.io/disable-auto-update: "true"');
  const plan = await planUpgrade('kserve=0.16..0.17', { 'models.yaml': held });

  expect(effectsOf(plan)).toMatchObject([['chat', 'held', expect.anything()]]);
  expect(plan.rollouts[0]!.simulation).toBeNull();
});

test("the operator's own objects of both versions are compared if they are given", async () => {
  const files = { 'models.yaml': MODEL, 'old.yaml': RUNTIME('own:1'), 'new.yaml': RUNTIME('own:2') };
  const same = await planUpgrade('kserve=0.18..0.19', files, ['models.yaml', '--old-config', 'old.yaml', '--new-config', 'old.yaml']);
  const plan = await planUpgrade('kserve=0.18..0.19', files, ['models.yaml', '--old-config', 'old.yaml', '--new-config', 'new.yaml']);

  expect(effectsOf(same)).toEqual([
    ['iris', 'none', []],
    ['own', 'none', []],
  ]);
  expect(effectsOf(plan)).toEqual([
    ['iris', 'roll', []],
    ['own', 'settings', ['spec.containers[0].image']],
  ]);
  expect(plan.change!.objects[0]!.causedBy).toMatchObject([{ kind: 'ClusterServingRuntime', name: 'own' }]);
});

test('findings that the old version has too are left out', async () => {
  const files = { 'models.yaml': SERVICE.replace('minReplicas: 2', 'minReplicas: 2\n    unknownField: 1') };
  const listCodes = ({ findings, rollouts }: PlanDocument) =>
    [...findings, ...rollouts.flatMap((rollout) => rollout.findings)].map(({ code }) => code);
  const { stdout } = await rolloutkit('plan models.yaml --versions kserve=0.19 --format json', { files });

  expect(listCodes(JSON.parse(stdout) as PlanDocument)).toContain('input/unknown-field');
  expect(listCodes(await planUpgrade('kserve=0.18..0.19', files))).toEqual([]);
});

test('a Revision of Knative rolls in its Deployment when Knative is upgraded', async () => {
  const plan = await planUpgrade('knative=1.21..1.22', {
    'models.yaml': `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: hello }
spec:
  template:
    metadata: { annotations: { autoscaling.knative.dev/min-scale: "4" } }
    spec: { containers: [{ image: "hello:1" }] }
`,
  });

  expect(plan.rollouts[0]!.simulation).toMatchObject({ kind: 'deployment', replicas: 4, peakPods: 5, minAvailable: 4 });
});

const SET = (template = '') => `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: { name: llm }
spec:
  replicas: 4
  leaderWorkerTemplate:
    size: 2
${template}    workerTemplate: { spec: { containers: [{ name: vllm, image: "vllm:1" }] } }
`;

const CLAIMS = `    volumeClaimTemplates: [{ metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }]
`;

test.each([
  ['lws=0.7..0.8', SET(), 'roll'],
  ['lws=0.7..0.9', SET(), 'none'],
  ['lws=0.7..0.10', SET(), 'none'],
  ['lws=0.8..0.9', SET(), 'none'],
  // 0.7 drops claims, so the stored set has none.
  ['lws=0.7..0.9', SET(CLAIMS), 'none'],
  ['lws=0.8..0.9', SET(CLAIMS), 'none'],
])('%s', async (upgrade, set, effect) => {
  const plan = await planUpgrade(upgrade, { 'models.yaml': set });

  expect(effectsOf(plan)).toMatchObject([['llm', effect, expect.anything()]]);
});

test('KServe 0.20 deletes the workers of a multi-node service', async () => {
  const runtime = `apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata: { name: large, namespace: models }
spec:
  supportedModelFormats: [{ name: huggingface, version: "1", autoSelect: true }]
  containers: [{ name: kserve-container, image: "vllm:1", resources: { limits: { nvidia.com/gpu: 1 } } }]
  workerSpec:
    pipelineParallelSize: 2
    containers: [{ name: worker-container, image: "vllm:1", resources: { limits: { nvidia.com/gpu: 1 } } }]
`;
  const service = MODEL.replace('name: sklearn', 'name: huggingface').replace('runtime: own', 'runtime: large');
  const files = { 'models.yaml': `${service.replace('minReplicas: 2,', 'workerSpec: {},')}---\n${runtime}` };

  expect(effectsOf(await planUpgrade('kserve=0.19..0.20', files))).toContainEqual(['iris', 'roll', ['metadata.deletionTimestamp']]);
  expect(effectsOf(await planUpgrade('kserve=0.17..0.19', files))).toContainEqual([
    'iris',
    'roll',
    expect.arrayContaining([expect.stringContaining('WORKER_SVC')]),
  ]);
});

const GROUPS = `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: { name: llm, namespace: models }
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 3
    workerTemplate: { spec: { containers: [{ name: vllm, image: "vllm:1", ports: [{ containerPort: 80 }] }] } }
---
apiVersion: v1
kind: Service
metadata: { name: leaders, namespace: models }
spec:
  selector: { leaderworkerset.sigs.k8s.io/name: llm, leaderworkerset.sigs.k8s.io/worker-index: "0" }
  ports: [{ port: 80 }]
`;

test('a Service that selects the leaders of groups loses those that are recreated', async () => {
  const plan = await planUpgrade('lws=0.7..0.8', { 'models.yaml': GROUPS });

  const [leaders] = plan.services!;
  expect(leaders).toMatchObject({ resource: { name: 'leaders' }, readyEndpoints: { before: 2, least: 1, after: 2 } });
});

const LLM_SERVICE = `apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata: { name: chat, namespace: models }
spec: { baseRefs: [{ name: own }], replicas: 2, model: { uri: "hf://Qwen/Qwen3-8B", name: qwen }, router: { scheduler: {} } }
status: { annotations: { serving.kserve.io/config-llm-template: v1-template, serving.kserve.io/config-llm-scheduler: v1-scheduler } }
`;

const PRESET = (image: string) => `apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceServiceConfig
metadata: { name: own, namespace: models }
spec: { template: { containers: [{ name: main, image: "${image}" }] } }
`;

test('presets of another prefix hold an LLMInferenceService, and one of baseRefs that changes rolls its own part', async () => {
  const files = { 'models.yaml': LLM_SERVICE, 'old.yaml': PRESET('vllm:1'), 'new.yaml': PRESET('vllm:2') };
  const same = await planUpgrade('kserve=0.19..0.20', files, ['models.yaml', '--old-config', 'old.yaml', '--new-config', 'old.yaml']);
  const plan = await planUpgrade('kserve=0.19..0.20', files, ['models.yaml', '--old-config', 'old.yaml', '--new-config', 'new.yaml']);

  expect(effectsOf(same)).toEqual([
    ['chat', 'none', []],
    ['own', 'none', []],
  ]);
  expect(effectsOf(plan)).toEqual([
    ['chat', 'roll', ['spec (from own)']],
    ['own', 'settings', ['spec.template.containers[0].image']],
  ]);
  expect(plan.notPlanned).toEqual([]);
  expect(plan.rollouts.map(({ resource, simulation }) => [resource.component, simulation !== null])).toEqual([
    ['workload', true],
    ['scheduler', false],
  ]);
});

test('a scheduler with an image of its own rolls too, because the rest of its preset differs', async () => {
  const service = LLM_SERVICE.replace('scheduler: {}', 'scheduler: { template: { containers: [{ name: main, image: "own:1" }] } }').replace(
    /^status.*$/m,
    '',
  );
  const upgrades = ['0.16..0.17', '0.17..0.18', '0.18..0.19', '0.19..0.20'];
  const plans = await Promise.all(upgrades.map((pair) => planUpgrade(`kserve=${pair}`, { 'models.yaml': service })));

  const rolled = plans.map(({ rollouts }) =>
    rollouts.filter(({ simulation }) => simulation !== null).map(({ resource }) => resource.component),
  );
  expect(rolled).toEqual(upgrades.map(() => ['workload', 'scheduler']));
});

test('the routers of InferenceGraphs roll, although their pods are not planned', async () => {
  const graph = `apiVersion: serving.kserve.io/v1alpha1
kind: InferenceGraph
metadata: { name: graph, namespace: models }
spec: { nodes: { root: { routerType: Sequence, steps: [{ serviceName: chat }] } } }
`;
  const plan = await planUpgrade('kserve=0.18..0.19', { 'models.yaml': graph });
  const stopped = await planUpgrade('kserve=0.18..0.19', {
    'models.yaml': graph.replace('namespace: models', 'namespace: models, annotations: { serving.kserve.io/stop: "true" }'),
  });

  expect(effectsOf(plan)).toEqual([['graph', 'roll', ['spec.template.spec.containers[graph].image']]]);
  expect(plan.findings.map(({ message }) => message)).toEqual([
    'Upgrading KServe from 0.18 to 0.19 replaces the pods of InferenceGraph models/graph: spec.template.spec.containers[graph].image is written differently. The pods of 1 object are not counted.',
  ]);
  expect(effectsOf(stopped)).toEqual([['graph', 'none', []]]);
});

test('Kubernetes 1.34.1 replaces the pods of StatefulSets, also of those that operators created', async () => {
  const statefulSet = (name: string, owner: string) => `---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: ${name}, namespace: models, uid: ${name}${owner} }
spec:
  replicas: 2
  serviceName: ${name}
  selector: { matchLabels: { app: ${name} } }
  template: { metadata: { labels: { app: ${name} } }, spec: { containers: [{ name: main, image: "app:1" }] } }
`;
  const owner = ', ownerReferences: [{ apiVersion: monitoring.coreos.com/v1, kind: Prometheus, name: k8s, uid: k8s, controller: true }]';
  const text = GROUPS + statefulSet('own', '') + statefulSet('prometheus', owner);
  const replaced = await planUpgrade('kubernetes=1.33..1.34.1', { 'models.yaml': text });
  const kept = await planUpgrade('kubernetes=1.33..1.34.2', { 'models.yaml': text });
  const rolledOf = ({ change }: PlanDocument) =>
    change!.objects.filter(({ effect }) => effect === 'roll').map(({ resource }) => resource.name);

  expect(rolledOf(replaced)).toEqual(['llm', 'own', 'prometheus']);
  expect(rolledOf(kept)).toEqual([]);
});

test('a service whose runtime is not in the input may roll', async () => {
  const plan = await planUpgrade('kserve=0.19..0.20', { 'models.yaml': MODEL });
  const known = await planUpgrade('kserve=0.19..0.20', { 'models.yaml': `${MODEL}---\n${RUNTIME('own:1')}` });

  expect(plan.findings.map(({ message }) => message)).toEqual([
    'The input does not contain the serving runtimes of InferenceService models/iris. KServe 0.20 reads their annotations differently, so it is not known whether these services roll.',
  ]);
  expect(known.findings).toEqual([]);
});

const BUNDLE = `apiVersion: fleet.cattle.io/v1alpha1
kind: Bundle
metadata: { name: web, namespace: fleet-default }
spec: { diff: { comparePatches: [] }, targets: [{ clusterSelector: {} }] }
`;

test('a safer order has the steps for what the upgrade disturbs', async () => {
  const bundled = MODEL.replace('runtime: own', 'runtime: kserve-sklearnserver');
  const orderOf = async (upgrade: string, text: string) => (await planUpgrade(upgrade, { 'models.yaml': text })).upgrade!.saferOrder;
  const hold = 'Add the annotation serving.kserve.io/disable-auto-update: "true" to each InferenceService while it is Ready.';
  const order =
    'Apply the new ConfigMap inferenceservice-config first, so that each service rolls once, then upgrade the controller, and the serving runtimes last.';
  const release = 'Remove the annotation from one service at a time, and wait until it is ready.';

  expect(await orderOf('kserve=0.16..0.17', SERVICE)).toEqual([hold, order, release]);
  expect(await orderOf('kserve=0.16..0.17', bundled)).toEqual([
    hold,
    'Pin the image that runs in each model of a serving runtime of the chart, as model.image or model.runtimeVersion, so that other runtimes roll nothing.',
    order,
    release,
  ]);
  expect(await orderOf('lws=0.7..0.8', GROUPS)).toEqual([
    'Upgrade from 0.7 to 0.9 or later in one step, and skip 0.8, so that no set gets a new revision.',
  ]);
  expect(await orderOf('fleet=0.14..0.15', BUNDLE)).toEqual([
    'Pause the bundles that run hooks, upgrade Fleet, and unpause one bundle at a time.',
  ]);
  expect(await orderOf('kserve=0.18..0.19', SERVICE)).toEqual([]);
});

describe('the command', () => {
  const run = (args: string) => rolloutkit(args, { files: { 'models.yaml': SERVICE } });

  test.each([
    ['upgrade kserv=0.16..0.17 models.yaml', 'did you mean kserve?'],
    ['upgrade argo-cd=3.4..3.5 models.yaml', 'what an upgrade of Argo CD rolls is not known'],
    ['upgrade kserve=0.14..0.17 models.yaml', 'is not known, so nothing is answered; upgrades from 0.15 to 0.20 are known'],
    ['upgrade kserve=0.20..0.99 models.yaml', 'is not known, so nothing is answered; upgrades from 0.15 to 0.20 are known'],
    ['upgrade kserve=0.20..0.17 models.yaml', 'write kserve=0.17..0.20 for the upgrade'],
    ['upgrade kserve=0.17 models.yaml', 'write kserve=0.15..0.20'],
    ['upgrade kserve models.yaml', 'such as kserve=0.17..0.20'],
    ['upgrade kserve=a..b models.yaml', '"a" is not a version of KServe'],
    ['upgrade kserve=0.16..0.17', 'name a PATH, or --from cluster'],
    ['upgrade kserve=0.16..0.17 models.yaml --from models.yaml', 'a PATH names what is read from a cluster, and --from names no cluster'],
    ['upgrade kserve=0.16..0.17 models.yaml --versions kserve=0.17', 'omit it: kserve=0.16..0.17 says both versions'],
    ['upgrade kserve=0.16..0.17 models.yaml --fail-on bad', 'error, warning, info or never'],
    ['upgrade kserve=0.16..0.17 absent.yaml', 'absent.yaml'],
  ])('%s cannot run and prints nothing', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(args);

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('fails only with --fail-on', async () => {
    const codes = ['', ' --fail-on error', ' --fail-on warning'].map(async (option) => {
      const { exitCode } = await run(`upgrade kserve=0.16..0.17 models.yaml${option}`);
      return exitCode;
    });

    expect(await Promise.all(codes)).toEqual([0, 0, 1]);
  });

  test.each([
    ['only a document that cannot be read', {}, 'no object was planned'],
    [
      'an object next to it',
      { 'a.yaml': QUOTA.replace('---\n', '') },
      'nothing rolls in the 1 object that was planned; assumes Kubernetes 1.36',
    ],
  ])('the first line says that the plan is incomplete for %s', async (_, files, counted) => {
    const { stdout } = await rolloutkit('upgrade kserve=0.16..0.17 .', { files: { ...files, 'models.yaml': 'a: [\n' } });

    expect(stdout.split('\n')[0]).toBe(`incomplete: 1 document is not read; KServe 0.16 -> 0.17: ${counted}`);
    expect(stdout).toContain('error  input/unreadable  ./models.yaml');
  });

  test('the first line names the versions', async () => {
    const { stdout } = await run('upgrade kserve=0.16..0.17 models.yaml');

    expect(stdout.split('\n')[0]).toBe(
      'KServe 0.16 -> 0.17: 1 of 1 object is affected: 1 rolls; 2 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36',
    );
  });

  test.each(['markdown', 'svg', 'html'])('draws %s', async (format) => {
    const { exitCode, stdout } = await run(`upgrade kserve=0.16..0.17 models.yaml --format ${format}`);

    expect(exitCode).toBe(0);
    expect(stdout).toContain('chat');
  });
});
