import { parseAllDocuments } from 'yaml';
import { APPLIER_BY_MODE } from '../../src/appliers/detect-applier';
import { compareObjects } from '../../src/change/compare/object-comparison';
import { ConfigConsumers } from '../../src/change/effects/config-references';
import { evaluateObjectEffect } from '../../src/change/effects/evaluate-object-effect';
import type { ChangeContext } from '../../src/change/effects/object-effect';
import { OwnedObjects } from '../../src/change/match/live-objects';
import { UnknownReaders } from '../../src/change/effects/unknown-readers';
import type { ApplyMode } from '../../src/core/document/change';
import { DEFAULT_VERSIONS, resolveVersions } from '../../src/core/values/versions';
import type { Versions } from '../../src/core/values/versions';
import { buildFullContext } from '../../src/plan/plan';
import { isFields, getValueAt } from '../../src/core/manifest/manifest';
import type { Manifest } from '../../src/core/manifest/manifest';
import type { ApiFields } from '../../src/workloads/pod/field';
import { CONTAINER, INIT_CONTAINER } from '../../src/workloads/pod/container';
import { POD_TEMPLATE_SPEC } from '../../src/workloads/pod/pod-spec';
import { RECORDING_STEP, sampleOf } from '../setup/recording-step';
import { named, recordedBases, recordedChanges } from '../upstream/changes';
import type { Change } from '../upstream/changes';

type Path = readonly (string | number)[];

/** Returns every path below a value, without the value itself. */
function placesIn(value: unknown, at: Path = []): Path[] {
  const inner: [string | number, unknown][] = Array.isArray(value)
    ? [...(value as unknown[]).entries()]
    : isFields(value)
      ? Object.entries(value)
      : [];
  return inner.flatMap(([name, each]) => [[...at, name], ...placesIn(each, [...at, name])]);
}

/** Returns the value with another value at a path, or without it. */
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

/** Fields that identify an object: another value makes another object. */
const IDENTITY = ['apiVersion', 'kind', 'metadata.name', 'metadata.namespace', 'metadata'];

/** Returns the effect on one object, with the other objects on both sides. A full plan would give the same result, but thousands of them are slow. */
function effectOf(
  old: Manifest,
  next: Manifest,
  mode: ApplyMode,
  neighbors: readonly Manifest[] = [],
  versions: Versions = DEFAULT_VERSIONS,
): string {
  const context = buildFullContext([old, ...neighbors], {});
  const around: ChangeContext = {
    versions,
    oldContext: context,
    newContext: context,
    owned: new OwnedObjects([]),
    consumers: new ConfigConsumers([]),
    unknownReaders: new UnknownReaders([], () => true),
    hasChangedAutoscalers: false,
    findScaleTarget: () => undefined,
    changedAutoscalersOf: () => [],
    changedContext: [],
    isChanged: () => false,
    newConfigs: new Set(),
    contentOf: () => [],
    raisedQuotas: new Map(),
    isNew: () => false,
    isUnread: () => false,
  };
  return evaluateObjectEffect(compareObjects({ old, next }, { applier: APPLIER_BY_MODE[mode] }, versions), around, new Set()).effect;
}

/** Returns the effect of another value and of no value, for each field. */
function rowsOf(
  base: Manifest,
  neighbors: readonly Manifest[] = [],
  isCompared: (text: string, index: number) => boolean = () => true,
): string[] {
  const places = placesIn(base)
    .map((path) => ({ path, text: pathText(path) }))
    .filter(({ text }, index) => isCompared(text, index));
  const effect = (path: Path, change: (inner: unknown) => unknown) =>
    effectOf(base, withAt(base, path, change) as Manifest, 'replace', neighbors);
  return places
    .filter(({ text }) => !IDENTITY.includes(text))
    .map(({ path, text }) => {
      const isLeaf = typeof valueIn(base, path) !== 'object';
      const changed = isLeaf ? effect(path, flipped) : '-';
      return `${changed.padEnd(14)} ${effect(path, () => undefined).padEnd(14)} ${text}`;
    });
}

function tableOf(base: Manifest, neighbors: readonly Manifest[] = []): string {
  return withHeader(rowsOf(base, neighbors));
}

function withHeader(rows: readonly string[]): string {
  return [`${'changed'.padEnd(14)} ${'gone'.padEnd(14)} field`, ...rows].join('\n');
}

/** Returns the recorded workload with pods: without them, every new template would wait. */
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

