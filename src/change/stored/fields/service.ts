import { BOOLEAN, INT32, STRING, STRING_MAP } from '../../../core/schema';
import { INT_OR_STRING, TEXTS, atomic, filled, mergedBy, pointer, since, struct, structs } from '../../../workloads/pod/field';
import type { ApiFields } from '../../../workloads/pod/field';

/* Services. Source: k8s.io/api core/v1 types.go; k/k pkg/apis/core/v1/defaults.go. */

const SERVICE_PORT = {
  name: STRING,
  protocol: filled('TCP', STRING),
  appProtocol: pointer(STRING),
  port: INT32,
  targetPort: INT_OR_STRING,
  nodePort: INT32,
} satisfies ApiFields;

const CLIENT_IP_CONFIG = { timeoutSeconds: filled(10800, pointer(INT32)) } satisfies ApiFields;

const SESSION_AFFINITY_CONFIG = { clientIP: pointer(struct(CLIENT_IP_CONFIG)) } satisfies ApiFields;

export const SERVICE_SPEC = {
  ports: mergedBy('port', structs(SERVICE_PORT), ['port', 'protocol']),
  selector: atomic(STRING_MAP),
  clusterIP: STRING,
  clusterIPs: TEXTS,
  type: filled('ClusterIP', STRING),
  externalIPs: TEXTS,
  sessionAffinity: filled('None', STRING),
  loadBalancerIP: STRING,
  loadBalancerSourceRanges: TEXTS,
  externalName: STRING,
  externalTrafficPolicy: STRING,
  healthCheckNodePort: INT32,
  publishNotReadyAddresses: BOOLEAN,
  sessionAffinityConfig: pointer(struct(SESSION_AFFINITY_CONFIG)),
  ipFamilies: TEXTS,
  ipFamilyPolicy: pointer(STRING),
  allocateLoadBalancerNodePorts: pointer(BOOLEAN),
  loadBalancerClass: pointer(STRING),
  internalTrafficPolicy: pointer(STRING),
  trafficDistribution: since('1.30', pointer(STRING)),
} satisfies ApiFields;
