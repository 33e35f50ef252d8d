import { defineClosedList, defineClosedMap, listNames } from '../../core/values/closed-schema';
import { STRING_MAP } from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';

const SCALING_RULES = defineClosedMap({
  ...listNames('stabilizationWindowSeconds', 'selectPolicy', 'tolerance'),
  policies: defineClosedList(listNames('type', 'value', 'periodSeconds')),
});

/**
 * The names of all fields in the spec of a ScaledObject. Each scaler reads its own keys from `metadata` of its trigger.
 *
 * Source: KEDA v2.20.1 apis/keda/v1alpha1/scaledobject_types.go, scaletriggers_types.go, and its CRD; no field was removed since v2.7.
 */
export const SCALED_OBJECT_SPEC: FieldSchema = defineClosedMap({
  ...listNames('pollingInterval', 'initialCooldownPeriod', 'cooldownPeriod', 'idleReplicaCount', 'minReplicaCount', 'maxReplicaCount'),
  scaleTargetRef: defineClosedMap(listNames('name', 'apiVersion', 'kind', 'envSourceContainerName')),
  fallback: defineClosedMap(listNames('failureThreshold', 'replicas', 'behavior')),
  advanced: defineClosedMap({
    ...listNames('restoreToOriginalReplicaCount'),
    horizontalPodAutoscalerConfig: defineClosedMap({
      ...listNames('name'),
      behavior: defineClosedMap({ scaleUp: SCALING_RULES, scaleDown: SCALING_RULES }),
    }),
    scalingModifiers: defineClosedMap(listNames('formula', 'target', 'activationTarget', 'metricType')),
  }),
  triggers: defineClosedList({
    ...listNames('type', 'name', 'useCachedMetrics', 'metricType'),
    metadata: STRING_MAP,
    authenticationRef: defineClosedMap(listNames('name', 'kind')),
  }),
});