describe('one field after another, changed and removed, has the effect in the table', () => {
  const bases = recordedBases();

  const rowsOfDeployment = rowsOf(withPods(bases['deployment-rich']!));

  test('deployment', () => {
    expect(withHeader(rowsOfDeployment)).toMatchSnapshot();
  });

  const isOfTemplate = (row: string) => row.includes(' spec.template');
  const isCompared = (text: string, index: number) => !text.startsWith('spec.template') || index % RECORDING_STEP === 0;

  // The three kinds share one template with more than 500 fields: differing effects are listed only once.
  test.each(['statefulset', 'daemonset'])('%s, where each pod field has the same effect as in a deployment', (name) => {
    const rows = rowsOf(withPods(bases[`${name}-rich`]!), [], isCompared);
    const ofDeployment = new Set(rowsOfDeployment.filter(isOfTemplate));
    expect(ofDeployment.size).toBeGreaterThan(500);
    const ofTemplate = rows.filter(isOfTemplate);
    expect(ofTemplate.length).toBeGreaterThan(500 / RECORDING_STEP);
    expect(ofTemplate.filter((row) => !ofDeployment.has(row))).toEqual([]);
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

const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

function volume(source: object): object {
  return { spec: { volumes: [{ name: 'v', ...source }] } };
}

function projected(source: object): object {
  return volume({ projected: { sources: [source] } });
}

function claim(spec: object): object {
  return volume({ ephemeral: { volumeClaimTemplate: { spec: { ...CLAIM, ...spec } } } });
}

function web(fields: object): object {
  return { spec: { containers: [{ name: 'web', image: 'web:1', ...fields }] } };
}

const DEBUGGER = { name: 'debugger', image: 'debug:1' };
const PROBE = { periodSeconds: 5, tcpSocket: { port: 80 } };
const TOKEN = { serviceAccountToken: { path: 'token' } };
const BUNDLE = { signerName: 'example.com/ca', path: 'ca.pem' };
const CERTIFICATE = { signerName: 'example.com/pods', keyType: 'ED25519', credentialBundlePath: 'bundle.pem' };
const FILE_KEY = { volumeName: 'v', path: 'env', key: 'LEVEL' };
const RESTART_RULE = { action: 'Restart', exitCodes: { operator: 'In', values: [42] } };
const OWNER = { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'u' };

/** Fields of a pod template that no recorded base has: a base with them would be refused, or the server of 1.34 drops or does not know them. */
const FURTHER_FIELDS: Readonly<Record<string, object>> = {
  'metadata.name': { metadata: { name: 'web' } },
  'metadata.generateName': { metadata: { generateName: 'web-' } },
  'metadata.namespace': { metadata: { namespace: 'shop' } },
  'metadata.selfLink': { metadata: { selfLink: '/web' } },
  'metadata.uid': { metadata: { uid: 'u' } },
  'metadata.resourceVersion': { metadata: { resourceVersion: '1' } },
  'metadata.generation': { metadata: { generation: 1 } },
  'metadata.creationTimestamp': { metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } },
  'metadata.deletionTimestamp': { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
  'metadata.deletionGracePeriodSeconds': { metadata: { deletionGracePeriodSeconds: 1 } },
  'metadata.ownerReferences': { metadata: { ownerReferences: [{ ...OWNER, controller: true, blockOwnerDeletion: true }] } },
  'metadata.finalizers': { metadata: { finalizers: ['example.com/keep'] } },
  'metadata.managedFields': {
    metadata: {
      managedFields: [
        {
          manager: 'm',
          operation: 'Apply',
          apiVersion: 'v1',
          time: '2026-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: {},
          subresource: 's',
        },
      ],
    },
  },
  'metadata.clusterName': { metadata: { clusterName: 'c' } },
  'emptyDir.mode': volume({ emptyDir: { mode: 448 } }),
  'secret.items[].user': volume({ secret: { secretName: 's', items: [{ key: 'a', path: 'a', user: 1 }] } }),
  'secret.defaultUser': volume({ secret: { secretName: 's', defaultUser: 1 } }),
  'configMap.defaultUser': volume({ configMap: { name: 'c', defaultUser: 1 } }),
  'downwardAPI.items[].user': volume({ downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' }, user: 1 }] } }),
  'downwardAPI.defaultUser': volume({ downwardAPI: { defaultUser: 1 } }),
  'projected.defaultUser': volume({ projected: { sources: [TOKEN], defaultUser: 1 } }),
  'serviceAccountToken.user': projected({ serviceAccountToken: { ...TOKEN.serviceAccountToken, user: 1 } }),
  'iscsi.iscsiInterface': volume({ iscsi: { targetPortal: '10.0.0.1', iqn: 'iqn.2001-04.com.example:a', lun: 0, iscsiInterface: 'eth0' } }),
  'flocker.datasetUUID': volume({ flocker: { datasetUUID: 'd' } }),
  'fc.wwids': volume({ fc: { wwids: ['w'] } }),
  'clusterTrustBundle by signer': projected({
    clusterTrustBundle: { ...BUNDLE, optional: true, labelSelector: { matchLabels: { a: 'b' } } },
  }),
  'clusterTrustBundle by name': projected({ clusterTrustBundle: { name: 'ca', path: 'ca.pem', user: 1 } }),
  podCertificate: projected({ podCertificate: { ...CERTIFICATE, maxExpirationSeconds: 3600 } }),
  'podCertificate in two files': projected({
    podCertificate: {
      signerName: 'example.com/pods',
      keyType: 'ED25519',
      keyPath: 'k',
      certificateChainPath: 'c',
      userAnnotations: { 'a.example.com/b': 'c' },
      user: 1,
    },
  }),
  'volumeClaimTemplate.spec.volumeName': claim({ volumeName: 'pv' }),
  'volumeClaimTemplate.spec.dataSourceRef': claim({
    dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's', namespace: 'n' },
  }),
  'volumeClaimTemplate.spec.volumeAttributesClassName': claim({ volumeAttributesClassName: 'fast' }),
  image: volume({ image: { reference: 'model:1', pullPolicy: 'Always' } }),
  fileKeyRef: web({ env: [{ name: 'LEVEL', valueFrom: { fileKeyRef: { ...FILE_KEY, optional: true } } }] }),
  bindMountOptions: web({ volumeMounts: [{ name: 'v', mountPath: '/v', bindMountOptions: ['noexec'] }] }),
  'httpGet.protocol': web({ livenessProbe: { httpGet: { port: 80, protocol: 'HTTP2' } } }),
  'grpc.mode': web({ livenessProbe: { grpc: { port: 80, mode: 'TLS' } } }),
  'lifecycle.stopSignal': web({ lifecycle: { stopSignal: 'SIGUSR1' } }),
  'windowsOptions.gmsaCredentialSpecName': web({ securityContext: { windowsOptions: { gmsaCredentialSpecName: 'g' } } }),
  'windowsOptions.gmsaCredentialSpec': web({ securityContext: { windowsOptions: { gmsaCredentialSpec: '{}' } } }),
  'windowsOptions.runAsUserName': web({ securityContext: { windowsOptions: { runAsUserName: 'web' } } }),
  'windowsOptions.hostProcess': { spec: { hostNetwork: true, securityContext: { windowsOptions: { hostProcess: true } } } },
  restartPolicyRules: web({ restartPolicy: 'Never', restartPolicyRules: [RESTART_RULE] }),
  ephemeralContainers: {
    spec: {
      ephemeralContainers: [
        {
          ...DEBUGGER,
          command: ['sh'],
          args: ['-c'],
          workingDir: '/',
          ports: [{ containerPort: 80 }],
          envFrom: [{ configMapRef: { name: 'c' } }],
          env: [{ name: 'A', value: 'b' }],
          resources: { limits: { cpu: 1 } },
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
          volumeDevices: [{ name: 'v', devicePath: '/d' }],
          livenessProbe: PROBE,
          readinessProbe: PROBE,
          startupProbe: PROBE,
          lifecycle: { preStop: { sleep: { seconds: 1 } } },
          terminationMessagePath: '/log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'Always',
          securityContext: { privileged: false },
          stdin: true,
          stdinOnce: true,
          tty: true,
          resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
          restartPolicy: 'Always',
          restartPolicyRules: [RESTART_RULE],
          targetContainerName: 'web',
        },
      ],
    },
  },
  activeDeadlineSeconds: { spec: { activeDeadlineSeconds: 60 } },
  serviceAccount: { spec: { serviceAccount: 'reader' } },
  nodeName: { spec: { nodeName: 'node-1' } },
  hostNetwork: { spec: { hostNetwork: true } },
  hostIPC: { spec: { hostIPC: true } },
  hostUsers: { spec: { hostUsers: false } },
  'resourceClaims[].source': {
    spec: { resourceClaims: [{ name: 'gpu', source: { resourceClaimName: 'gpu', resourceClaimTemplateName: 'gpu' } }] },
  },
  hostnameOverride: { spec: { hostnameOverride: 'web.example.com' } },
  schedulingGroup: { spec: { schedulingGroup: { podGroupName: 'g' } } },
  evictionResponders: { spec: { evictionResponders: [{ name: 'example.com/r', priority: 1 }] } },
  workloadRef: { spec: { workloadRef: { name: 'w', podGroup: 'g', podGroupReplicaKey: 'k' } } },
};

/** Returns the pod template fields in a value, each as the list of names in which it is declared. */
function fieldsIn(value: unknown, fields: ApiFields, found: Map<ApiFields, Set<string>>): void {
  if (Array.isArray(value)) return value.forEach((item: unknown) => fieldsIn(item, fields, found));
  if (!isFields(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const field = fields[name];
    if (!field) continue;
    found.set(fields, (found.get(fields) ?? new Set()).add(name));
    if (field.fields) fieldsIn(inner, field.fields, found);
  }
}

/** Returns all fields that are declared below a list of names and not in a value. */
function missingFrom(found: ReadonlyMap<ApiFields, ReadonlySet<string>>, fields: ApiFields, done: Set<ApiFields>): string[] {
  if (done.has(fields)) return [];
  done.add(fields);
  return Object.entries(fields).flatMap(([name, { fields: inner }]) => [
    ...(found.get(fields)?.has(name) ? [] : [name]),
    ...(inner ? missingFrom(found, inner, done) : []),
  ]);
}

describe('a pod template field that no recorded base has', () => {
  const bases = recordedBases();
  const lean = withPods(bases.deployment!);
  const template = getValueAt(lean, 'spec', 'template') as { readonly metadata: object; readonly spec: object };

  function withFurther({ metadata = {}, spec = {} }: { readonly metadata?: object; readonly spec?: object }): Manifest {
    const further = { metadata: { ...template.metadata, ...metadata }, spec: { ...template.spec, ...spec } };
    return { ...lean, spec: { ...(lean.spec as object), template: further } };
  }

  test('has the effect in the table when it is added and when it is removed', () => {
    const last = resolveVersions({ kubernetes: '1.37' });
    const rows = Object.entries(FURTHER_FIELDS).map(([name, fields]) => {
      const next = withFurther(fields);
      const effects = [DEFAULT_VERSIONS, last].flatMap((versions) => [
        effectOf(lean, next, 'replace', [], versions),
        effectOf(next, lean, 'replace', [], versions),
      ]);
      return `${effects.map((effect) => effect.padEnd(9)).join(' ')} ${name}`;
    });
    expect(['1.34 comes goes      1.37 comes goes', ...rows].join('\n')).toMatchSnapshot();
  });

  test('is in that table: together with the recorded bases it has every pod template field of any version', () => {
    const found = new Map<ApiFields, Set<string>>();
    const templates = ['deployment-rich', 'deployment-volumes'].map((name) => getValueAt(bases[name]!, 'spec', 'template'));
    for (const one of [...templates, ...Object.values(FURTHER_FIELDS)]) fieldsIn(one, POD_TEMPLATE_SPEC, found);
    // Init containers have the fields of containers.
    expect(Object.keys(INIT_CONTAINER)).toEqual(Object.keys(CONTAINER));
    expect(missingFrom(found, POD_TEMPLATE_SPEC, new Set<ApiFields>([INIT_CONTAINER]))).toEqual([]);
  });
});

describe('the effect of a recorded change', () => {
  const KINDS = ['Deployment', 'StatefulSet', 'DaemonSet'];
  /** One in this many changes of Deployment fields; all other changes, and all changes of the spec outside the template. */
  const NTH = 6;
  const changes = recordedChanges().filter(
    ({ row, next, live }, index) =>
      live &&
      KINDS.includes(next.kind) &&
      !JSON.stringify(row.new).includes('paused') &&
      (row.topic === 'spec' || (row.topic === 'field' && (next.kind !== 'Deployment' || index % NTH === 0))),
  );

  /** The recorded workloads have no pods, so a new template waits for them. */
  const ROLLS = ['roll', 'roll-and-scale', 'held'];

  function isRight({ row }: Change, effect: string): boolean {
    if (row.refused) return effect === 'refused';
    return ROLLS.includes(effect) === (row.revision ?? false) && effect !== 'refused';
  }

  /** Changes that the server refuses and rolloutkit accepts: see changes.long.test.ts. */
  const isTaken = ({ row }: Change) => /cluster policy/.test(JSON.stringify(row.refused ?? ''));

  test('is a roll if the controllers created a new revision, and a rejection if the server refused it', () => {
    const wrong = sampleOf(changes).flatMap((change) => {
      const effect = effectOf(change.live!, change.next, change.row.mode);
      return isRight(change, effect) || isTaken(change) ? [] : [`${effect}: ${named(change)}`];
    });
    expect(changes.length).toBeGreaterThan(900);
    expect(wrong).toEqual([]);
  });
});
