import { INT32, INT_OR_PERCENT, LIST, MAP, METADATA, STRING, STRING_MAP, defineList, defineMap, requireNonNull } from '../../core/schema';
import type { FieldSchema, FieldSchemas } from '../../core/schema';
import { findFirstKserveVersion } from './versions';

const CANARIES_SINCE = findFirstKserveVersion(({ hasCanaries }) => hasCanaries);

const CONTAINERS = defineList({ env: LIST, resources: MAP });

/** Fields that predictor, transformer and explainer share. */
const COMPONENT: FieldSchemas = {
  minReplicas: INT32,
  maxReplicas: INT32,
  scaleTarget: INT32,
  canaryTrafficPercent: INT32,
  labels: STRING_MAP,
  annotations: STRING_MAP,
  deploymentStrategy: defineMap({ type: STRING, rollingUpdate: defineMap({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT }) }),
  containers: CONTAINERS,
};

const PREDICTOR = defineMap({
  ...COMPONENT,
  name: { ...STRING, since: CANARIES_SINCE },
  model: defineMap({ env: LIST, resources: MAP, storageUri: STRING }),
  workerSpec: defineMap({ pipelineParallelSize: INT32, tensorParallelSize: INT32, containers: defineList({}) }),
});

const CANARY = defineList({
  trafficPercent: requireNonNull(INT32),
  predictor: requireNonNull(defineMap({ name: STRING, minReplicas: INT32, maxReplicas: INT32 })),
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
