import { INT32, INT_OR_PERCENT, LIST, MAP, METADATA, STRING, STRING_MAP, listOf, map, needed } from '../../core/schema';
import type { FieldSchema, FieldSchemas } from '../../core/schema';
import { firstVersionThat } from './versions';

const CANARIES_SINCE = firstVersionThat(({ hasCanaries }) => hasCanaries);

const CONTAINERS = listOf({ env: LIST, resources: MAP });

/** What predictor, transformer and explainer share. */
const COMPONENT: FieldSchemas = {
  minReplicas: INT32,
  maxReplicas: INT32,
  scaleTarget: INT32,
  canaryTrafficPercent: INT32,
  labels: STRING_MAP,
  annotations: STRING_MAP,
  deploymentStrategy: map({ type: STRING, rollingUpdate: map({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT }) }),
  containers: CONTAINERS,
};

const PREDICTOR = map({
  ...COMPONENT,
  name: { ...STRING, since: CANARIES_SINCE },
  model: map({ env: LIST, resources: MAP, storageUri: STRING }),
  workerSpec: map({ pipelineParallelSize: INT32, tensorParallelSize: INT32, containers: listOf({}) }),
});

const CANARY = listOf({ trafficPercent: needed(INT32), predictor: needed(map({ name: STRING, minReplicas: INT32, maxReplicas: INT32 })) });

/** An InferenceService, as far as a rollout reads it. */
export const INFERENCE_SERVICE: FieldSchema = map({
  metadata: METADATA,
  spec: needed(
    map({
      predictor: needed(PREDICTOR),
      transformer: map(COMPONENT),
      explainer: map(COMPONENT),
      canary: { ...CANARY, since: CANARIES_SINCE },
    }),
  ),
});
