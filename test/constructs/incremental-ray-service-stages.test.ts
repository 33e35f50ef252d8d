import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Chart, Testing, Yaml } from 'cdk8s';
import * as fc from 'fast-check';
import { IncrementalRayService } from 'rolloutkit';
import type { GitOpsRayServiceProps, RayClusterProps } from 'rolloutkit';
import { planManifests } from '../../src/headless';
import { synthError } from './synth-error';
import { scaleRuns } from '../setup/scale-runs';

/** Five workers with a GPU each. */
function cluster(image: string): RayClusterProps {
  return {
    headGroupSpec: { template: { spec: { containers: [{ name: 'ray-head', image }] } } },
    workerGroupSpecs: [
      {
        groupName: 'gpu',
        replicas: 5,
        minReplicas: 0,
        maxReplicas: 20,
        template: { spec: { containers: [{ name: 'ray-worker', image, resources: { limits: { 'nvidia.com/gpu': 1 } } }] } },
      },
    ],
  };
}

const serveConfig = {
  applications: [{ name: 'llm', import_path: 'llm:app', route_prefix: '/', deployments: [{ name: 'LLM', num_replicas: 5 }] }],
};

const props: GitOpsRayServiceProps = {
  ownership: 'gitops',
  upgrade: { gatewayClassName: 'istio', maxSurgePercent: 50, stepSizePercent: 25, intervalSeconds: 60 },
  current: { serveConfig, rayCluster: cluster('rayproject/ray:2.50.0') },
  next: { serveConfig, rayCluster: cluster('rayproject/ray:2.51.0') },
};

function staged(change: Partial<GitOpsRayServiceProps> = {}): IncrementalRayService {
  return new IncrementalRayService(new Chart(new App(), 'models', { namespace: 'models' }), 'llm', { ...props, ...change });
}

function emitted(stage: number): string {
  const chart = new Chart(new App(), 'models', { namespace: 'models' });
  new IncrementalRayService(chart, 'llm', { ...props, stage });
  return Testing.synth(chart)
    .map((object) => Yaml.stringify(object))
    .join('---\n');
}

/** Returns the RayService with this name in a stage. Negative stages count from the end. */
function serviceOf(llm: IncrementalRayService, name: string, stage: number): unknown {
  return llm.stages.at(stage)!.objects.find(({ metadata }) => metadata!.name === name);
}

/** Returns a stage without its capacities and weights. */
function withoutFigures(stage: number): string {
  return emitted(stage)
    .replaceAll(/target_capacity: \d+/g, 'target_capacity')
    .replaceAll(/weight: \d+/g, 'weight');
}

test('a stage is a complete set: Gateway, both RayServices with their capacity, HTTPRoute with their weights', () => {
  expect(emitted(2)).toMatchInlineSnapshot(`
"apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  name: llm
  namespace: models
spec:
  gatewayClassName: istio
  listeners:
    - name: http
      port: 80
      protocol: HTTP
---
apiVersion: ray.io/v1
kind: RayService
metadata:
  annotations:
    rolloutkit/upgrade-driver: git
  name: llm-current
  namespace: models
spec:
  rayClusterConfig:
    enableInTreeAutoscaling: true
    headGroupSpec:
      template:
        spec:
          containers:
            - image: rayproject/ray:2.50.0
              name: ray-head
    workerGroupSpecs:
      - groupName: gpu
        maxReplicas: 20
        minReplicas: 0
        template:
          spec:
            containers:
              - image: rayproject/ray:2.50.0
                name: ray-worker
                resources:
                  limits:
                    nvidia.com/gpu: 1
  serveConfigV2: |
    target_capacity: 100
    applications:
      - name: llm
        import_path: llm:app
        route_prefix: /
        deployments:
          - name: LLM
            num_replicas: 5
  upgradeStrategy:
    type: None
---
apiVersion: ray.io/v1
kind: RayService
metadata:
  annotations:
    rolloutkit/upgrade-driver: git
  name: llm-next
  namespace: models
spec:
  rayClusterConfig:
    enableInTreeAutoscaling: true
    headGroupSpec:
      template:
        spec:
          containers:
            - image: rayproject/ray:2.51.0
              name: ray-head
    workerGroupSpecs:
      - groupName: gpu
        maxReplicas: 20
        minReplicas: 0
        template:
          spec:
            containers:
              - image: rayproject/ray:2.51.0
                name: ray-worker
                resources:
                  limits:
                    nvidia.com/gpu: 1
  serveConfigV2: |
    target_capacity: 50
    applications:
      - name: llm
        import_path: llm:app
        route_prefix: /
        deployments:
          - name: LLM
            num_replicas: 5
  upgradeStrategy:
    type: None
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: llm
  namespace: models
spec:
  parentRefs:
    - name: llm
      namespace: models
  rules:
    - backendRefs:
        - name: llm-current-serve-svc
          namespace: models
          port: 8000
          weight: 75
        - name: llm-next-serve-svc
          namespace: models
          port: 8000
          weight: 25
      matches:
        - path:
            type: PathPrefix
            value: /
"
`);
});

