import { memoizePerPlan } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import type { FieldChange } from '../../core/change';
import { annotationOf, getFieldsAt, getListAt, getOwnValue, getValueAt, groupOf, isFields, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { isAtLeast } from '../../core/versions';
import { buildPodSpec } from '../../systems/kserve/pod-template';
import { buildKserveDeployments } from '../../systems/kserve/deployments';
import type { ComponentDeployment } from '../../systems/kserve/deployments';
import { DEPLOYMENT_MODE_ANNOTATION, normalizeMode } from '../../systems/kserve/mode';
import { readPlatformConfig } from '../../systems/kserve/platform-config';
import { resolveServiceMode } from '../../systems/kserve/system';
import {
  getContainerVariable,
  isModeLost,
  isServiceStopped,
  KSERVE_STOP_ANNOTATION,
  MODEL_CONTAINER,
  modelOf,
  readKserveService,
  withModel,
} from '../../systems/kserve/service';
import type { KserveService } from '../../systems/kserve/service';
import type { RowMatch, UpgradeRow, UpgradeSides } from '../upgrade-row';
import { findServiceRuntime, runtimeImageOf, serverTypeOf, toPatchVersion, resolveUpgradedImage } from './kserve-runtimes';
import type { ServiceRuntime } from './kserve-runtimes';

/*
 * Differences between the Deployments that versions of KServe write for the same InferenceService.
 * Source: KServe v0.15.2 to v0.20.0, pkg/controller/v1beta1/inferenceservice/components/{predictor,transformer,explainer}.go,
 * utils/utils.go, reconcilers/deployment, and pkg/webhook/admission/pod. 0.15.2, 0.16.0, 0.17.0, 0.19.0 and 0.20.0 were run
 * (`oracle/kserve/upgrades.go`).
 */

/** A service as both versions see it. */
interface ServiceSides {
  readonly service: KserveService;
  readonly deployments: readonly ComponentDeployment[];
  /** Runtime before the upgrade, and after it. */
  readonly before: ServiceRuntime | undefined;
  readonly after: ServiceRuntime | undefined;
  readonly sides: UpgradeSides;
}

function readSides(object: Manifest, sides: UpgradeSides): ServiceSides | undefined {
  if (object.kind !== 'InferenceService' || groupOf(object) !== 'serving.kserve.io') return undefined;
  const read = readKserveService(object, sides.to);
  const service = { ...read, predictor: withModel(read.predictor) };
  const [before, after] = [findServiceRuntime(service, sides.old, sides.from), findServiceRuntime(service, sides.next, sides.to)];
  const deployments = buildKserveDeployments(service, getFieldsAt(after?.runtime, 'spec'));
  const isStandard = resolveServiceMode(service, sides.next) === 'Standard';
  // In mode Knative a service has neither workers nor canaries.
  const written = isStandard
    ? deployments
    : deployments.filter(({ component }) => service.components.some(({ name }) => name === component));
  return { service, deployments: written, before, after, sides };
}

/** Creates the matcher of a row about InferenceServices. */
function matchService(match: (service: ServiceSides) => readonly RowMatch[]): UpgradeRow['match'] {
  return (object, sides) => {
    const read = readSides(object, sides);
    // A stopped service has no workloads.
    return read && !isServiceStopped(read.service, resolveServiceMode(read.service, sides.next)) ? match(read) : [];
  };
}

const isPredictor = ({ component }: ComponentDeployment) => component === 'predictor' || component.startsWith('canary/');

function templatePath(container: string, rest: string): string {
  return `spec.template.spec.containers[${container}].${rest}`;
}

/** Returns the names of the containers that KServe writes for a component. */
function containersOf({ podSpec }: ComponentDeployment, runtime: Fields): readonly Fields[] {
  return getListAt(buildPodSpec(podSpec, runtime), 'containers').filter(isFields);
}

/** Returns the changes of variables that a component's containers get. A variable with the same value stays. */
function addVariable(containers: readonly Fields[], name: string, value: string): FieldChange[] {
  return containers.flatMap((container) => {
    const old = getContainerVariable(container, name);
    if (old === value) return [];
    const path = templatePath(typeof container.name === 'string' ? container.name : '', `env[${name}]`);
    return [{ path, ...(old !== undefined && { old }), new: value }];
  });
}

/** Adds INFERENCE_SERVICE_NAME to every container of the predictor and to the first one of the transformer. */
const inferenceServiceName: UpgradeRow = {
  id: 'inference-service-name',
  since: '0.17',
  effect: 'roll',
  message:
    'KServe 0.17 adds the variable INFERENCE_SERVICE_NAME to every container of a predictor, and to the first container of a transformer.',
  match: matchService(({ service: { name }, deployments, after }) =>
    deployments.flatMap((deployment) => {
      const isTransformer = deployment.component === 'transformer';
      if (!isTransformer && !isPredictor(deployment)) return [];
      const containers = containersOf(deployment, isTransformer ? {} : getFieldsAt(after?.runtime, 'spec'));
      const fields = addVariable(isTransformer ? containers.slice(0, 1) : containers, 'INFERENCE_SERVICE_NAME', name);
      return fields.length === 0 ? [] : [{ component: deployment.component, fields }];
    }),
  ),
};

const WORKER_VARIABLES = ['PIPELINE_PARALLEL_SIZE', 'TENSOR_PARALLEL_SIZE', 'WORKER_SVC'] as const;

/** Adds the sizes and the Service of the workers to the worker's container. */
const workerVariables: UpgradeRow = {
  id: 'worker-variables',
  since: '0.18',
  effect: 'roll',
  message:
    'KServe 0.18 adds the variables PIPELINE_PARALLEL_SIZE, TENSOR_PARALLEL_SIZE and WORKER_SVC to the workers of a multi-node predictor.',
  match: matchService(({ deployments }) =>
    deployments
      .filter(({ component }) => component === 'worker')
      .map(({ component }) => ({
        component,
        fields: WORKER_VARIABLES.map((name) => ({ path: templatePath('worker-container', `env[${name}]`), new: '(set by KServe)' })),
      })),
  ),
};

/**
 * Deletes the Deployment of the workers. The cleanup of canaries knows the names of the predictor and its canaries alone, and the workers have
 * the same labels. The next reconcile creates them again before it deletes them.
 *
 * Source: KServe v0.20.0, components/predictor.go, `reconcileCanaryDeployments`.
 */
const deletedWorkers: UpgradeRow = {
  id: 'deleted-workers',
  since: '0.20',
  effect: 'roll',
  message:
    'KServe 0.20 deletes the Deployment of the workers of a multi-node predictor at the end of every reconcile, because its cleanup of canaries takes it for a leftover. Keep clusters with multi-node services on an earlier version.',
  match: matchService(({ deployments }) =>
    deployments
      .filter(({ component }) => component === 'worker')
      .map(({ component }) => ({ component, fields: [{ path: 'metadata.deletionTimestamp', new: '(set by KServe)' }] })),
  ),
};

/** Source: KServe v0.16.0, reconcilers/deployment/deployment_reconciler.go, `applyRolloutStrategyFromConfigmap`. */
const rolloutOfConfig: UpgradeRow = {
  id: 'rollout-of-config',
  since: '0.16',
  effect: 'settings',
  message: 'KServe 0.16 writes the defaultRollout of its ConfigMap into Deployments whose component has no deploymentStrategy.',
  match: matchService(({ service, deployments, sides: { next, to } }) => {
    const [configMap] = next.all(CONTEXT_KINDS.kserveConfig);
    const { defaultDeploymentMode, defaultRollout = {} } = (configMap && readPlatformConfig(configMap, to).config) ?? {};
    if (defaultDeploymentMode !== 'Standard' || resolveServiceMode(service, next) !== 'Standard') return [];
    const fields = (['maxSurge', 'maxUnavailable'] as const).flatMap((limit) => {
      const value = defaultRollout[limit];
      const isDefault = value === undefined || value === '' || value === '25%';
      return isDefault ? [] : [{ path: `spec.strategy.rollingUpdate.${limit}`, old: '25%', new: value }];
    });
    if (fields.length === 0) return [];
    return deployments
      .filter(({ component, userStrategy }) => component !== 'worker' && (userStrategy === undefined || userStrategy === null))
      .map(({ component }) => ({ component, fields }));
  }),
};

/** Source: KServe v0.15.2 and v0.16.0, components/predictor.go, `Reconcile`; reconcilers/deployment/deployment_reconciler.go, `checkDeploymentExist`. */
const stoppedWorkloads: UpgradeRow = {
  id: 'stopped-workloads',
  since: '0.16',
  effect: 'settings',
  message:
    'KServe 0.16 deletes the Deployments of a service with the annotation serving.kserve.io/stop. KServe 0.15 stops only services in mode Knative.',
  match: (object, sides) => {
    const read = readSides(object, sides);
    const mode = read && resolveServiceMode(read.service, sides.next);
    if (mode !== 'Standard' || !isServiceStopped(read!.service, mode)) return [];
    return read!.deployments.map(({ component }) => ({
      component,
      fields: [{ path: 'metadata.deletionTimestamp', new: '(set by KServe)' }],
    }));
  },
};

/** Returns the field with the image of a predictor whose runtime changes it. */
function changeImage(old: string | undefined, next: string | undefined): FieldChange[] {
  return old === undefined || next === undefined || old === next
    ? []
    : [{ path: templatePath('kserve-container', 'image'), old, new: next }];
}

/** Reports whether the tag of the runtime's image is not used, since the model sets the image or its version. */
function setsImage(predictor: Fields): boolean {
  const { image, runtimeVersion } = modelOf(predictor) ?? {};
  return [image, runtimeVersion].some((value) => typeof value === 'string' && value !== '');
}

const bundledRuntimeImage: UpgradeRow = {
  id: 'bundled-runtime-image',
  effect: 'roll',
  message: ({ to }) =>
    `The serving runtimes of KServe's chart have other images at ${to}, so every service with one of these runtimes rolls when they are upgraded.`,
  match: matchService(({ service, deployments, before, after, sides }) => {
    if (!before || !after || setsImage(service.predictor)) return [];
    // A runtime that was given for both versions is compared as it is.
    if (!before.isAssumed && before.runtime !== after.runtime) return [];
    if (nameOf(before.runtime) !== nameOf(after.runtime)) return [];
    const next = before.isAssumed ? runtimeImageOf(after.runtime) : resolveUpgradedImage(before.runtime, sides.from, sides.to);
    const fields = changeImage(runtimeImageOf(before.runtime), next);
    const components = deployments.filter((deployment) => isPredictor(deployment) || deployment.component === 'worker');
    return fields.length === 0 ? [] : components.map(({ component }) => ({ component, fields }));
  }),
};

/** An image that the ConfigMap of KServe sets: the key with it, and its name without the tag. */
interface ConfigImage {
  readonly key: string;
  readonly name: string;
}

const STORAGE_INITIALIZER: ConfigImage = { key: 'storageInitializer', name: 'kserve/storage-initializer' };
const GRAPH_ROUTER: ConfigImage = { key: 'router', name: 'kserve/router' };

/** Returns an image of the ConfigMap, else that of the chart. Undefined if the ConfigMap cannot be read. */
function configImageOf({ key, name }: ConfigImage, config: Manifest | undefined, version: string): string | undefined {
  const text = getValueAt(config, 'data', key);
  if (typeof text !== 'string') return `${name}:v${toPatchVersion(version)}`;
  try {
    const image = getValueAt(JSON.parse(text) as unknown, 'image');
    return typeof image === 'string' ? image : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an image before and after the upgrade. The image of the old chart becomes that of the new one. */
function listConfigImages(
  image: ConfigImage,
  { old, next, from, to }: UpgradeSides,
): readonly [old: string | undefined, next: string | undefined] {
  const [was] = old.all(CONTEXT_KINDS.kserveConfig);
  const [is] = next.all(CONTEXT_KINDS.kserveConfig);
  const before = configImageOf(image, was, from);
  if (was !== undefined && was === is && before !== configImageOf(image, undefined, from)) return [before, before];
  return [before, was === is ? configImageOf(image, undefined, to) : configImageOf(image, is, to)];
}

/** Reports whether KServe itself writes the init container: for `storageUris`. Its webhook injects it for `storageUri`. */
function hasStorageUris({ podSpec }: ComponentDeployment): boolean {
  return getListAt(podSpec, 'storageUris').length > 0;
}

const storageUrisImage: UpgradeRow = {
  id: 'storage-uris-image',
  effect: 'roll',
  message: ({ to }) =>
    `The init container for storageUris is in the Deployment, and its image ${STORAGE_INITIALIZER.name} has another tag at KServe ${to}.`,
  match: matchService(({ deployments, sides }) => {
    const [old, next] = listConfigImages(STORAGE_INITIALIZER, sides);
    if (old === next || !isAtLeast(sides.from, '0.16')) return [];
    const fields = [{ path: 'spec.template.spec.initContainers[storage-initializer].image', old, new: next }];
    return deployments.filter(hasStorageUris).map(({ component }) => ({ component, fields }));
  }),
};

/** Source: KServe v0.17.0, pkg/utils/storage.go, `CreateInitContainerWithConfig`. */
const storageUrisMount: UpgradeRow = {
  id: 'storage-uris-mount',
  since: '0.17',
  effect: 'roll',
  message: 'KServe 0.17 leaves out the mount of the whole model folder in the init container for storageUris, next to that of each URI.',
  match: matchService(({ deployments, sides: { from } }) =>
    isAtLeast(from, '0.16')
      ? deployments.filter(hasStorageUris).map(({ component }) => ({
          component,
          fields: [
            { path: 'spec.template.spec.initContainers[storage-initializer].volumeMounts[kserve-provision-location]', old: '/mnt/models' },
          ],
        }))
      : [],
  ),
};

/** Reports whether the webhook injects the storage initializer into the pods of a predictor. */
function hasInjectedStorage({ podSpec }: ComponentDeployment, service: KserveService): boolean {
  const uri = modelOf(service.predictor)?.storageUri;
  return typeof uri === 'string' && !/^(?:pvc|oci):\/\//.test(uri) && isFields(podSpec);
}

const storageInitializer: UpgradeRow = {
  id: 'storage-initializer',
  effect: 'new-pods',
  message: ({ to }) =>
    `KServe's webhook injects the storage initializer of ${to} into pods that are created from now on. Running pods keep the old one.`,
  match: matchService(({ service, deployments, sides }) => {
    const [old, next] = listConfigImages(STORAGE_INITIALIZER, sides);
    return old === next
      ? []
      : deployments
          .filter((deployment) => isPredictor(deployment) && hasInjectedStorage(deployment, service))
          .map(({ component }) => ({ component }));
  }),
};

const directPvcMount: UpgradeRow = {
  id: 'direct-pvc-mount',
  since: '0.16',
  effect: 'new-pods',
  message:
    'KServe 0.16 always mounts the claim of a pvc:// model directly, whatever enableDirectPvcVolumeMount was. Pods that are created from now on have another shape if it was off.',
  match: matchService(({ service, sides: { old } }) => {
    const uri = modelOf(service.predictor)?.storageUri;
    const [config] = old.all(CONTEXT_KINDS.kserveConfig);
    const text = getValueAt(config, 'data', 'storageInitializer');
    const isDirect = typeof text === 'string' && /"enableDirectPvcVolumeMount"\s*:\s*true/.test(text);
    return typeof uri === 'string' && uri.startsWith('pvc://') && !isDirect ? [{ component: 'predictor' }] : [];
  }),
};

const localModelPath: UpgradeRow = {
  id: 'local-model-path',
  since: '0.18',
  effect: 'new-pods',
  message:
    'KServe 0.18 looks for a cached model under its storage key instead of its name, so a pod that is created from now on does not find a cache that an earlier version filled. Download the caches again first.',
  match: matchService(({ service }) =>
    getFieldsAt(service.object, 'metadata', 'labels')['internal.serving.kserve.io/localmodel'] === undefined
      ? []
      : [{ component: 'predictor' }],
  ),
};

const agentReadiness: UpgradeRow = {
  id: 'agent-readiness',
  since: '0.18',
  effect: 'new-pods',
  message:
    "KServe 0.18 probes the agent of a logger or batcher at the path of the user's readiness probe. Pods that are created from now on have that probe.",
  match: matchService(({ service }) =>
    isFields(service.predictor.logger) || isFields(service.predictor.batcher) ? [{ component: 'predictor' }] : [],
  ),
};

const renamedModes: UpgradeRow = {
  id: 'renamed-modes',
  since: '0.17',
  effect: 'next-write',
  message:
    'KServe 0.17 rewrites the annotation serving.kserve.io/deploymentMode from RawDeployment to Standard and from Serverless to Knative when the service is next written. The annotation is in the pod template, so that write rolls the pods.',
  match: matchService(({ service }) => {
    const text = service.annotations[DEPLOYMENT_MODE_ANNOTATION];
    const mode = normalizeMode(text);
    return mode === undefined || mode === text ? [] : [{ component: 'predictor' }];
  }),
};

/** Server types by the names of the runtimes of the chart, which have the defaults of their type in every version. */
const TYPES_BY_NAME: Readonly<Record<string, string>> = {
  'kserve-mlserver': 'mlserver',
  'kserve-tritonserver': 'tritonserver',
  'kserve-torchserve': 'torchserve',
};

/** Returns the server type whose defaults KServe sets: up to 0.16 that of the name of the runtime. */
function defaultsTypeOf(runtime: Manifest, readsAnnotation: boolean): unknown {
  const own = readsAnnotation ? serverTypeOf(runtime) : undefined;
  return own ?? (Object.hasOwn(TYPES_BY_NAME, nameOf(runtime)) ? TYPES_BY_NAME[nameOf(runtime)] : undefined);
}

/** What KServe sets for a server type: a label of the pods of all components, and parts of the model's container. */
interface TypeDefaults {
  readonly label?: readonly [name: string, value: string];
  readonly variables?: Readonly<Record<string, string>>;
  readonly argument?: string;
}

const MODEL_CLASSES: Readonly<Record<string, string>> = {
  xgboost: 'mlserver_xgboost.XGBoostModel',
  lightgbm: 'mlserver_lightgbm.LightGBMModel',
  mlflow: 'mlserver_mlflow.MLflowRuntime',
};

/**
 * Returns the defaults of a server type.
 *
 * Source: KServe v0.17.0, inference_service_defaults.go, `SetMlServerDefaults`, `SetTorchServeDefaults` and `SetTritonDefaults`.
 */
function listTypeDefaults(type: unknown, { name, predictor }: KserveService): TypeDefaults {
  const { modelFormat, protocolVersion, storage, storageUri } = modelOf(predictor) ?? {};
  const hasStorage = isFields(storage) || typeof storageUri === 'string';
  const format = getValueAt(modelFormat, 'name');
  if (type === 'mlserver') {
    return {
      label: [
        'modelClass',
        (typeof format === 'string' ? getOwnValue(MODEL_CLASSES, format) : undefined) ?? 'mlserver_sklearn.SKLearnModel',
      ],
      variables: hasStorage
        ? { MLSERVER_MODEL_NAME: name, MLSERVER_MODEL_URI: '/mnt/models' }
        : { MLSERVER_LOAD_MODELS_AT_STARTUP: 'false' },
    };
  }
  if (type === 'torchserve') {
    const protocol = typeof protocolVersion === 'string' ? protocolVersion : 'v1';
    return {
      label: ['serviceEnvelope', protocol === 'v2' || protocol === 'grpc-v2' ? 'kservev2' : 'kserve'],
      variables: { PROTOCOL_VERSION: protocol },
    };
  }
  return type === 'tritonserver' && !hasStorage ? { argument: '--model-control-mode=explicit' } : {};
}

/** Returns the labels and variables that differ between two maps. */
function diffMaps(
  old: Readonly<Record<string, unknown>>,
  next: Readonly<Record<string, unknown>>,
  format: (name: string) => string,
): FieldChange[] {
  return Object.keys({ ...old, ...next })
    .filter((name) => old[name] !== next[name])
    .map((name) => ({
      path: format(name),
      ...(old[name] !== undefined && { old: old[name] }),
      ...(next[name] !== undefined && { new: next[name] }),
    }));
}

/** Returns how the defaults of a server type change the pods of a component. */
function diffTypeDefaults(old: TypeDefaults, next: TypeDefaults, service: KserveService, component: string): FieldChange[] {
  const own = getFieldsAt(service.object, 'metadata', 'labels');
  const labelsOf = ({ label }: TypeDefaults) => (label ? { ...own, [label[0]]: label[1] } : own);
  const labels = diffMaps(labelsOf(old), labelsOf(next), (name) => `spec.template.metadata.labels.${name}`);
  if (component !== 'predictor') return labels;
  const model = modelOf(service.predictor);
  // TorchServe's variable is added even if the model sets it.
  const variablesOf = ({ variables = {} }: TypeDefaults) =>
    Object.fromEntries(
      Object.entries(variables).filter(([name]) => name === 'PROTOCOL_VERSION' || getContainerVariable(model, name) === undefined),
    );
  const argument =
    old.argument === next.argument
      ? []
      : [{ path: templatePath(MODEL_CONTAINER, 'args'), ...(next.argument !== undefined && { new: next.argument }) }];
  return [
    ...labels,
    ...diffMaps(variablesOf(old), variablesOf(next), (name) => templatePath(MODEL_CONTAINER, `env[${name}]`)),
    ...argument,
  ];
}

const annotatedRuntimeDefaults: UpgradeRow = {
  id: 'annotated-runtime-defaults',
  since: '0.17',
  effect: 'roll',
  message:
    'KServe 0.17 sets the defaults of MLServer, Triton and TorchServe by the annotation serving.kserve.io/server-type of the runtime, and no longer only by its name. They include a label of all pods of the service, and variables or arguments of the model.',
  match: matchService(({ service, deployments, after }) => {
    if (!after || after.isAssumed || !modelOf(service.predictor)) return [];
    const [old, next] = [false, true].map((readsAnnotation) => listTypeDefaults(defaultsTypeOf(after.runtime, readsAnnotation), service));
    return deployments.flatMap(({ component }) => {
      const fields = diffTypeDefaults(old!, next!, service, component);
      return fields.length === 0 ? [] : [{ component, fields }];
    });
  }),
};

const FORMAT_ANNOTATION = 'modelFormat';

/**
 * Keeps the annotation modelFormat out of the pod templates. The annotations of a service reach all components; those of a component or
 * runtime reach its own pods.
 *
 * Source: KServe v0.17.0, pkg/constants/constants.go, `ServiceAnnotationDisallowedList`.
 */
const formatAnnotation: UpgradeRow = {
  id: 'model-format-annotation',
  since: '0.17',
  effect: 'roll',
  message: 'KServe 0.17 leaves the annotation modelFormat out of the pod templates.',
  match: matchService(({ service, deployments, after }) =>
    deployments.flatMap(({ component, podSpec }) => {
      const runtime = component === 'predictor' ? getFieldsAt(after?.runtime, 'spec', 'annotations') : {};
      const own = component === 'worker' ? service.predictor : podSpec;
      const annotations = { ...runtime, ...service.annotations, ...getFieldsAt(own, 'annotations') };
      const old = annotations[FORMAT_ANNOTATION];
      return old === undefined ? [] : [{ component, fields: [{ path: `spec.template.metadata.annotations.${FORMAT_ANNOTATION}`, old }] }];
    }),
  ),
};

const runtimeScheduler: UpgradeRow = {
  id: 'runtime-scheduler',
  since: '0.17',
  effect: 'roll',
  message: 'KServe 0.17 passes the schedulerName of a serving runtime on to the pods.',
  match: matchService(({ after }) => {
    const name = getValueAt(after?.runtime, 'spec', 'schedulerName');
    return typeof name === 'string' && name !== '' && name !== 'default-scheduler'
      ? [{ component: 'predictor', fields: [{ path: 'spec.template.spec.schedulerName', old: 'default-scheduler', new: name }] }]
      : [];
  }),
};

const GPU_NAMES: ReadonlySet<string> = new Set(['kserve-tensorflow-serving', 'kserve-torchserve', 'kserve-huggingfaceserver']);
const GPU_TYPES: ReadonlySet<unknown> = new Set(['tensorflow-serving', 'torchserve', 'huggingfaceserver']);

function requestsGpu(container: Fields): boolean {
  const amounts = [getFieldsAt(container, 'resources', 'limits'), getFieldsAt(container, 'resources', 'requests')];
  return amounts.some((resources) => Object.keys(resources).some((name) => /^(?:nvidia|amd|intel|habana)\.(?:com|ai)\//.test(name)));
}

/** Returns the image that 0.20 writes for a runtime with an annotated server type, if an earlier version writes another one. */
function retagImage(container: Fields, runtime: Manifest): string | undefined {
  const { image } = container;
  const type = serverTypeOf(runtime);
  if (typeof image !== 'string' || image.includes('@sha256:') || !/:[\w.-]*$/.test(image)) return undefined;
  const colon = image.lastIndexOf(':');
  const repository = image.slice(0, colon);
  if (requestsGpu(container)) {
    return GPU_TYPES.has(type) && !GPU_NAMES.has(nameOf(runtime)) && !image.endsWith('-gpu') ? `${image}-gpu` : undefined;
  }
  return type === 'vllmserver' && !repository.endsWith('-cpu') ? `${repository}-cpu${image.slice(colon)}` : undefined;
}

const annotatedRuntimeImage: UpgradeRow = {
  id: 'annotated-runtime-image',
  since: '0.20',
  effect: 'roll',
  message:
    'KServe 0.20 chooses the image by the annotation serving.kserve.io/server-type of the runtime: with GPUs it appends -gpu to the tag for TensorFlow, TorchServe and Hugging Face, and without GPUs it appends -cpu to the repository for vLLM.',
  match: matchService(({ service, deployments, after }) => {
    const version = modelOf(service.predictor)?.runtimeVersion;
    if (!after || after.isAssumed || typeof version === 'string') return [];
    return deployments.filter(isPredictor).flatMap((deployment) => {
      const container = containersOf(deployment, getFieldsAt(after.runtime, 'spec')).find(({ name }) => name === 'kserve-container');
      const image = container && retagImage(container, after.runtime);
      return image === undefined ? [] : [{ component: deployment.component, fields: changeImage(container!.image as string, image) }];
    });
  }),
};

const digestWithVersion: UpgradeRow = {
  id: 'digest-with-version',
  since: '0.16',
  effect: 'roll',
  message: 'KServe 0.16 leaves an image with a digest alone. Before, runtimeVersion replaced the end of the digest.',
  match: matchService(({ service, deployments, after }) => {
    const version = modelOf(service.predictor)?.runtimeVersion;
    if (!after || typeof version !== 'string') return [];
    return deployments.filter(isPredictor).flatMap((deployment) => {
      const container = containersOf(deployment, getFieldsAt(after.runtime, 'spec')).find(({ name }) => name === 'kserve-container');
      const image = container?.image;
      if (typeof image !== 'string' || !image.includes('@sha256:')) return [];
      return [{ component: deployment.component, fields: changeImage(image.replace(/:[\w.-]*$/, `:${version}`), image) }];
    });
  }),
};

/** Names that KServe before 0.11 gave to the Deployments and Services of components. */
function listDefaultNames({ name, components }: KserveService): readonly string[] {
  return components.map((component) => `${name}-${component.name}-default`);
}

/** Returns the Deployments and Services in view, as namespace and name. */
const workloadNamesOf = memoizePerPlan(
  ({ objects }): ReadonlySet<string> =>
    new Set(
      objects
        .filter(({ kind }) => kind === 'Deployment' || kind === 'Service')
        .map((object) => `${namespaceOf(object) ?? ''}/${nameOf(object)}`),
    ),
);

/** Returns the objects in view with one of the old names of a service. */
function findDefaultNames(service: KserveService, { old }: UpgradeSides): readonly string[] {
  const names = workloadNamesOf(old);
  return listDefaultNames(service).filter((name) => names.has(`${namespaceOf(service.object) ?? ''}/${name}`));
}

const defaultNames: UpgradeRow = {
  id: 'default-names',
  since: '0.16',
  effect: 'rename',
  message:
    'KServe 0.16 no longer looks for Deployments and Services with the names that KServe before 0.11 gave them. It creates new ones next to them.',
  match: matchService(({ service, sides }) =>
    findDefaultNames(service, sides).map((name) => {
      const next = name.replace(/-default$/, '');
      return { component: next.slice(service.name.length + 1), fields: [{ path: 'metadata.name', old: name, new: next }] };
    }),
  ),
};

/** Versions from which the annotations of a serving runtime change what KServe writes. */
const RUNTIME_VERSIONS = ['0.17', '0.20'];

/** Reports whether a service names a runtime that is not in view, and the upgrade reads its annotations differently. */
export function hasUnseenRuntime(object: Manifest, sides: UpgradeSides): boolean {
  if (!RUNTIME_VERSIONS.some((version) => !isAtLeast(sides.from, version) && isAtLeast(sides.to, version))) return false;
  const read = readSides(object, sides);
  if (!read || isServiceStopped(read.service, resolveServiceMode(read.service, sides.next))) return false;
  return typeof modelOf(read.service.predictor)?.runtime === 'string' && !read.before && !read.after;
}

const selectedRuntime: UpgradeRow = {
  id: 'selected-runtime',
  effect: 'select',
  message: ({ to }) =>
    `The model names no runtime, and KServe ${to} ships runtimes that support other versions of its format, so another runtime or none is selected.`,
  match: matchService(({ service, before, after }) => {
    const model = modelOf(service.predictor);
    if (!model || (model.runtime !== undefined && model.runtime !== null) || !before) return [];
    if (after && nameOf(before.runtime) === nameOf(after.runtime)) return [];
    return [
      {
        component: 'predictor',
        fields: [{ path: 'spec.predictor.model.runtime', old: nameOf(before.runtime), new: after ? nameOf(after.runtime) : null }],
      },
    ];
  }),
};

/**
 * Rolls the routers of InferenceGraphs. Their number of pods is not planned.
 *
 * Source: KServe v0.20.0, pkg/controller/v1alpha1/inferencegraph/raw_ig.go and knative_reconciler.go.
 */
const graphRouter: UpgradeRow = {
  id: 'graph-router',
  effect: 'roll',
  message: ({ to }) => `Each InferenceGraph runs the image ${GRAPH_ROUTER.name} as its router, which has another tag at KServe ${to}.`,
  match: (object, sides) => {
    if (object.kind !== 'InferenceGraph' || groupOf(object) !== 'serving.kserve.io') return [];
    const [old, next] = listConfigImages(GRAPH_ROUTER, sides);
    const isStopped = annotationOf(object, KSERVE_STOP_ANNOTATION)?.toLowerCase() === 'true';
    return old === next || isStopped ? [] : [{ fields: [{ path: templatePath(nameOf(object), 'image'), old, new: next }] }];
  },
};

/** Reports whether the new version takes a service in mode Standard for one in mode Knative, because of its status. */
function hasOldStatusMode(object: Manifest, { old, from, to }: UpgradeSides): boolean {
  const service = readKserveService(object, from);
  return isModeLost(service, resolveServiceMode(service, old), to);
}

const oldStatusMode: UpgradeRow = {
  id: 'old-status-mode',
  since: '0.16',
  until: '0.19',
  effect: 'rename',
  message:
    'KServe 0.15 writes RawDeployment into status.deploymentMode, and KServe 0.16 to 0.18 take any mode there except Standard and ModelMesh for Knative. They create Services of Knative next to the Deployments, and no longer write these.',
  match: matchService(({ service: { object }, sides }) =>
    hasOldStatusMode(object, sides)
      ? [{ component: 'predictor', fields: [{ path: 'status.deploymentMode', old: 'RawDeployment', new: 'Standard' }] }]
      : [],
  ),
};

/** Leaves out what a row writes in the workloads of services that the new version takes for those of Knative. */
function withoutOldStatusMode(row: UpgradeRow): UpgradeRow {
  if (row.effect !== 'roll' && row.effect !== 'settings') return row;
  return {
    ...row,
    match: (object, sides) => (readSides(object, sides) && hasOldStatusMode(object, sides) ? [] : row.match(object, sides)),
  };
}

const DISABLE_AUTO_UPDATE = 'serving.kserve.io/disable-auto-update';

/** Reports whether KServe writes nothing for a service that is Ready. A manifest without a status counts as Ready. */
function isHeld(object: Manifest): boolean {
  if (annotationOf(object, DISABLE_AUTO_UPDATE) !== 'true') return false;
  const conditions = getListAt(object, 'status', 'conditions').filter(isFields);
  return conditions.length === 0 || conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** Holds the rows that replace pods of a service whose updates are off. */
function withHold(row: UpgradeRow): UpgradeRow {
  const heldUntil = `${DISABLE_AUTO_UPDATE} is removed, or it is not Ready`;
  return {
    ...row,
    match: (object, sides) =>
      row
        .match(object, sides)
        .map((match) => (isHeld(object) && groupOf(object) === 'serving.kserve.io' ? { ...match, heldUntil } : match)),
  };
}

/** Differences between versions of KServe for InferenceServices and InferenceGraphs. */
export const KSERVE_ROWS: readonly UpgradeRow[] = [
  graphRouter,
  ...[
    inferenceServiceName,
    workerVariables,
    deletedWorkers,
    rolloutOfConfig,
    stoppedWorkloads,
    annotatedRuntimeDefaults,
    formatAnnotation,
    annotatedRuntimeImage,
    runtimeScheduler,
    digestWithVersion,
    storageUrisImage,
    storageUrisMount,
    bundledRuntimeImage,
    selectedRuntime,
    defaultNames,
    oldStatusMode,
    renamedModes,
    storageInitializer,
    directPvcMount,
    localModelPath,
    agentReadiness,
  ]
    .map(withoutOldStatusMode)
    .map(withHold),
];
