import { BOOLEAN, STRING } from '../../core/values/schema';
import { asAtomic, asPointer, addInVersion, defineStruct } from './field';
import type { ApiFields } from './field';
import {
  CONFIG_MAP_KEY_SELECTOR,
  FILE_KEY_SELECTOR,
  OBJECT_FIELD_SELECTOR,
  RESOURCE_FIELD_SELECTOR,
  SECRET_KEY_SELECTOR,
} from './reference';

/* Environment variables. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

const ENV_VAR_SOURCE = {
  fieldRef: asAtomic(asPointer(defineStruct(OBJECT_FIELD_SELECTOR))),
  resourceFieldRef: asAtomic(asPointer(defineStruct(RESOURCE_FIELD_SELECTOR))),
  configMapKeyRef: asAtomic(asPointer(defineStruct(CONFIG_MAP_KEY_SELECTOR))),
  secretKeyRef: asAtomic(asPointer(defineStruct(SECRET_KEY_SELECTOR))),
  fileKeyRef: addInVersion('1.34', asAtomic(asPointer(defineStruct(FILE_KEY_SELECTOR))), '1.35'),
} satisfies ApiFields;

export const ENV_VAR = {
  name: STRING,
  value: STRING,
  valueFrom: asPointer(defineStruct(ENV_VAR_SOURCE)),
} satisfies ApiFields;

const CONFIG_MAP_ENV_SOURCE = {
  name: STRING,
  optional: asPointer(BOOLEAN),
} satisfies ApiFields;

const SECRET_ENV_SOURCE = {
  name: STRING,
  optional: asPointer(BOOLEAN),
} satisfies ApiFields;

export const ENV_FROM_SOURCE = {
  prefix: STRING,
  configMapRef: asPointer(defineStruct(CONFIG_MAP_ENV_SOURCE)),
  secretRef: asPointer(defineStruct(SECRET_ENV_SOURCE)),
} satisfies ApiFields;
