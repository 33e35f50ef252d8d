import { INT32, INT_OR_PERCENT, METADATA, STRING, STRING_MAP, defineList, defineMap, requireNonNull } from '../../core/values/schema';
import type { FieldSchema, FieldSchemas } from '../../core/values/schema';
import { toCustomResourceFields } from '../../workloads/pod/custom-resource-fields';
import { CONTAINER } from '../../workloads/pod/container';
import { POD_SPEC } from '../../workloads/pod/pod-spec';
import { FRAMEWORKS } from './passthrough-fields';
import { findFirstKserveVersion } from './versions';

const CANARIES_SINCE = findFirstKserveVersion(({ hasCanaries }) => hasCanaries);

const PODS = toCustomResourceFields(POD_SPEC);

const MODEL = defineMap({ ...toCustomResourceFields(CONTAINER), storageUri: STRING });

/** Fields that predictor, transformer and explainer share. */
const COMPONENT: FieldSchemas = {
  ...PODS,
  minReplicas: INT32,
  maxReplicas: INT32,
  scaleTarget: INT32,
  canaryTrafficPercent: INT32,
  labels: STRING_MAP,
  annotations: STRING_MAP,
  deploymentStrategy: defineMap({ type: STRING, rollingUpdate: defineMap({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT }) }),
};

const PREDICTOR = defineMap({
  ...COMPONENT,
  name: { ...STRING, since: CANARIES_SINCE },
  model: MODEL,
  ...Object.fromEntries(FRAMEWORKS.map((framework) => [framework, MODEL])),
  workerSpec: defineMap({ ...PODS, pipelineParallelSize: INT32, tensorParallelSize: INT32 }),
});

const CANARY = defineList({
  trafficPercent: requireNonNull(INT32),
  predictor: requireNonNull(defineMap({ ...PODS, name: STRING, minReplicas: INT32, maxReplicas: INT32, model: MODEL })),
});

/** Fields of every component in addition to those of a pod. Source: KServe 0.20 pkg/apis/serving/v1beta1/component.go, `ComponentExtensionSpec`. */
const COMPONENT_FIELDS: readonly string[] = [
  ...Object.keys(POD_SPEC),
  'minReplicas',
  'maxReplicas',
  'scaleTarget',
  'scaleMetric',
  'scaleMetricType',
  'autoScaling',
  'containerConcurrency',
  'timeout',
  'canaryTrafficPercent',
  'logger',
  'batcher',
  'labels',
  'annotations',
  'deploymentStrategy',
  'storageUris',
  'hostnameOverride',
];

/** All fields that any supported version of KServe has in a component. An earlier version drops the newer ones, which other findings report. */
export const KNOWN_COMPONENT_FIELDS: Readonly<Record<'predictor' | 'transformer' | 'explainer', readonly string[]>> = {
  predictor: [...COMPONENT_FIELDS, ...FRAMEWORKS, 'model', 'workerSpec', 'name', 'storageContainerName'],
  transformer: COMPONENT_FIELDS,
  explainer: [...COMPONENT_FIELDS, 'art'],
};

/** All fields that any supported version of KServe has in the model of a predictor, as in that of a framework. */
export const KNOWN_MODEL_FIELDS: readonly string[] = [
  ...Object.keys(CONTAINER),
  'modelFormat',
  'runtime',
  'storageUri',
  'storage',
  'runtimeVersion',
  'protocolVersion',
  'confidential',
];

/** All fields that any supported version of KServe has in the logger and the batcher of a component. */
export const KNOWN_SETTINGS_FIELDS: Readonly<Record<'logger' | 'batcher', readonly string[]>> = {
  logger: ['batchInterval', 'batchSize', 'marshallerUrl', 'metadataAnnotations', 'metadataHeaders', 'mode', 'storage', 'url'],
  batcher: ['maxBatchSize', 'maxLatency', 'timeout'],
};

/** The fields of an InferenceService that a rollout reads. */
export const INFERENCE_SERVICE_SCHEMA: FieldSchema = defineMap({
  metadata: METADATA,
  spec: requireNonNull(
    defineMap({
      predictor: requireNonNull(PREDICTOR),
      transformer: defineMap(COMPONENT),
      explainer: defineMap(COMPONENT),
      canary: { ...CANARY, since: CANARIES_SINCE },
    }),
  ),
});
