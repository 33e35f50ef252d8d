import { POD_LEVEL_RESOURCES_SINCE } from '../../cluster/versions';
import { BOOLEAN, INT32, STRING, STRING_MAP } from '../../core/schema';
import { INT64, QUANTITY_MAP, TEXTS, atomic, filled, mergedBy, pointer, retainsKeys, since, struct, structs, until } from './field';
import type { ApiFields } from './field';
import { CONTAINER, EPHEMERAL_CONTAINER, RESOURCE_REQUIREMENTS } from './container';
import { LOCAL_OBJECT_REFERENCE, OBJECT_META } from './object-meta';
import {
  AFFINITY,
  POD_SCHEDULING_GATE,
  POD_SCHEDULING_GROUP,
  TOLERATION,
  TOPOLOGY_SPREAD_CONSTRAINT,
  WORKLOAD_REFERENCE,
} from './scheduling';
import { POD_SECURITY_CONTEXT } from './security';
import { VOLUME } from './volume';

/* Pods and their templates. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

const HOST_ALIAS = {
  ip: STRING,
  hostnames: TEXTS,
} satisfies ApiFields;

const POD_DNS_CONFIG_OPTION = {
  name: STRING,
  value: pointer(STRING),
} satisfies ApiFields;

const POD_DNS_CONFIG = {
  nameservers: TEXTS,
  searches: TEXTS,
  options: structs(POD_DNS_CONFIG_OPTION),
} satisfies ApiFields;

const POD_READINESS_GATE = {
  conditionType: STRING,
} satisfies ApiFields;

const POD_OS = {
  name: STRING,
} satisfies ApiFields;

const CLAIM_SOURCE = {
  resourceClaimName: until('1.31', pointer(STRING)),
  resourceClaimTemplateName: until('1.31', pointer(STRING)),
} satisfies ApiFields;

const POD_RESOURCE_CLAIM = {
  name: STRING,
  resourceClaimName: since('1.31', pointer(STRING)),
  resourceClaimTemplateName: since('1.31', pointer(STRING)),
  source: until('1.31', struct(CLAIM_SOURCE)),
} satisfies ApiFields;

const EVICTION_RESPONDER = {
  name: STRING,
  priority: pointer(INT32),
} satisfies ApiFields;

export const POD_SPEC = {
  volumes: retainsKeys(mergedBy('name', structs(VOLUME))),
  initContainers: mergedBy('name', structs(CONTAINER)),
  containers: mergedBy('name', structs(CONTAINER)),
  ephemeralContainers: mergedBy('name', structs(EPHEMERAL_CONTAINER)),
  restartPolicy: filled('Always', STRING),
  terminationGracePeriodSeconds: filled(30, pointer(INT64)),
  activeDeadlineSeconds: pointer(INT64),
  dnsPolicy: filled('ClusterFirst', STRING),
  nodeSelector: atomic(STRING_MAP),
  serviceAccountName: STRING,
  serviceAccount: STRING,
  automountServiceAccountToken: pointer(BOOLEAN),
  nodeName: STRING,
  hostNetwork: BOOLEAN,
  hostPID: BOOLEAN,
  hostIPC: BOOLEAN,
  shareProcessNamespace: pointer(BOOLEAN),
  securityContext: filled({}, pointer(struct(POD_SECURITY_CONTEXT))),
  imagePullSecrets: mergedBy('name', structs(LOCAL_OBJECT_REFERENCE)),
  hostname: STRING,
  subdomain: STRING,
  affinity: pointer(struct(AFFINITY)),
  schedulerName: filled('default-scheduler', STRING),
  tolerations: structs(TOLERATION),
  hostAliases: mergedBy('ip', structs(HOST_ALIAS)),
  priorityClassName: STRING,
  priority: pointer(INT32),
  dnsConfig: pointer(struct(POD_DNS_CONFIG)),
  readinessGates: structs(POD_READINESS_GATE),
  runtimeClassName: pointer(STRING),
  enableServiceLinks: pointer(BOOLEAN),
  preemptionPolicy: pointer(STRING),
  overhead: QUANTITY_MAP,
  topologySpreadConstraints: mergedBy('topologyKey', structs(TOPOLOGY_SPREAD_CONSTRAINT), ['topologyKey', 'whenUnsatisfiable']),
  setHostnameAsFQDN: pointer(BOOLEAN),
  os: since('1.23', pointer(struct(POD_OS))),
  hostUsers: since('1.25', pointer(BOOLEAN), '1.33'),
  schedulingGates: since('1.26', mergedBy('name', structs(POD_SCHEDULING_GATE)), '1.27'),
  resourceClaims: since('1.26', retainsKeys(mergedBy('name', structs(POD_RESOURCE_CLAIM))), '1.34'),
  resources: since('1.32', pointer(struct(RESOURCE_REQUIREMENTS)), POD_LEVEL_RESOURCES_SINCE),
  hostnameOverride: since('1.34', pointer(STRING), '1.35'),
  schedulingGroup: since('1.36', pointer(struct(POD_SCHEDULING_GROUP)), 'never'),
  evictionResponders: since('1.37', mergedBy('name', structs(EVICTION_RESPONDER)), 'never'),
  workloadRef: until('1.36', since('1.35', pointer(struct(WORKLOAD_REFERENCE)), 'never')),
} satisfies ApiFields;

export const POD_TEMPLATE_SPEC = {
  metadata: struct(OBJECT_META),
  spec: struct(POD_SPEC),
} satisfies ApiFields;
