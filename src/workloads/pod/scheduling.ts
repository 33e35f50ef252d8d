import { INT32, STRING } from '../../core/values/schema';
import { API_INT64, API_STRING_LIST, asAtomic, asPointer, addInVersion, defineStruct, defineStructList, removeInVersion } from './field';
import type { ApiFields } from './field';
import { LABEL_SELECTOR } from './object-meta';

/* The scheduling fields of pods. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

const NODE_SELECTOR_REQUIREMENT = {
  key: STRING,
  operator: STRING,
  values: API_STRING_LIST,
} satisfies ApiFields;

const NODE_SELECTOR_TERM = {
  matchExpressions: defineStructList(NODE_SELECTOR_REQUIREMENT),
  matchFields: defineStructList(NODE_SELECTOR_REQUIREMENT),
} satisfies ApiFields;

const NODE_SELECTOR = {
  nodeSelectorTerms: defineStructList(NODE_SELECTOR_TERM),
} satisfies ApiFields;

const PREFERRED_SCHEDULING_TERM = {
  weight: INT32,
  preference: asAtomic(defineStruct(NODE_SELECTOR_TERM)),
} satisfies ApiFields;

const NODE_AFFINITY = {
  requiredDuringSchedulingIgnoredDuringExecution: asAtomic(asPointer(defineStruct(NODE_SELECTOR))),
  preferredDuringSchedulingIgnoredDuringExecution: defineStructList(PREFERRED_SCHEDULING_TERM),
} satisfies ApiFields;

const POD_AFFINITY_TERM = {
  labelSelector: asAtomic(asPointer(defineStruct(LABEL_SELECTOR))),
  namespaces: API_STRING_LIST,
  topologyKey: STRING,
  namespaceSelector: asAtomic(asPointer(defineStruct(LABEL_SELECTOR))),
  matchLabelKeys: addInVersion('1.29', API_STRING_LIST, '1.31'),
  mismatchLabelKeys: addInVersion('1.29', API_STRING_LIST, '1.31'),
} satisfies ApiFields;

const WEIGHTED_POD_AFFINITY_TERM = {
  weight: INT32,
  podAffinityTerm: defineStruct(POD_AFFINITY_TERM),
} satisfies ApiFields;

const POD_AFFINITY = {
  requiredDuringSchedulingIgnoredDuringExecution: defineStructList(POD_AFFINITY_TERM),
  preferredDuringSchedulingIgnoredDuringExecution: defineStructList(WEIGHTED_POD_AFFINITY_TERM),
} satisfies ApiFields;

const POD_ANTI_AFFINITY = {
  requiredDuringSchedulingIgnoredDuringExecution: defineStructList(POD_AFFINITY_TERM),
  preferredDuringSchedulingIgnoredDuringExecution: defineStructList(WEIGHTED_POD_AFFINITY_TERM),
} satisfies ApiFields;

export const AFFINITY = {
  nodeAffinity: asPointer(defineStruct(NODE_AFFINITY)),
  podAffinity: asPointer(defineStruct(POD_AFFINITY)),
  podAntiAffinity: asPointer(defineStruct(POD_ANTI_AFFINITY)),
} satisfies ApiFields;

export const TOLERATION = {
  key: STRING,
  operator: STRING,
  value: STRING,
  effect: STRING,
  tolerationSeconds: asPointer(API_INT64),
} satisfies ApiFields;

export const TOPOLOGY_SPREAD_CONSTRAINT = {
  maxSkew: INT32,
  topologyKey: STRING,
  whenUnsatisfiable: STRING,
  labelSelector: asAtomic(asPointer(defineStruct(LABEL_SELECTOR))),
  minDomains: addInVersion('1.24', asPointer(INT32)),
  nodeAffinityPolicy: addInVersion('1.25', asPointer(STRING), '1.26'),
  nodeTaintsPolicy: addInVersion('1.25', asPointer(STRING), '1.26'),
  matchLabelKeys: addInVersion('1.25', API_STRING_LIST, '1.27'),
} satisfies ApiFields;

export const POD_SCHEDULING_GATE = {
  name: STRING,
} satisfies ApiFields;

export const POD_SCHEDULING_GROUP = {
  podGroupName: asPointer(STRING),
} satisfies ApiFields;

export const WORKLOAD_REFERENCE = {
  name: removeInVersion('1.36', STRING),
  podGroup: removeInVersion('1.36', STRING),
  podGroupReplicaKey: removeInVersion('1.36', STRING),
} satisfies ApiFields;
