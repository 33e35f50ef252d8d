import { INT32, STRING } from '../../core/schema';
import { INT64, INT_OR_STRING, TEXTS, filled, pointer, since, struct, structs } from './field';
import type { ApiFields } from './field';

/* Probes, hooks, and what they do. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

const EXEC_ACTION = {
  command: TEXTS,
} satisfies ApiFields;

const HTTP_HEADER = {
  name: STRING,
  value: STRING,
} satisfies ApiFields;

const HTTP_GET_ACTION = {
  path: filled('/', STRING),
  port: INT_OR_STRING,
  host: STRING,
  scheme: filled('HTTP', STRING),
  httpHeaders: structs(HTTP_HEADER),
  protocol: since('1.37', pointer(STRING), 'never'),
} satisfies ApiFields;

const TCP_SOCKET_ACTION = {
  port: INT_OR_STRING,
  host: STRING,
} satisfies ApiFields;

const GRPC_ACTION = {
  port: INT32,
  service: filled('', pointer(STRING)),
  mode: since('1.37', pointer(STRING), 'never'),
} satisfies ApiFields;

const SLEEP_ACTION = {
  seconds: INT64,
} satisfies ApiFields;

const LIFECYCLE_HANDLER = {
  exec: pointer(struct(EXEC_ACTION)),
  httpGet: pointer(struct(HTTP_GET_ACTION)),
  tcpSocket: pointer(struct(TCP_SOCKET_ACTION)),
  sleep: since('1.29', pointer(struct(SLEEP_ACTION)), '1.30'),
} satisfies ApiFields;

export const LIFECYCLE = {
  postStart: pointer(struct(LIFECYCLE_HANDLER)),
  preStop: pointer(struct(LIFECYCLE_HANDLER)),
  stopSignal: since('1.33', pointer(STRING), 'never'),
} satisfies ApiFields;

export const PROBE = {
  exec: pointer(struct(EXEC_ACTION)),
  httpGet: pointer(struct(HTTP_GET_ACTION)),
  tcpSocket: pointer(struct(TCP_SOCKET_ACTION)),
  initialDelaySeconds: INT32,
  timeoutSeconds: filled(1, INT32),
  periodSeconds: filled(10, INT32),
  successThreshold: filled(1, INT32),
  failureThreshold: filled(3, INT32),
  terminationGracePeriodSeconds: pointer(INT64),
  grpc: since('1.23', pointer(struct(GRPC_ACTION))),
} satisfies ApiFields;
