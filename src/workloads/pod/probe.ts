import { INT32, STRING } from '../../core/values/schema';
import { API_INT64, INT_OR_STRING, API_STRING_LIST, withDefault, asPointer, addInVersion, defineStruct, defineStructList } from './field';
import type { ApiFields } from './field';

/* Probes, hooks, and what they do. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

const EXEC_ACTION = {
  command: API_STRING_LIST,
} satisfies ApiFields;

const HTTP_HEADER = {
  name: STRING,
  value: STRING,
} satisfies ApiFields;

const HTTP_GET_ACTION = {
  path: withDefault('/', STRING),
  port: INT_OR_STRING,
  host: STRING,
  scheme: withDefault('HTTP', STRING),
  httpHeaders: defineStructList(HTTP_HEADER),
  protocol: addInVersion('1.37', asPointer(STRING), 'never'),
} satisfies ApiFields;

const TCP_SOCKET_ACTION = {
  port: INT_OR_STRING,
  host: STRING,
} satisfies ApiFields;

const GRPC_ACTION = {
  port: INT32,
  service: withDefault('', asPointer(STRING)),
  mode: addInVersion('1.37', asPointer(STRING), 'never'),
} satisfies ApiFields;

const SLEEP_ACTION = {
  seconds: API_INT64,
} satisfies ApiFields;

const LIFECYCLE_HANDLER = {
  exec: asPointer(defineStruct(EXEC_ACTION)),
  httpGet: asPointer(defineStruct(HTTP_GET_ACTION)),
  tcpSocket: asPointer(defineStruct(TCP_SOCKET_ACTION)),
  sleep: addInVersion('1.29', asPointer(defineStruct(SLEEP_ACTION)), '1.30'),
} satisfies ApiFields;

export const LIFECYCLE = {
  postStart: asPointer(defineStruct(LIFECYCLE_HANDLER)),
  preStop: asPointer(defineStruct(LIFECYCLE_HANDLER)),
  stopSignal: addInVersion('1.33', asPointer(STRING), 'never'),
} satisfies ApiFields;

export const PROBE = {
  exec: asPointer(defineStruct(EXEC_ACTION)),
  httpGet: asPointer(defineStruct(HTTP_GET_ACTION)),
  tcpSocket: asPointer(defineStruct(TCP_SOCKET_ACTION)),
  initialDelaySeconds: INT32,
  timeoutSeconds: withDefault(1, INT32),
  periodSeconds: withDefault(10, INT32),
  successThreshold: withDefault(1, INT32),
  failureThreshold: withDefault(3, INT32),
  terminationGracePeriodSeconds: asPointer(API_INT64),
  grpc: addInVersion('1.23', asPointer(defineStruct(GRPC_ACTION))),
} satisfies ApiFields;
