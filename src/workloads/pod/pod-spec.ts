import { POD_LEVEL_RESOURCES_SINCE } from '../../cluster/kinds/versions';
import { BOOLEAN, INT32, STRING, STRING_MAP } from '../../core/values/schema';
import {
  API_INT64,
  QUANTITY_MAP,
  API_STRING_LIST,
  asAtomic,
  withDefault,
  withMergeKey,
  asPointer,
  withRetainKeys,
  addInVersion,
  defineStruct,
  defineStructList,
  removeInVersion,
} from './field';
import type { ApiFields } from './field';
import { CONTAINER, EPHEMERAL_CONTAINER, INIT_CONTAINER, RESOURCE_REQUIREMENTS } from './container';
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

/* Pods and their templates. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

const HOST_ALIAS = {
  ip: STRING,
  hostnames: API_STRING_LIST,
} satisfies ApiFields;

const POD_DNS_CONFIG_OPTION = {
  name: STRING,
  value: asPointer(STRING),
} satisfies ApiFields;

const POD_DNS_CONFIG = {
  nameservers: API_STRING_LIST,
  searches: API_STRING_LIST,
  options: defineStructList(POD_DNS_CONFIG_OPTION),
} satisfies ApiFields;

const POD_READINESS_GATE = {
  conditionType: STRING,
} satisfies ApiFields;

const POD_OS = {
  name: STRING,
} satisfies ApiFields;

const CLAIM_SOURCE = {
  resourceClaimName: removeInVersion('1.31', asPointer(STRING)),
  resourceClaimTemplateName: removeInVersion('1.31', asPointer(STRING)),
} satisfies ApiFields;

const POD_RESOURCE_CLAIM = {
  name: STRING,
  resourceClaimName: addInVersion('1.31', asPointer(STRING)),
  resourceClaimTemplateName: addInVersion('1.31', asPointer(STRING)),
  source: removeInVersion('1.31', defineStruct(CLAIM_SOURCE)),
} satisfies ApiFields;

const EVICTION_RESPONDER = {
  name: STRING,
  priority: asPointer(INT32),
} satisfies ApiFields;

export const POD_SPEC = {
  volumes: withRetainKeys(withMergeKey('name', defineStructList(VOLUME))),
  initContainers: withMergeKey('name', defineStructList(INIT_CONTAINER)),
  containers: withMergeKey('name', defineStructList(CONTAINER)),
  ephemeralContainers: withMergeKey('name', defineStructList(EPHEMERAL_CONTAINER)),
  restartPolicy: withDefault('Always', STRING),
  terminationGracePeriodSeconds: withDefault(30, asPointer(API_INT64)),
  activeDeadlineSeconds: asPointer(API_INT64),
  dnsPolicy: withDefault('ClusterFirst', STRING),
  nodeSelector: asAtomic(STRING_MAP),
  serviceAccountName: STRING,
  serviceAccount: STRING,
  automountServiceAccountToken: asPointer(BOOLEAN),
  nodeName: STRING,
  hostNetwork: BOOLEAN,
  hostPID: BOOLEAN,
  hostIPC: BOOLEAN,
  shareProcessNamespace: asPointer(BOOLEAN),
  securityContext: withDefault({}, asPointer(defineStruct(POD_SECURITY_CONTEXT))),
  imagePullSecrets: withMergeKey('name', defineStructList(LOCAL_OBJECT_REFERENCE)),
  hostname: STRING,
  subdomain: STRING,
  affinity: asPointer(defineStruct(AFFINITY)),
  schedulerName: withDefault('default-scheduler', STRING),
  tolerations: defineStructList(TOLERATION),
  hostAliases: withMergeKey('ip', defineStructList(HOST_ALIAS)),
  priorityClassName: STRING,
  priority: asPointer(INT32),
  dnsConfig: asPointer(defineStruct(POD_DNS_CONFIG)),
  readinessGates: defineStructList(POD_READINESS_GATE),
  runtimeClassName: asPointer(STRING),
  enableServiceLinks: asPointer(BOOLEAN),
  preemptionPolicy: asPointer(STRING),
  overhead: QUANTITY_MAP,
  topologySpreadConstraints: withMergeKey('topologyKey', defineStructList(TOPOLOGY_SPREAD_CONSTRAINT), [
    'topologyKey',
    'whenUnsatisfiable',
  ]),
  setHostnameAsFQDN: asPointer(BOOLEAN),
  os: addInVersion('1.23', asPointer(defineStruct(POD_OS))),
  hostUsers: addInVersion('1.25', asPointer(BOOLEAN), '1.33'),
  schedulingGates: addInVersion('1.26', withMergeKey('name', defineStructList(POD_SCHEDULING_GATE)), '1.27'),
  resourceClaims: addInVersion('1.26', withRetainKeys(withMergeKey('name', defineStructList(POD_RESOURCE_CLAIM))), '1.34'),
  resources: addInVersion('1.32', asPointer(defineStruct(RESOURCE_REQUIREMENTS)), POD_LEVEL_RESOURCES_SINCE),
  hostnameOverride: addInVersion('1.34', asPointer(STRING), '1.35'),
  schedulingGroup: addInVersion('1.36', asPointer(defineStruct(POD_SCHEDULING_GROUP)), 'never'),
  evictionResponders: addInVersion('1.37', withMergeKey('name', defineStructList(EVICTION_RESPONDER)), 'never'),
  workloadRef: removeInVersion('1.36', addInVersion('1.35', asPointer(defineStruct(WORKLOAD_REFERENCE)), 'never')),
} satisfies ApiFields;

export const POD_TEMPLATE_SPEC = {
  metadata: defineStruct(OBJECT_META),
  spec: defineStruct(POD_SPEC),
} satisfies ApiFields;