test('the stages are the rows of the simulation', () => {
  const llm = staged();
  expect(llm.findings).toEqual([]);
  expect(llm.simulation).toMatchObject({ outcome: 'promoted', durationSeconds: 240, peakCapacityPercent: 150 });
  expect(llm.stages.map(({ step }) => step)).toEqual(llm.simulation!.steps);
  expect(llm.stages.map(({ folder }) => folder)).toEqual(
    ['00', '01', '02', '03', '04', '05', '06', '07', '08'].map((number) => `stages/${number}`),
  );
});

test('consecutive stages only differ in capacities and weights', () => {
  const stages = staged()
    .stages.slice(0, -1)
    .map(({ number }) => number);
  expect(new Set(stages.map(withoutFigures)).size).toBe(1);
  expect(new Set(stages.map(emitted)).size).toBe(stages.length);
});

test('the last stage leaves only the next service', () => {
  const last = staged().stages.at(-1)!;
  expect(last.objects.map(({ kind, metadata }) => `${kind} ${metadata!.name}`)).toEqual([
    'Gateway llm',
    'RayService llm-next',
    'HTTPRoute llm',
  ]);
  expect(last.objects.at(-1)!.spec).toMatchObject({ rules: [{ backendRefs: [{ name: 'llm-next-serve-svc', port: 8000, weight: 100 }] }] });
});

test('the capacities and weights of every stage are those of its row, for any pace', () => {
  const pace = fc
    .integer({ min: 1, max: 100 })
    .chain((maxSurgePercent) =>
      fc.record({ maxSurgePercent: fc.constant(maxSurgePercent), stepSizePercent: fc.integer({ min: 1, max: maxSurgePercent }) }),
    );
  fc.assert(
    fc.property(pace, (chosen) => {
      for (const { step, objects } of staged({ upgrade: { gatewayClassName: 'istio', ...chosen } }).stages) {
        const text = JSON.stringify(objects);
        const figures = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => Number(match[1]));
        const isLast = step.activeTargetCapacity === 0;
        expect(figures(/target_capacity: (\d+)/g)).toEqual([...(isLast ? [] : [step.activeTargetCapacity]), step.pendingTargetCapacity]);
        expect(figures(/"weight":(\d+)/g)).toEqual([...(isLast ? [] : [step.activeTraffic]), step.pendingTraffic]);
      }
    }),
    { numRuns: scaleRuns(25) },
  );
});

test('the operator rolls out nothing: the plan of a stage shows type None for both services', () => {
  const { stages } = staged();
  const { rollouts } = planManifests(stages[3]!.objects);
  expect(rollouts.map(({ resource, simulation, findings }) => [resource.name, simulation, findings.map(({ code }) => code)])).toMatchObject(
    [
      ['llm-current', { type: 'None', outcome: 'none' }, []],
      ['llm-next', { type: 'None', outcome: 'none' }, []],
    ],
  );
  expect(staged().rollouts).toEqual([]);
});

test('the user chooses the names, so that the next service is the current one of the next upgrade', () => {
  const first = staged({ current: { ...props.current, name: 'llm-v1' }, next: { ...props.next, name: 'llm-v2' } });
  const second = staged({ current: { ...props.next, name: 'llm-v2' }, next: { ...props.next, name: 'llm-v3' } });
  expect(serviceOf(first, 'llm-v2', -1)).toEqual(serviceOf(second, 'llm-v2', 0));
});

