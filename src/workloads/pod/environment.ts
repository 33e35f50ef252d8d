import { BOOLEAN, STRING } from '../../core/schema';
import { atomic, pointer, since, struct } from './field';
import type { ApiFields } from './field';
import {
  CONFIG_MAP_KEY_SELECTOR,
  FILE_KEY_SELECTOR,
  OBJECT_FIELD_SELECTOR,
  RESOURCE_FIELD_SELECTOR,
  SECRET_KEY_SELECTOR,
} from './reference';

/* Environment variables. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

const ENV_VAR_SOURCE = {
  fieldRef: atomic(pointer(struct(OBJECT_FIELD_SELECTOR))),
  resourceFieldRef: atomic(pointer(struct(RESOURCE_FIELD_SELECTOR))),
  configMapKeyRef: atomic(pointer(struct(CONFIG_MAP_KEY_SELECTOR))),
  secretKeyRef: atomic(pointer(struct(SECRET_KEY_SELECTOR))),
  fileKeyRef: since('1.34', atomic(pointer(struct(FILE_KEY_SELECTOR))), '1.35'),
} satisfies ApiFields;

export const ENV_VAR = {
  name: STRING,
  value: STRING,
  valueFrom: pointer(struct(ENV_VAR_SOURCE)),
} satisfies ApiFields;

const CONFIG_MAP_ENV_SOURCE = {
  name: STRING,
  optional: pointer(BOOLEAN),
} satisfies ApiFields;

const SECRET_ENV_SOURCE = {
  name: STRING,
  optional: pointer(BOOLEAN),
} satisfies ApiFields;

export const ENV_FROM_SOURCE = {
  prefix: STRING,
  configMapRef: pointer(struct(CONFIG_MAP_ENV_SOURCE)),
  secretRef: pointer(struct(SECRET_ENV_SOURCE)),
} satisfies ApiFields;
