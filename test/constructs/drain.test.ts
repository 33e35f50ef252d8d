import { ApiObject, App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { planManifests } from '../../src/headless';
import {
  DaemonSetPolicy,
  DeploymentPolicy,
  DisaggregatedSetRollout,
  IncrementalRayService,
  InferenceServiceRollout,
  LeaderWorkerSetRollout,
  LLMInferenceServiceRollout,
  RolloutPlan,
} from '../../src';
import type { PlannedRollout } from '../../src';
import * as components from '../../src/pulumi';
import { formatStagesReadme } from '../../src/systems/kuberay/stages-readme';
import { planStagedUpgrade } from '../../src/systems/kuberay/stages';
import { cdk8sObjects, comparable, pulumiObjects, throughYaml } from '../pulumi/adapters';
import { synthError, withoutPlaces } from './synth-error';

const drain = { longestRequest: '10m' };
const vllm = { name: 'vllm', image: 'vllm/vllm-openai:v0.19.0', args: ['--model', 'm'] };
const hook = { lifecycle: { preStop: { sleep: { seconds: 15 } } } };
const drained = { ...vllm, args: ['--model', 'm', '--shutdown-timeout', '600'], ...hook };

const upgrade = { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 };
const head = { template: { spec: { containers: [{ name: 'ray', image: 'rayproject/ray:2.46.0' }] } } };
const application = { name: 'app', import_path: 'app:app', route_prefix: '/', deployments: [{ name: 'Model', num_replicas: 1 }] };
const ray = { upgrade, rayCluster: { headGroupSpec: head }, serveConfig: { applications: [application] }, drain };

const workload = (container: object) => ({
  metadata: { name: 'api' },
  spec: {
    selector: { matchLabels: { app: 'api' } },
    template: { metadata: { labels: { app: 'api' } }, spec: { containers: [{ name: 'api', image: 'api:2', ...container }] } },
  },
});
const uvicorn = workload({ command: ['uvicorn', 'main:app'], ports: [{ containerPort: 8000 }] });
const rolling = { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, drain } as const;
const apply = (policy: DeploymentPolicy | DaemonSetPolicy, kind: string, object: object) => (chart: Chart) =>
  policy.applyTo(new ApiObject(chart, 'api', { apiVersion: 'apps/v1', kind, ...object }));

const service = { predictor: { containers: [{ ...vllm, name: 'kserve-container' }], drain } };
const chat = { kserve: '0.20', model: { uri: 'hf://m' }, drain };
const groups = { leaderWorkerTemplate: { workerTemplate: { spec: { containers: [vllm] } } }, drain };
const roles = { roles: ['prefill', 'decode'].map((name) => ({ name, ...groups })) };

const CONTRACT = [
  [
    'InferenceServiceRollout',
    (c: Chart) => new InferenceServiceRollout(c, 'api', service),
    () => new components.InferenceServiceRollout('api', service),
  ],
  [
    'LLMInferenceServiceRollout',
    (c: Chart) => new LLMInferenceServiceRollout(c, 'api', chat),
    () => new components.LLMInferenceServiceRollout('api', chat),
  ],
  [
    'LeaderWorkerSetRollout',
    (c: Chart) => new LeaderWorkerSetRollout(c, 'api', groups),
    () => new components.LeaderWorkerSetRollout('api', groups),
  ],
  [
    'DisaggregatedSetRollout',
    (c: Chart) => new DisaggregatedSetRollout(c, 'api', roles),
    () => new components.DisaggregatedSetRollout('api', roles),
  ],
  ['IncrementalRayService', (c: Chart) => new IncrementalRayService(c, 'api', ray), () => new components.IncrementalRayService('api', ray)],
  [
    'DeploymentPolicy',
    apply(DeploymentPolicy.stateless(rolling), 'Deployment', uvicorn),
    () => new components.DeploymentPolicy('api', { stateless: rolling, workloads: [uvicorn] }),
  ],
  [
    'DaemonSetPolicy',
    apply(DaemonSetPolicy.of({ maxUnavailable: 1, drain }), 'DaemonSet', uvicorn),
    () => new components.DaemonSetPolicy('api', { policy: { maxUnavailable: 1, drain }, workloads: [uvicorn] }),
  ],
] as const;

test.each(CONTRACT)('cdk8s, Pulumi and YAML have the same drain, which the plan reads: %s', async (kind, construct, component) => {
  const objects = cdk8sObjects((chart) => construct(chart as Chart));
  expect(comparable(await pulumiObjects(component))).toEqual(comparable(objects));

  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } };
  const { rollouts } = planManifests([...throughYaml(objects), node], { versions: { kserve: '0.20' } });
  expect(rollouts.flatMap(({ findings }) => findings.filter(({ code }) => /termination|aborted|prestop|signal/.test(code)))).toEqual([]);
  const requestSeconds = rollouts.map(({ termination }) => termination?.requestSeconds);
  // Ray Serve, and not the pods of its cluster, ends requests.
  expect(requestSeconds).toEqual(rollouts.map(() => (kind === 'IncrementalRayService' ? 600 : 615)));
});

