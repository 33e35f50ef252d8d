import { INT32, STRING } from '../../core/schema';
import { INT64, TEXTS, atomic, pointer, since, struct, structs, until } from './field';
import type { ApiFields } from './field';
import { LABEL_SELECTOR } from './object-meta';

/* Where pods may go. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

const NODE_SELECTOR_REQUIREMENT = {
  key: STRING,
  operator: STRING,
  values: TEXTS,
} satisfies ApiFields;

const NODE_SELECTOR_TERM = {
  matchExpressions: structs(NODE_SELECTOR_REQUIREMENT),
  matchFields: structs(NODE_SELECTOR_REQUIREMENT),
} satisfies ApiFields;

const NODE_SELECTOR = {
  nodeSelectorTerms: structs(NODE_SELECTOR_TERM),
} satisfies ApiFields;

const PREFERRED_SCHEDULING_TERM = {
  weight: INT32,
  preference: atomic(struct(NODE_SELECTOR_TERM)),
} satisfies ApiFields;

const NODE_AFFINITY = {
  requiredDuringSchedulingIgnoredDuringExecution: atomic(pointer(struct(NODE_SELECTOR))),
  preferredDuringSchedulingIgnoredDuringExecution: structs(PREFERRED_SCHEDULING_TERM),
} satisfies ApiFields;

const POD_AFFINITY_TERM = {
  labelSelector: atomic(pointer(struct(LABEL_SELECTOR))),
  namespaces: TEXTS,
  topologyKey: STRING,
  namespaceSelector: atomic(pointer(struct(LABEL_SELECTOR))),
  matchLabelKeys: since('1.29', TEXTS, '1.31'),
  mismatchLabelKeys: since('1.29', TEXTS, '1.31'),
} satisfies ApiFields;

const WEIGHTED_POD_AFFINITY_TERM = {
  weight: INT32,
  podAffinityTerm: struct(POD_AFFINITY_TERM),
} satisfies ApiFields;

const POD_AFFINITY = {
  requiredDuringSchedulingIgnoredDuringExecution: structs(POD_AFFINITY_TERM),
  preferredDuringSchedulingIgnoredDuringExecution: structs(WEIGHTED_POD_AFFINITY_TERM),
} satisfies ApiFields;

const POD_ANTI_AFFINITY = {
  requiredDuringSchedulingIgnoredDuringExecution: structs(POD_AFFINITY_TERM),
  preferredDuringSchedulingIgnoredDuringExecution: structs(WEIGHTED_POD_AFFINITY_TERM),
} satisfies ApiFields;

export const AFFINITY = {
  nodeAffinity: pointer(struct(NODE_AFFINITY)),
  podAffinity: pointer(struct(POD_AFFINITY)),
  podAntiAffinity: pointer(struct(POD_ANTI_AFFINITY)),
} satisfies ApiFields;

export const TOLERATION = {
  key: STRING,
  operator: STRING,
  value: STRING,
  effect: STRING,
  tolerationSeconds: pointer(INT64),
} satisfies ApiFields;

export const TOPOLOGY_SPREAD_CONSTRAINT = {
  maxSkew: INT32,
  topologyKey: STRING,
  whenUnsatisfiable: STRING,
  labelSelector: atomic(pointer(struct(LABEL_SELECTOR))),
  minDomains: since('1.24', pointer(INT32)),
  nodeAffinityPolicy: since('1.25', pointer(STRING), '1.26'),
  nodeTaintsPolicy: since('1.25', pointer(STRING), '1.26'),
  matchLabelKeys: since('1.25', TEXTS, '1.27'),
} satisfies ApiFields;

export const POD_SCHEDULING_GATE = {
  name: STRING,
} satisfies ApiFields;

export const POD_SCHEDULING_GROUP = {
  podGroupName: pointer(STRING),
} satisfies ApiFields;

export const WORKLOAD_REFERENCE = {
  name: until('1.36', STRING),
  podGroup: until('1.36', STRING),
  podGroupReplicaKey: until('1.36', STRING),
} satisfies ApiFields;
