import { BOOLEAN, INT32, STRING, STRING_MAP } from '../../../core/values/schema';
import {
  INT_OR_STRING,
  API_STRING_LIST,
  asAtomic,
  withDefault,
  withMergeKey,
  asPointer,
  addInVersion,
  defineStruct,
  defineStructList,
} from '../../../workloads/pod/field';
import type { ApiFields } from '../../../workloads/pod/field';

/* Services. Source: k8s.io/api core/v1 types.go; k/k pkg/apis/core/v1/defaults.go. */

const SERVICE_PORT = {
  name: STRING,
  protocol: withDefault('TCP', STRING),
  appProtocol: asPointer(STRING),
  port: INT32,
  targetPort: INT_OR_STRING,
  nodePort: INT32,
} satisfies ApiFields;

const CLIENT_IP_CONFIG = { timeoutSeconds: withDefault(10800, asPointer(INT32)) } satisfies ApiFields;

const SESSION_AFFINITY_CONFIG = { clientIP: asPointer(defineStruct(CLIENT_IP_CONFIG)) } satisfies ApiFields;

export const SERVICE_SPEC = {
  ports: withMergeKey('port', defineStructList(SERVICE_PORT), ['port', 'protocol']),
  selector: asAtomic(STRING_MAP),
  clusterIP: STRING,
  clusterIPs: API_STRING_LIST,
  type: withDefault('ClusterIP', STRING),
  externalIPs: API_STRING_LIST,
  sessionAffinity: withDefault('None', STRING),
  loadBalancerIP: STRING,
  loadBalancerSourceRanges: API_STRING_LIST,
  externalName: STRING,
  externalTrafficPolicy: STRING,
  healthCheckNodePort: INT32,
  publishNotReadyAddresses: BOOLEAN,
  sessionAffinityConfig: asPointer(defineStruct(SESSION_AFFINITY_CONFIG)),
  ipFamilies: API_STRING_LIST,
  ipFamilyPolicy: asPointer(STRING),
  allocateLoadBalancerNodePorts: asPointer(BOOLEAN),
  loadBalancerClass: asPointer(STRING),
  internalTrafficPolicy: asPointer(STRING),
  trafficDistribution: addInVersion('1.30', asPointer(STRING)),
} satisfies ApiFields;
