import { parseAllDocuments } from 'yaml';
import { comparedPair } from '../../src/change/compared';
import { ConfigReaders } from '../../src/change/config-use';
import { judged } from '../../src/change/judged';
import type { Surrounding } from '../../src/change/judged';
import { Owned } from '../../src/change/live';
import type { ApplyMode } from '../../src/core/change';
import { DEFAULT_VERSIONS } from '../../src/core/versions';
import { wholeContext } from '../../src/plan/plan';
import { isFields } from '../../src/core/manifest';
import type { Manifest } from '../../src/core/manifest';
import { named, recordedBases, recordedChanges } from '../upstream/changes';
import type { Change } from '../upstream/changes';

type Path = readonly (string | number)[];

/** Every place below a value, itself aside. */
function placesIn(value: unknown, at: Path = []): Path[] {
  const inner: [string | number, unknown][] = Array.isArray(value)
    ? [...(value as unknown[]).entries()]
    : isFields(value)
      ? Object.entries(value)
      : [];
  return inner.flatMap(([name, each]) => [[...at, name], ...placesIn(each, [...at, name])]);
}

/** The value with another one at a place, or with nothing there. */
function withAt(value: unknown, [head, ...rest]: Path, change: (inner: unknown) => unknown): unknown {
  if (head === undefined) return change(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => (index === head ? withAt(item, rest, change) : item));
    return items.filter((item) => item !== undefined);
  }
  const { [head]: inner, ...others } = value as Record<string, unknown>;
  const next = withAt(inner, rest, change);
  return next === undefined ? others : { ...others, [head]: next };
}

function flipped(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'string' ? `${value}x` : value;
}

function pathText(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1);
}

/** The name and kind make another object. */
const IDENTITY = ['apiVersion', 'kind', 'metadata.name', 'metadata.namespace', 'metadata'];

/** One object alone, with what stands beside it on both sides. A whole plan of each would be the same, and thousands of them long. */
function effectOf(old: Manifest, next: Manifest, mode: ApplyMode, beside: readonly Manifest[] = []): string {
  const context = wholeContext([old, ...beside], {});
  const around: Surrounding = {
    versions: DEFAULT_VERSIONS,
    oldContext: context,
    newContext: context,
    owned: new Owned([]),
    readers: new ConfigReaders([]),
    changedAutoscalers: [],
    changedContext: [],
    isChanged: () => false,
    newConfigs: new Set(),
    contentOf: () => [],
    raisedQuotas: new Map(),
    isNew: () => false,
  };
  return judged(comparedPair({ old, next }, mode, DEFAULT_VERSIONS), around, new Set()).effect;
}

/** Of each field the effect of another value, and of none. */
function rowsOf(base: Manifest, beside: readonly Manifest[] = []): string[] {
  const places = placesIn(base).map((path) => ({ path, text: pathText(path) }));
  const effect = (path: Path, change: (inner: unknown) => unknown) =>
    effectOf(base, withAt(base, path, change) as Manifest, 'replace', beside);
  return places
    .filter(({ text }) => !IDENTITY.includes(text))
    .map(({ path, text }) => {
      const isLeaf = typeof valueIn(base, path) !== 'object';
      const changed = isLeaf ? effect(path, flipped) : '-';
      return `${changed.padEnd(14)} ${effect(path, () => undefined).padEnd(14)} ${text}`;
    });
}

function tableOf(base: Manifest, beside: readonly Manifest[] = []): string {
  return withHeader(rowsOf(base, beside));
}

function withHeader(rows: readonly string[]): string {
  return [`${'changed'.padEnd(14)} ${'gone'.padEnd(14)} field`, ...rows].join('\n');
}

/** The recorded workload with pods: with none, every new template would wait. */
function withPods(base: Manifest): Manifest {
  const spec = base.spec as { readonly replicas?: number };
  return spec.replicas === undefined ? base : { ...base, spec: { ...spec, replicas: 3 } };
}

function valueIn(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, part) => (inner as Record<string | number, unknown>)[part], value);
}

function objects(yaml: string): [Manifest, ...Manifest[]] {
  return parseAllDocuments(yaml).map((document): unknown => document.toJS()) as [Manifest, ...Manifest[]];
}

const RUNTIME = `
apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata: { name: sklearn, namespace: shop }
spec:
  supportedModelFormats: [{ name: sklearn, autoSelect: true, version: "1" }]
  containers: [{ name: kserve-container, image: "sklearn:1" }]
`;