test('the provenance of a drain is in the plan of every construct, and in that of the app', () => {
  const app = new App();
  const chart = new Chart(app, 'chart');
  const constructs = [
    new LLMInferenceServiceRollout(chart, 'chat', chat),
    new LeaderWorkerSetRollout(chart, 'llama', groups),
    new DisaggregatedSetRollout(chart, 'roles', roles),
    new IncrementalRayService(chart, 'ray', ray),
  ];
  apply(DeploymentPolicy.stateless(rolling), 'Deployment', uvicorn)(chart);
  const fieldsOf = ({ provenance }: PlannedRollout) =>
    provenance.filter(({ reason }) => reason.startsWith('drain')).map(({ field }) => field);
  const planned = RolloutPlan.of(app).document.rollouts;
  expect(constructs.map(({ rollouts }) => fieldsOf(rollouts[0]!))).toEqual(planned.slice(0, 4).map(fieldsOf));
  expect(planned.map((rollout) => [rollout.resource.kind, ...fieldsOf(rollout)])).toEqual([
    ['LLMInferenceService', 'terminationGracePeriodSeconds'],
    ['LeaderWorkerSet', 'preStop', '--shutdown-timeout', 'terminationGracePeriodSeconds'],
    [
      'DisaggregatedSet',
      ...['prefill', 'decode'].flatMap((role) => [
        `${role}.preStop`,
        `${role}.--shutdown-timeout`,
        `${role}.terminationGracePeriodSeconds`,
      ]),
    ],
    ['RayService', 'graceful_shutdown_timeout_s', 'rayClusterDeletionDelaySeconds'],
    ['Deployment', 'preStop', '--timeout-graceful-shutdown', 'terminationGracePeriodSeconds'],
  ]);
});

/** Returns the spec of the only object of a construct. */
function specOf(build: (chart: Chart) => unknown): unknown {
  return cdk8sObjects((chart) => build(chart as Chart)).at(-1)!.spec;
}