test('every object has the labels, and the GatewayClass is emitted on request', () => {
  const { objects } = staged({
    metadata: { name: 'chat', labels: { team: 'nlp' } },
    gatewayClass: { controllerName: 'istio.io/gateway-controller' },
  }).stages[0]!;
  expect(objects.map(({ kind, metadata }) => [kind, metadata])).toEqual([
    ['GatewayClass', { name: 'istio' }],
    ['Gateway', { name: 'chat', namespace: 'models', labels: { team: 'nlp' } }],
    [
      'RayService',
      { name: 'chat-current', namespace: 'models', labels: { team: 'nlp' }, annotations: { 'rolloutkit/upgrade-driver': 'git' } },
    ],
    [
      'RayService',
      { name: 'chat-next', namespace: 'models', labels: { team: 'nlp' }, annotations: { 'rolloutkit/upgrade-driver': 'git' } },
    ],
    ['HTTPRoute', { name: 'chat', namespace: 'models', labels: { team: 'nlp' } }],
  ]);
});

test('each service is reached at its own Serve port', () => {
  const other = cluster('rayproject/ray:2.51.0');
  const headGroupSpec = { template: { spec: { containers: [{ name: 'ray-head', ports: [{ name: 'serve', containerPort: 9000 }] }] } } };
  const { objects } = staged({ next: { serveConfig, rayCluster: { ...other, headGroupSpec } } }).stages[0]!;
  expect(objects.at(-1)!.spec).toMatchObject({ rules: [{ backendRefs: [{ port: 8000 }, { port: 9000 }] }] });
});

describe('what is emitted', () => {
  test('one stage, into the chart', () => {
    const chart = new Chart(new App(), 'models');
    const llm = new IncrementalRayService(chart, 'llm', { ...props, stage: 4 });
    expect(Testing.synth(chart)).toHaveLength(4);
    expect(llm.apiObjects.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'Gateway llm',
      'RayService llm-current',
      'RayService llm-next',
      'HTTPRoute llm',
    ]);
  });

  test('all stages, each as a separate chart', () => {
    const outdir = mkdtempSync(path.join(tmpdir(), 'stages-'));
    const app = new App({ outdir });
    const chart = new Chart(app, 'models', { namespace: 'models', labels: { team: 'nlp' } });
    const everyStage: GitOpsRayServiceProps = { ...props, stage: 'all' };
    new IncrementalRayService(chart, 'llm', everyStage);
    app.synth();
    expect(readdirSync(outdir).filter((file) => file.includes('stage'))).toEqual(
      Array.from({ length: 9 }, (_, stage) => `models-llm-stage-0${stage}.k8s.yaml`),
    );
    expect(readFileSync(path.join(outdir, 'models-llm-stage-02.k8s.yaml'), 'utf8').replaceAll(/ *labels:\n *team: nlp\n/g, '')).toBe(
      emitted(2),
    );
  });

  test('a folder with the name `stages` is that of the stages itself', () => {
    const folder = path.join(mkdtempSync(path.join(tmpdir(), 'stages-')), 'stages');
    staged({ stage: 0 }).writeStages(folder);

    expect(readdirSync(folder)).toEqual(['00', '01', '02', '03', '04', '05', '06', '07', '08', 'README.md']);
    expect(readdirSync(path.dirname(folder))).toEqual(['stages']);
  });

  test('folders with one file per object, and a README with the effect of each stage, its peak, and how to roll back', () => {
    const folder = path.join(mkdtempSync(path.join(tmpdir(), 'stages-')), 'llm');
    mkdirSync(path.join(folder, 'stages/77'), { recursive: true });
    writeFileSync(path.join(folder, 'stages/77/left-over.yaml'), '');
    staged({ stage: 0 }).writeStages(folder);

    expect(readdirSync(path.join(folder, 'stages'))).toEqual(['00', '01', '02', '03', '04', '05', '06', '07', '08']);
    expect(readdirSync(path.join(folder, 'stages/02'))).toEqual([
      'gateway-llm.yaml',
      'httproute-llm.yaml',
      'rayservice-llm-current.yaml',
      'rayservice-llm-next.yaml',
    ]);
    expect(readdirSync(path.join(folder, 'stages/08'))).toEqual(['gateway-llm.yaml', 'httproute-llm.yaml', 'rayservice-llm-next.yaml']);
    expect(readFileSync(path.join(folder, 'stages/02/rayservice-llm-next.yaml'), 'utf8')).toBe(emitted(2).split('---\n')[2]);
    expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).toMatchInlineSnapshot(`
"# llm: from llm-current to llm-next

9 stages, 4 shifts of traffic and 4 changes of capacity; at least 240 s. The peak is 150% of one service's capacity.

Each folder is a complete set of manifests. Apply the folders in order.
After stage 00, wait until Service llm-next-serve-svc exists. After a stage that moves traffic, wait at least 60 s.
After a stage that adds capacity to llm-next, wait until its Serve applications are RUNNING and the new replicas are up.

**To roll back**, apply the previous stage, down to stage 00. Only capacities and weights change.
This also works from the last stage: the stage before it creates llm-current again, without requests.
Both services have type None, which does not lock the cluster: an upgrade of the KubeRay operator writes the full spec over a running
cluster, and an appended worker group is added to it. Do neither between two stages.

The last stage no longer contains llm-current: let your GitOps tool prune it, or run \`kubectl delete rayservice llm-current\`.

| stage | change | llm-current | llm-next | total | workers |
|---|---|---|---|---|---|
| stages/00 | llm-next is created, without replicas and requests | 100%, 100% of requests | 0%, 0% of requests | 100% | 5, 5 GPUs |
| stages/01 | llm-next grows to 50% | 100%, 100% of requests | 50%, 0% of requests | 150% | 8, 8 GPUs |
| stages/02 | 25% of the requests move to llm-next | 100%, 75% of requests | 50%, 25% of requests | 150% | 8, 8 GPUs |
| stages/03 | 25% of the requests move to llm-next | 100%, 50% of requests | 50%, 50% of requests | 150% | 8, 8 GPUs |
| stages/04 | llm-current shrinks to 50% | 50%, 50% of requests | 50%, 50% of requests | 100% | 6, 6 GPUs |
| stages/05 | llm-next grows to 100% | 50%, 50% of requests | 100%, 50% of requests | 150% | 8, 8 GPUs |
| stages/06 | 25% of the requests move to llm-next | 50%, 25% of requests | 100%, 75% of requests | 150% | 8, 8 GPUs |
| stages/07 | 25% of the requests move to llm-next | 50%, 0% of requests | 100%, 100% of requests | 150% | 8, 8 GPUs |
| stages/08 | llm-current is removed | - | 100%, 100% of requests | 100% | 5, 5 GPUs |

Columns 3 and 4 are capacity and share of requests. Workers are counted with one Serve replica each. Every RayService also has a head
pod, which is not counted.
"
`);
  });

  test('the operator’s own upgrade has no stages to write', () => {
    const chart = Testing.chart();
    const llm = new IncrementalRayService(chart, 'llm', { upgrade: props.upgrade, ...props.next });
    expect(() => llm.writeStages('nowhere')).toThrow(
      "[test/llm] has no stages to write; set ownership: 'gitops' (called at test/constructs/",
    );
  });
});

