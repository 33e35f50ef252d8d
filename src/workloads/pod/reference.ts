import { BOOLEAN, STRING } from '../../core/values/schema';
import { QUANTITY, withDefault, asPointer } from './field';
import type { ApiFields } from './field';

/* References to a field or key of something else. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

export const OBJECT_FIELD_SELECTOR = {
  apiVersion: withDefault('v1', STRING),
  fieldPath: STRING,
} satisfies ApiFields;

export const RESOURCE_FIELD_SELECTOR = {
  containerName: STRING,
  resource: STRING,
  divisor: QUANTITY,
} satisfies ApiFields;

export const CONFIG_MAP_KEY_SELECTOR = {
  name: STRING,
  key: STRING,
  optional: asPointer(BOOLEAN),
} satisfies ApiFields;

export const SECRET_KEY_SELECTOR = {
  name: STRING,
  key: STRING,
  optional: asPointer(BOOLEAN),
} satisfies ApiFields;

export const FILE_KEY_SELECTOR = {
  volumeName: STRING,
  path: STRING,
  key: STRING,
  optional: withDefault(false, asPointer(BOOLEAN)),
} satisfies ApiFields;