describe('a drain writes the hook, the grace period and the flag', () => {
  test('into the model and the pods of a predictor, and its provenance says why', () => {
    let iris: InferenceServiceRollout | undefined;
    const model = { modelFormat: { name: 'vllm' }, storageUri: 's3://models/llm' };
    const spec = specOf((chart) => (iris = new InferenceServiceRollout(chart, 'iris', { predictor: { model, drain } })));
    expect(spec).toMatchObject({
      predictor: { terminationGracePeriodSeconds: 620, model: { ...model, args: ['--shutdown-timeout', '600'], ...hook } },
    });
    expect(iris!.predictor.provenance.slice(3)).toEqual([
      {
        field: 'preStop',
        value: 15,
        layer: 'user',
        reason: 'drain: proxies learn within this time that the pod ends',
        overridden: [],
      },
      {
        field: '--shutdown-timeout',
        value: 600,
        layer: 'user',
        reason: 'drain: the longest request takes 600 s',
        overridden: [{ layer: 'vLLM default', value: 0, reason: 'The drain sets it.' }],
      },
      {
        field: 'terminationGracePeriodSeconds',
        value: 620,
        layer: 'user',
        reason: 'drain: 15 s preStop, 600 s for the longest request and 5 s to exit',
        overridden: [{ layer: 'kubernetes-default', value: 30, reason: 'The drain sets it.' }],
      },
    ]);
  });

  test('only the grace period if a preset derives the rest: 620 - 15 - 5 = 600', () => {
    expect(specOf((chart) => new LLMInferenceServiceRollout(chart, 'chat', chat))).toMatchObject({
      template: { terminationGracePeriodSeconds: 620 },
    });
  });

  test('and lets workers with a template of their own run for as long as their leader', () => {
    const workers = { spec: { containers: [{ name: 'worker', image: 'ray:2' }] } };
    const leaderWorkerTemplate = { leaderTemplate: { spec: { containers: [vllm] } }, workerTemplate: workers };
    expect(specOf((chart) => new LeaderWorkerSetRollout(chart, 'llama', { size: 2, leaderWorkerTemplate, drain }))).toMatchObject({
      leaderWorkerTemplate: {
        leaderTemplate: { spec: { terminationGracePeriodSeconds: 620, containers: [drained] } },
        workerTemplate: {
          spec: {
            terminationGracePeriodSeconds: 620,
            containers: [{ name: 'worker', lifecycle: { preStop: { sleep: { seconds: 615 } } } }],
          },
        },
      },
    });
  });

  test('for Ray Serve: the time of its replicas to shut down, and the delay after which the old cluster is deleted', () => {
    const spec = specOf((chart) => new IncrementalRayService(chart, 'llm', ray)) as { readonly serveConfigV2: string };
    expect(spec).toMatchObject({ rayClusterDeletionDelaySeconds: 600 });
    expect(spec.serveConfigV2).toContain('graceful_shutdown_timeout_s: 600');
  });

  test('for both services of an upgrade by Git, whose README says how long the last stage waits', () => {
    const { upgrade: pace, rayCluster, serveConfig } = ray;
    const staged = {
      ownership: 'gitops' as const,
      upgrade: pace,
      current: { rayCluster, serveConfig },
      next: { rayCluster, serveConfig },
      drain,
    };
    const objects = cdk8sObjects((chart) => new IncrementalRayService(chart, 'llm', { ...staged, stage: 1 }));
    const configs = objects
      .filter(({ kind }) => kind === 'RayService')
      .map(({ spec }) => (spec as { serveConfigV2: string }).serveConfigV2);
    expect(configs.map((text) => text.includes('graceful_shutdown_timeout_s: 600'))).toEqual([true, true]);
    expect(formatStagesReadme(planStagedUpgrade('llm', staged))).toContain(
      'Before the last stage, wait at least 600 s, so that the requests of llm-current end before it is removed.',
    );
  });

  test('into a canary of KServe with arguments of its own, which replace those of the predictor', () => {
    const model = { modelFormat: { name: 'vllm' }, storageUri: 's3://models/llm' };
    const spec = specOf(
      (chart) =>
        new InferenceServiceRollout(chart, 'iris', {
          kserve: '0.20',
          predictor: { model, drain },
          canary: [
            {
              trafficPercent: 10,
              predictor: { name: 'v2', model: { ...model, storageUri: 's3://models/llm-2', args: ['--max-num-seqs=8'] } },
            },
            { trafficPercent: 10, predictor: { name: 'v3' } },
          ],
        }),
    );
    expect(spec).toMatchObject({
      canary: [
        {
          predictor: {
            name: 'v2',
            terminationGracePeriodSeconds: 620,
            model: { storageUri: 's3://models/llm-2', args: ['--max-num-seqs=8', '--shutdown-timeout', '600'], ...hook },
          },
        },
        { trafficPercent: 10, predictor: { name: 'v3' } },
      ],
    });
  });

  test('at the end of the script of a shell', () => {
    const spec = specOf(
      apply(DeploymentPolicy.stateless(rolling), 'Deployment', workload({ command: ['sh', '-c', 'cd /app && exec gunicorn app'] })),
    );
    expect(spec).toMatchObject({
      template: { spec: { containers: [{ command: ['sh', '-c', 'cd /app && exec gunicorn app --graceful-timeout 600'] }] } },
    });
  });

  test('as a command for a class that was generated before the action sleep', () => {
    const spec = specOf((chart) => {
      const web = new kplus.Deployment(chart, 'web', {
        containers: [{ image: 'web:2', command: ['uvicorn', 'main:app'], portNumber: 8000 }],
      });
      DeploymentPolicy.stateless(rolling).applyTo(web);
    });
    expect(spec).toMatchObject({
      template: {
        spec: {
          terminationGracePeriodSeconds: 620,
          containers: [{ args: ['--timeout-graceful-shutdown', '600'], lifecycle: { preStop: { exec: { command: ['sleep', '15'] } } } }],
        },
      },
    });
  });

  test('for the sidecar of Istio, too', () => {
    const template = { ...uvicorn.spec.template, metadata: { labels: { app: 'api', 'sidecar.istio.io/inject': 'true' } } };
    const object = { ...uvicorn, spec: { ...uvicorn.spec, template } };
    expect(specOf(apply(DeploymentPolicy.stateless(rolling), 'Deployment', object))).toMatchObject({
      template: { metadata: { annotations: { 'proxy.istio.io/config': 'terminationDrainDuration: 615s\n' } } },
    });
  });

  test('and keeps what the user wrote if it is long enough', () => {
    const container = {
      command: ['uvicorn', 'main:app', '--timeout-graceful-shutdown', '900'],
      lifecycle: { preStop: { sleep: { seconds: 30 } } },
    };
    const spec = specOf(apply(DeploymentPolicy.stateless(rolling), 'Deployment', workload(container)));
    expect(spec).toMatchObject({ template: { spec: { terminationGracePeriodSeconds: 635, containers: [container] } } });
  });
});

