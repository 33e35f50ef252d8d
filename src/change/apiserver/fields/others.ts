import { BOOLEAN, INT32, INT_OR_PERCENT, STRING, STRING_MAP } from '../../../core/values/schema';
import {
  API_INT64,
  QUANTITY_MAP,
  TIME,
  API_STRING_LIST,
  asAtomic,
  withDefault,
  asPointer,
  addInVersion,
  defineStruct,
  defineStructList,
} from '../../../workloads/pod/field';
import type { ApiFields } from '../../../workloads/pod/field';
import { LABEL_SELECTOR } from '../../../workloads/pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../../../workloads/pod/pod-spec';

/* Smaller kinds. Source: k8s.io/api core/v1, apps/v1, policy/v1 and rbac/v1 types.go. */

export const CONFIG_MAP = { immutable: asPointer(BOOLEAN), data: STRING_MAP, binaryData: STRING_MAP } satisfies ApiFields;

export const SECRET = {
  immutable: asPointer(BOOLEAN),
  data: STRING_MAP,
  stringData: STRING_MAP,
  type: withDefault('Opaque', STRING),
} satisfies ApiFields;

export const REPLICA_SET_SPEC = {
  replicas: withDefault(1, asPointer(INT32)),
  minReadySeconds: INT32,
  selector: asAtomic(asPointer(defineStruct(LABEL_SELECTOR))),
  template: defineStruct(POD_TEMPLATE_SPEC),
} satisfies ApiFields;

export const DISRUPTION_BUDGET_SPEC = {
  minAvailable: asPointer(INT_OR_PERCENT),
  selector: asAtomic(asPointer(defineStruct(LABEL_SELECTOR))),
  maxUnavailable: asPointer(INT_OR_PERCENT),
  unhealthyPodEvictionPolicy: addInVersion('1.26', asPointer(STRING), '1.27'),
} satisfies ApiFields;

const CONDITION = {
  type: STRING,
  status: STRING,
  observedGeneration: API_INT64,
  lastTransitionTime: TIME,
  reason: STRING,
  message: STRING,
} satisfies ApiFields;

export const DISRUPTION_BUDGET_STATUS = {
  observedGeneration: API_INT64,
  disruptedPods: { type: 'time-map' },
  disruptionsAllowed: INT32,
  currentHealthy: INT32,
  desiredHealthy: INT32,
  expectedPods: INT32,
  conditions: defineStructList(CONDITION),
} satisfies ApiFields;

const SCOPED_REQUIREMENT = { scopeName: STRING, operator: STRING, values: API_STRING_LIST } satisfies ApiFields;

const SCOPE_SELECTOR = { matchExpressions: defineStructList(SCOPED_REQUIREMENT) } satisfies ApiFields;

export const QUOTA_SPEC = {
  hard: QUANTITY_MAP,
  scopes: API_STRING_LIST,
  scopeSelector: asAtomic(asPointer(defineStruct(SCOPE_SELECTOR))),
} satisfies ApiFields;

const LIMIT_RANGE_ITEM = {
  type: STRING,
  max: QUANTITY_MAP,
  min: QUANTITY_MAP,
  default: QUANTITY_MAP,
  defaultRequest: QUANTITY_MAP,
  maxLimitRequestRatio: QUANTITY_MAP,
} satisfies ApiFields;

export const LIMIT_RANGE_SPEC = { limits: defineStructList(LIMIT_RANGE_ITEM) } satisfies ApiFields;

const SUBJECT = { kind: STRING, apiGroup: STRING, name: STRING, namespace: STRING } satisfies ApiFields;

const ROLE_REF = { apiGroup: STRING, kind: STRING, name: STRING } satisfies ApiFields;

export const ROLE_BINDING = { subjects: defineStructList(SUBJECT), roleRef: asAtomic(defineStruct(ROLE_REF)) } satisfies ApiFields;