const INFERENCE_SERVICE = `
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: iris
  namespace: shop
  labels: { team: ml }
  annotations: { serving.kserve.io/deploymentMode: Standard, serving.kserve.io/autoscalerClass: hpa, example.com/owner: ml }
spec:
  predictor:
    minReplicas: 2
    maxReplicas: 4
    scaleTarget: 80
    scaleMetric: cpu
    containerConcurrency: 1
    timeout: 60
    canaryTrafficPercent: 10
    serviceAccountName: reader
    terminationGracePeriodSeconds: 30
    nodeSelector: { disk: ssd }
    tolerations: [{ key: gpu, operator: Exists }]
    labels: { part: predictor }
    annotations: { example.com/part: predictor }
    deploymentStrategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
    logger: { mode: all, url: "http://log" }
    batcher: { maxBatchSize: 8, maxLatency: 10 }
    model:
      modelFormat: { name: sklearn, version: "1" }
      runtime: sklearn
      storageUri: "s3://models/iris"
      args: ["--workers", "2"]
      env: [{ name: LEVEL, value: info }]
      resources: { limits: { cpu: "1", memory: 1Gi }, requests: { cpu: "1" } }
  transformer:
    minReplicas: 1
    maxReplicas: 1
    containers: [{ name: kserve-container, image: "transform:1", args: ["--port", "80"] }]
`;

const RAY_SERVICE = `
apiVersion: ray.io/v1
kind: RayService
metadata: { name: chat, namespace: shop, labels: { team: ml }, annotations: { example.com/owner: ml } }
spec:
  serviceUnhealthySecondThreshold: 900
  deploymentUnhealthySecondThreshold: 300
  upgradeStrategy: { type: NewCluster }
  serveConfigV2: "applications: []"
  rayClusterConfig:
    rayVersion: "2.46.0"
    enableInTreeAutoscaling: false
    headServiceAnnotations: { example.com/head: "1" }
    headGroupSpec:
      rayStartParams: { dashboard-host: "0.0.0.0" }
      serviceType: ClusterIP
      template:
        metadata: { labels: { part: head } }
        spec: { containers: [{ name: ray-head, image: "ray:2.46", resources: { limits: { cpu: "2" } } }] }
    workerGroupSpecs:
      - groupName: gpu
        replicas: 2
        minReplicas: 1
        maxReplicas: 4
        numOfHosts: 1
        rayStartParams: { num-gpus: "1" }
        template:
          spec: { containers: [{ name: ray-worker, image: "ray:2.46", resources: { limits: { nvidia.com/gpu: 1 } } }], nodeSelector: { disk: ssd } }
`;

describe('one field after another, changed and gone, has the effect that the table says', () => {
  const bases = recordedBases();

  const tables = new Map(
    ['deployment', 'statefulset', 'daemonset'].map((name) => [name, rowsOf(withPods(bases[`${name}-rich`]!))] as const),
  );

  test('deployment', () => {
    expect(withHeader(tables.get('deployment')!)).toMatchSnapshot();
  });

  const isOfTemplate = (row: string) => row.includes(' spec.template');

  // The three have one template, of more than 500 fields: what each of them does elsewhere is shown once.
  test.each(['statefulset', 'daemonset'])('%s, each field of whose pods does what it does in a deployment', (name) => {
    const rows = tables.get(name)!;
    const ofDeployment = tables.get('deployment')!.filter(isOfTemplate);
    expect(ofDeployment.length).toBeGreaterThan(500);
    expect(rows.filter(isOfTemplate)).toEqual(ofDeployment);
    expect(withHeader(rows.filter((row) => !isOfTemplate(row)))).toMatchSnapshot();
  });

  test('inferenceservice', () => {
    const [service] = objects(INFERENCE_SERVICE);
    expect(tableOf(service, objects(RUNTIME))).toMatchSnapshot();
  });

  test('rayservice', () => {
    const [service] = objects(RAY_SERVICE);
    expect(tableOf(service)).toMatchSnapshot();
  });
});

describe('the effect of a recorded change', () => {
  const KINDS = ['Deployment', 'StatefulSet', 'DaemonSet'];
  /** One in so many of those of a field of a Deployment alone; all others, and all those of the spec beside the template. */
  const NTH = 6;
  const changes = recordedChanges().filter(
    ({ row, next, live }, index) =>
      live &&
      KINDS.includes(next.kind) &&
      !JSON.stringify(row.new).includes('paused') &&
      (row.topic === 'spec' || (row.topic === 'field' && (next.kind !== 'Deployment' || index % NTH === 0))),
  );

  /** The workloads of the recording have no pods, so a new template waits for some. */
  const ROLLS = ['roll', 'roll-and-scale', 'held'];

  function isRight({ row }: Change, effect: string): boolean {
    if (row.refused) return effect === 'refused';
    return ROLLS.includes(effect) === (row.revision ?? false) && effect !== 'refused';
  }

  /** What the server refuses and we take: see changes.test.ts. */
  const isTaken = ({ row }: Change) => /cluster policy|merge key|error when applying/.test(JSON.stringify(row.refused ?? ''));

  test('is a roll where the controllers made a new revision, and a refusal where the server refused', () => {
    const wrong = changes.flatMap((change) => {
      const effect = effectOf(change.live!, change.next, change.row.mode);
      return isRight(change, effect) || isTaken(change) ? [] : [`${effect}: ${named(change)}`];
    });
    expect(changes.length).toBeGreaterThan(900);
    expect(wrong).toEqual([]);
  });
});
