import { defineClosedList, defineClosedMap, listNames } from '../../core/values/closed-schema';
import { ANY } from '../../core/values/schema';
import type { FieldSchema, FieldSchemas } from '../../core/values/schema';
import { CONTAINER } from '../../workloads/pod/container';
import { defineStruct } from '../../workloads/pod/field';
import { OBJECT_META } from '../../workloads/pod/object-meta';
import { POD_SPEC } from '../../workloads/pod/pod-spec';
import { FRAMEWORKS } from './passthrough-fields';

/*
 * All fields that any supported version of KServe has. An earlier version drops the newer ones, which other findings report. A deploymentStrategy
 * has findings of its own.
 *
 * Source: KServe 0.20 pkg/apis/serving/v1beta1/component.go, `ComponentExtensionSpec`, its explainers and canaries, and its CRD.
 */

const TARGET = defineClosedMap(listNames('type', 'value', 'averageValue', 'averageUtilization'));

const SCALING_RULES = defineClosedMap({
  ...listNames('selectPolicy', 'stabilizationWindowSeconds', 'tolerance'),
  policies: defineClosedList(listNames('type', 'value', 'periodSeconds')),
});

const AUTOSCALING = defineClosedMap({
  behavior: defineClosedMap({ scaleUp: SCALING_RULES, scaleDown: SCALING_RULES }),
  metrics: defineClosedList({
    type: ANY,
    resource: defineClosedMap({ name: ANY, target: TARGET }),
    external: defineClosedMap({
      authenticationRef: defineClosedMap({ authModes: ANY, authenticationRef: defineClosedMap({ name: ANY }) }),
      metric: defineClosedMap(listNames('backend', 'serverAddress', 'query', 'namespace')),
      target: TARGET,
    }),
    podmetric: defineClosedMap({
      metric: defineClosedMap(listNames('backend', 'serverAddress', 'metricNames', 'query', 'operationOverTime')),
      target: TARGET,
    }),
  }),
});

const STORAGE = listNames('key', 'parameters', 'path');

/** What a predictor and an explainer load. */
const LOADER: FieldSchemas = {
  ...CONTAINER,
  ...listNames('storageUri', 'runtimeVersion'),
  storage: defineClosedMap({ ...STORAGE, schemaPath: ANY }),
};

/** The model of a predictor, or of a framework. */
const MODEL = defineClosedMap({
  ...LOADER,
  ...listNames('runtime', 'protocolVersion'),
  modelFormat: defineClosedMap(listNames('name', 'version')),
  confidential: defineClosedMap(listNames('enabled', 'resourceId')),
});

const COMPONENT: FieldSchemas = {
  ...POD_SPEC,
  ...listNames('minReplicas', 'maxReplicas', 'scaleTarget', 'scaleMetric', 'scaleMetricType', 'containerConcurrency', 'timeout'),
  ...listNames('canaryTrafficPercent', 'labels', 'annotations', 'deploymentStrategy', 'hostnameOverride'),
  autoScaling: AUTOSCALING,
  logger: defineClosedMap({
    ...listNames('batchInterval', 'batchSize', 'marshallerUrl', 'metadataAnnotations', 'metadataHeaders', 'mode', 'url'),
    storage: defineClosedMap({ ...STORAGE, serviceAccountName: ANY }),
  }),
  batcher: defineClosedMap(listNames('maxBatchSize', 'maxLatency', 'timeout')),
  storageUris: defineClosedList(listNames('uri', 'mountPath')),
};

const PREDICTOR = defineClosedMap({
  ...COMPONENT,
  ...listNames('name', 'storageContainerName'),
  ...Object.fromEntries(['model', ...FRAMEWORKS].map((name) => [name, MODEL])),
  workerSpec: defineClosedMap({ ...POD_SPEC, ...listNames('pipelineParallelSize', 'tensorParallelSize') }),
});

/** The known fields of an InferenceService. Their types and versions are not checked. */
export const KNOWN_FIELDS: FieldSchema = defineClosedMap({
  ...listNames('apiVersion', 'kind', 'status'),
  metadata: defineStruct(OBJECT_META),
  spec: defineClosedMap({
    predictor: PREDICTOR,
    transformer: defineClosedMap(COMPONENT),
    explainer: defineClosedMap({ ...COMPONENT, art: defineClosedMap({ ...LOADER, ...listNames('type', 'config') }) }),
    canary: defineClosedList({ predictor: PREDICTOR, trafficPercent: ANY }),
  }),
});
