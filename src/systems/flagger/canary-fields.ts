import { defineClosedList, defineClosedMap, listNames } from '../../core/values/closed-schema';
import { ANY, STRING_MAP } from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';

const REFERENCE = listNames('apiVersion', 'kind', 'name');
const METADATA = defineClosedMap({ labels: STRING_MAP, annotations: STRING_MAP });

/**
 * The names of the fields in the spec of a Canary. The rules of routers, such as `service.match`, are not looked into.
 * `canaryAnalysis` is the former name of `analysis`, which the CRD of an earlier version may have.
 *
 * Source: artifacts/flagger/crd.yaml of Flagger v1.44.0.
 */
export const CANARY_SPEC: FieldSchema = defineClosedMap({
  ...listNames('canaryAnalysis', 'metricsServer', 'progressDeadlineSeconds', 'provider', 'revertOnDeletion', 'skipAnalysis', 'suspend'),
  targetRef: defineClosedMap(REFERENCE),
  autoscalerRef: defineClosedMap({
    ...REFERENCE,
    primaryScalerQueries: STRING_MAP,
    primaryScalerReplicas: defineClosedMap(listNames('minReplicas', 'maxReplicas')),
  }),
  ingressRef: defineClosedMap(REFERENCE),
  routeRef: defineClosedMap(REFERENCE),
  upstreamRef: defineClosedMap({ ...REFERENCE, ...listNames('namespace') }),
  service: defineClosedMap({
    ...listNames('appProtocol', 'backendTimeout', 'backends', 'corsPolicy', 'delegation', 'gatewayRefs', 'gateways', 'headers', 'headless'),
    ...listNames('hosts', 'match', 'meshName', 'mirror', 'name', 'port', 'portDiscovery', 'portName', 'retries', 'rewrite', 'targetPort'),
    ...listNames('timeout', 'trafficDistribution', 'trafficPolicy'),
    apex: METADATA,
    canary: METADATA,
    primary: METADATA,
    unmanagedMetadata: ANY,
  }),
  analysis: defineClosedMap({
    ...listNames('canaryReadyThreshold', 'interval', 'iterations', 'match', 'maxWeight', 'mirror', 'mirrorWeight', 'primaryReadyThreshold'),
    ...listNames('sessionAffinity', 'stepWeight', 'stepWeightPromotion', 'stepWeights', 'threshold'),
    alerts: defineClosedList({ ...listNames('name', 'severity'), providerRef: defineClosedMap(listNames('name', 'namespace')) }),
    metrics: defineClosedList({
      ...listNames('interval', 'name', 'query', 'threshold'),
      templateRef: defineClosedMap(listNames('name', 'namespace')),
      templateVariables: STRING_MAP,
      thresholdRange: defineClosedMap(listNames('min', 'max')),
    }),
    webhooks: defineClosedList({
      ...listNames('disableTLS', 'muteAlert', 'name', 'retries', 'timeout', 'type', 'url'),
      metadata: STRING_MAP,
    }),
  }),
});
