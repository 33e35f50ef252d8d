import { ANY, BOOLEAN, STRING, STRING_MAP } from '../../core/values/schema';
import {
  API_INT64,
  API_STRING_LIST,
  TIME,
  withMergeKey,
  mergeByValue,
  asPointer,
  addInVersion,
  defineStructList,
  removeInVersion,
} from './field';
import type { ApiFields } from './field';

/* Metadata, and how objects select and name others. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

export const LOCAL_OBJECT_REFERENCE = {
  name: STRING,
} satisfies ApiFields;

const LABEL_SELECTOR_REQUIREMENT = {
  key: STRING,
  operator: STRING,
  values: API_STRING_LIST,
} satisfies ApiFields;

export const LABEL_SELECTOR = {
  matchLabels: STRING_MAP,
  matchExpressions: defineStructList(LABEL_SELECTOR_REQUIREMENT),
} satisfies ApiFields;

const OWNER_REFERENCE = {
  apiVersion: STRING,
  kind: STRING,
  name: STRING,
  uid: STRING,
  controller: asPointer(BOOLEAN),
  blockOwnerDeletion: asPointer(BOOLEAN),
} satisfies ApiFields;

const MANAGED_FIELDS_ENTRY = {
  manager: STRING,
  operation: STRING,
  apiVersion: STRING,
  time: asPointer(TIME),
  fieldsType: STRING,
  fieldsV1: asPointer(ANY),
  subresource: addInVersion('1.22', STRING),
} satisfies ApiFields;

export const OBJECT_META = {
  name: STRING,
  generateName: STRING,
  namespace: STRING,
  selfLink: STRING,
  uid: STRING,
  resourceVersion: STRING,
  generation: API_INT64,
  creationTimestamp: TIME,
  deletionTimestamp: asPointer(TIME),
  deletionGracePeriodSeconds: asPointer(API_INT64),
  labels: STRING_MAP,
  annotations: STRING_MAP,
  ownerReferences: withMergeKey('uid', defineStructList(OWNER_REFERENCE)),
  finalizers: mergeByValue(API_STRING_LIST),
  managedFields: defineStructList(MANAGED_FIELDS_ENTRY),
  clusterName: removeInVersion('1.25', STRING),
} satisfies ApiFields;
