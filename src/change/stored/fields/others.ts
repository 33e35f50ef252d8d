import { BOOLEAN, INT32, INT_OR_PERCENT, STRING, STRING_MAP } from '../../../core/schema';
import { QUANTITY_MAP, TEXTS, atomic, filled, pointer, since, struct, structs } from '../../../workloads/pod/field';
import type { ApiFields } from '../../../workloads/pod/field';
import { LABEL_SELECTOR } from '../../../workloads/pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../../../workloads/pod/pod-spec';

/* Smaller kinds. Source: k8s.io/api core/v1, apps/v1, policy/v1 and rbac/v1 types.go. */

export const CONFIG_MAP = { immutable: pointer(BOOLEAN), data: STRING_MAP, binaryData: STRING_MAP } satisfies ApiFields;

export const SECRET = {
  immutable: pointer(BOOLEAN),
  data: STRING_MAP,
  stringData: STRING_MAP,
  type: filled('Opaque', STRING),
} satisfies ApiFields;

export const REPLICA_SET_SPEC = {
  replicas: filled(1, pointer(INT32)),
  minReadySeconds: INT32,
  selector: atomic(pointer(struct(LABEL_SELECTOR))),
  template: struct(POD_TEMPLATE_SPEC),
} satisfies ApiFields;

export const DISRUPTION_BUDGET_SPEC = {
  minAvailable: pointer(INT_OR_PERCENT),
  selector: atomic(pointer(struct(LABEL_SELECTOR))),
  maxUnavailable: pointer(INT_OR_PERCENT),
  unhealthyPodEvictionPolicy: since('1.26', pointer(STRING), '1.27'),
} satisfies ApiFields;

const SCOPED_REQUIREMENT = { scopeName: STRING, operator: STRING, values: TEXTS } satisfies ApiFields;

const SCOPE_SELECTOR = { matchExpressions: structs(SCOPED_REQUIREMENT) } satisfies ApiFields;

export const QUOTA_SPEC = {
  hard: QUANTITY_MAP,
  scopes: TEXTS,
  scopeSelector: atomic(pointer(struct(SCOPE_SELECTOR))),
} satisfies ApiFields;

const LIMIT_RANGE_ITEM = {
  type: STRING,
  max: QUANTITY_MAP,
  min: QUANTITY_MAP,
  default: QUANTITY_MAP,
  defaultRequest: QUANTITY_MAP,
  maxLimitRequestRatio: QUANTITY_MAP,
} satisfies ApiFields;

export const LIMIT_RANGE_SPEC = { limits: structs(LIMIT_RANGE_ITEM) } satisfies ApiFields;

const SUBJECT = { kind: STRING, apiGroup: STRING, name: STRING, namespace: STRING } satisfies ApiFields;

const ROLE_REF = { apiGroup: STRING, kind: STRING, name: STRING } satisfies ApiFields;

export const ROLE_BINDING = { subjects: structs(SUBJECT), roleRef: atomic(struct(ROLE_REF)) } satisfies ApiFields;