describe('what fails the synth', () => {
  test.each<[string, object, RegExp]>([
    [
      'no surge',
      { upgrade: { ...props.upgrade, maxSurgePercent: 0, stepSizePercent: 0 } },
      /kuberay\/zero-surge\] upgrade.maxSurgePercent/,
    ],
    [
      'a step above the surge',
      { upgrade: { ...props.upgrade, stepSizePercent: 60 } },
      /kuberay\/step-exceeds-surge\] upgrade.stepSizePercent/,
    ],
    ['one name for both', { next: { ...props.next, name: 'llm-current' } }, /input\/duplicate-resource\] next.name/],
    ['a long name', { current: { ...props.current, name: 'a'.repeat(48) } }, /kuberay\/name-too-long\] current.metadata.name/],
    [
      'a cluster that KubeRay refuses',
      { next: { serveConfig, rayCluster: { headGroupSpec: { template: { spec: { containers: [] } } } } } },
      /kuberay\/ray-cluster-spec\] next.rayCluster.headGroupSpec/,
    ],
    [
      'a missing stage',
      { stage: 9 },
      /kuberay\/out-of-range\] stage: stage is 9, but this upgrade has the stages 0 to 8. Set stage to one of them, or to 'all'./,
    ],
  ])('%s', (_what, change, message) => {
    expect(synthError((chart) => new IncrementalRayService(chart, 'llm', { ...props, ...change }))).toMatch(message);
  });

  test('the feature gate does not matter, because the operator rolls out nothing', () => {
    expect(staged({ kuberay: '1.5.1' }).findings).toEqual([]);
  });

  test('a surge of less than one pod is a warning, based on the replicas that the stages leave out', () => {
    expect(
      staged({ upgrade: { gatewayClassName: 'istio', maxSurgePercent: 10, stepSizePercent: 5, intervalSeconds: 60 } }).findings.map(
        ({ code, severity, path: prop }) => [code, severity, prop],
      ),
    ).toEqual([['kuberay/surge-below-one-pod', 'warning', 'upgrade.maxSurgePercent']]);
  });
});