const refusal = (container: object, extra: object = {}) =>
  withoutPlaces(
    synthError(
      (chart) =>
        new InferenceServiceRollout(chart, 'iris', {
          predictor: { containers: [{ name: 'kserve-container', ...container }], drain, ...extra },
        }),
    ),
  )
    .split('\n')
    .at(-1)!
    .trim();

test.each([
  [
    'a version of vLLM without the flag',
    { image: 'vllm/vllm-openai:v0.11.0' },
    'predictor.containers[0].image has a version of vLLM that aborts requests at SIGTERM: use 0.18.0 or later',
  ],
  [
    'a server with a fixed limit',
    { image: 'ghcr.io/huggingface/text-generation-inference:3' },
    'Text Generation Inference ends requests 90 s after SIGTERM and has no option for it: lower longestRequest to 90s',
  ],
  [
    'several workers of hypercorn',
    { command: ['hypercorn', '--workers', '2', 'app'] },
    'predictor.containers[0] runs hypercorn with several workers, which ends requests once another worker is idle: run one worker',
  ],
  [
    'a shell that keeps the signal',
    { command: ['sh', '-c', 'uvicorn main:app'] },
    'predictor.containers[0] runs a script of sh that does not show its server: write exec in front of the server, as the last command',
  ],
  [
    'a shorter limit of the user',
    { command: ['gunicorn', '--graceful-timeout', '60', 'app'] },
    'predictor.containers[0] sets --graceful-timeout to 60: delete it, and the drain sets it',
  ],
  [
    'a hook whose time is not known',
    { command: ['gunicorn', 'app'], lifecycle: { preStop: { exec: { command: ['/drain.sh'] } } } },
    'predictor.containers[0].lifecycle.preStop does not show how long it takes: delete it, and the drain writes one',
  ],
])('a drain is refused for %s', (_name, container, reason) => {
  expect(refusal(container)).toBe(`[shop/iris] predictor.drain.longestRequest needs 600 s, but ${reason}`);
});

test('a drain is refused where the runtime of KServe, its mode or its version cannot keep it', () => {
  const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://m' };
  const knative = { annotations: { 'serving.kserve.io/deploymentMode': 'Knative' } };
  const errors = [
    synthError((chart) => new InferenceServiceRollout(chart, 'iris', { predictor: { model, drain } })),
    synthError((chart) => new InferenceServiceRollout(chart, 'iris', { ...service, metadata: knative })),
    synthError((chart) => new LLMInferenceServiceRollout(chart, 'chat', { ...chat, kserve: '0.18' })),
    synthError((chart) => new IncrementalRayService(chart, 'llm', { ...ray, rayClusterDeletionDelaySeconds: 60 })),
    refusal({ image: 'x' }, { terminationGracePeriodSeconds: 100 }),
    refusal({ image: 'x' }, { drain: { longestRequest: 'ten minutes' } }),
  ].map((error) => withoutPlaces(error).split('] ').at(-1));
  expect(errors).toEqual(
    [
      'predictor.drain.longestRequest needs 600 s, but the model server of KServe ends requests 30 s after SIGTERM and has no option for it: lower longestRequest to 30s',
      'predictor.drain is set, but in mode Knative queue-proxy ends the requests: delete it, and write timeout: 600',
      "drain.longestRequest needs 600 s, but the presets of KServe 0.18 start vLLM without --shutdown-timeout, so that it aborts requests: write kserve: '0.19' or later, or the command of container main",
      'drain.longestRequest needs 600 s, but rayClusterDeletionDelaySeconds is 60: delete it, or set it to at least 600',
      'predictor.podSpec.terminationGracePeriodSeconds is 100: delete it, or set it to at least 615',
      'predictor.drain.longestRequest is "ten minutes", which is no duration: write 10m, 90s or 1h30m',
    ].map((error, index) => (index === 4 ? `predictor.drain.longestRequest needs 600 s, but ${error}` : error)),
  );
});

test.each([
  ['UP', '"UP"'],
  ['600', '"600"'],
  [600.5, '600.5'],
])('a grace period of %j is refused, and not replaced by that of the drain', (terminationGracePeriodSeconds, shown) => {
  const spec = { containers: [vllm], terminationGracePeriodSeconds };
  const message = synthError(
    (chart) => void new LeaderWorkerSetRollout(chart, 'api', { drain, leaderWorkerTemplate: { workerTemplate: { spec } } }),
  );
  expect(withoutPlaces(message).split('\n').slice(1)).toEqual([
    `  [shop/api] drain.longestRequest needs 600 s, but leaderWorkerTemplate.workerTemplate.spec.terminationGracePeriodSeconds is ${shown}, which is no whole number of seconds: delete it, or set it to at least 615`,
  ]);
});
