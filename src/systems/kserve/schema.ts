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
