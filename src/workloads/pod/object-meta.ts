import { ANY, BOOLEAN, STRING, STRING_MAP } from '../../core/schema';
import { INT64, TEXTS, TIME, mergedBy, mergedValues, pointer, since, structs, until } from './field';
import type { ApiFields } from './field';

/* Metadata, and how objects select and name others. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

export const LOCAL_OBJECT_REFERENCE = {
  name: STRING,
} satisfies ApiFields;

const LABEL_SELECTOR_REQUIREMENT = {
  key: STRING,
  operator: STRING,
  values: TEXTS,
} satisfies ApiFields;

export const LABEL_SELECTOR = {
  matchLabels: STRING_MAP,
  matchExpressions: structs(LABEL_SELECTOR_REQUIREMENT),
} satisfies ApiFields;

const OWNER_REFERENCE = {
  apiVersion: STRING,
  kind: STRING,
  name: STRING,
  uid: STRING,
  controller: pointer(BOOLEAN),
  blockOwnerDeletion: pointer(BOOLEAN),
} satisfies ApiFields;

const MANAGED_FIELDS_ENTRY = {
  manager: STRING,
  operation: STRING,
  apiVersion: STRING,
  time: pointer(TIME),
  fieldsType: STRING,
  fieldsV1: pointer(ANY),
  subresource: since('1.22', STRING),
} satisfies ApiFields;

export const OBJECT_META = {
  name: STRING,
  generateName: STRING,
  namespace: STRING,
  selfLink: STRING,
  uid: STRING,
  resourceVersion: STRING,
  generation: INT64,
  creationTimestamp: TIME,
  deletionTimestamp: pointer(TIME),
  deletionGracePeriodSeconds: pointer(INT64),
  labels: STRING_MAP,
  annotations: STRING_MAP,
  ownerReferences: mergedBy('uid', structs(OWNER_REFERENCE)),
  finalizers: mergedValues(TEXTS),
  managedFields: structs(MANAGED_FIELDS_ENTRY),
  clusterName: until('1.25', STRING),
} satisfies ApiFields;
