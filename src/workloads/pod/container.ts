import { BOOLEAN, INT32, STRING } from '../../core/values/schema';
import {
  API_INT32_LIST,
  QUANTITY_MAP,
  API_STRING_LIST,
  withApplyKeys,
  asApplySet,
  withDefault,
  withMergeKey,
  asPointer,
  addInVersion,
  defineStruct,
  defineStructList,
} from './field';
import type { ApiFields } from './field';
import { ENV_FROM_SOURCE, ENV_VAR } from './environment';
import { LIFECYCLE, PROBE } from './probe';
import { SECURITY_CONTEXT } from './security';

/* Containers. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

const CONTAINER_PORT = {
  name: STRING,
  hostPort: INT32,
  containerPort: INT32,
  protocol: withDefault('TCP', STRING),
  hostIP: STRING,
} satisfies ApiFields;

const VOLUME_MOUNT = {
  name: STRING,
  readOnly: BOOLEAN,
  mountPath: STRING,
  subPath: STRING,
  mountPropagation: asPointer(STRING),
  subPathExpr: STRING,
  recursiveReadOnly: addInVersion('1.30', asPointer(STRING), '1.31'),
  bindMountOptions: addInVersion('1.37', asApplySet(API_STRING_LIST), 'never'),
} satisfies ApiFields;

const VOLUME_DEVICE = {
  name: STRING,
  devicePath: STRING,
} satisfies ApiFields;

const RESOURCE_CLAIM = {
  name: STRING,
  request: addInVersion('1.31', STRING),
} satisfies ApiFields;

export const RESOURCE_REQUIREMENTS = {
  limits: QUANTITY_MAP,
  requests: QUANTITY_MAP,
  claims: addInVersion('1.26', withApplyKeys(['name'], defineStructList(RESOURCE_CLAIM)), '1.34'),
} satisfies ApiFields;

const CONTAINER_RESIZE_POLICY = {
  resourceName: STRING,
  restartPolicy: STRING,
} satisfies ApiFields;

const CONTAINER_RESTART_RULE_ON_EXIT_CODES = {
  operator: STRING,
  values: asApplySet(API_INT32_LIST),
} satisfies ApiFields;

const CONTAINER_RESTART_RULE = {
  action: STRING,
  exitCodes: asPointer(defineStruct(CONTAINER_RESTART_RULE_ON_EXIT_CODES)),
} satisfies ApiFields;

export const CONTAINER = {
  name: STRING,
  image: STRING,
  command: API_STRING_LIST,
  args: API_STRING_LIST,
  workingDir: STRING,
  ports: withMergeKey('containerPort', defineStructList(CONTAINER_PORT), ['containerPort', 'protocol']),
  envFrom: defineStructList(ENV_FROM_SOURCE),
  env: withMergeKey('name', defineStructList(ENV_VAR)),
  resources: defineStruct(RESOURCE_REQUIREMENTS),
  volumeMounts: withMergeKey('mountPath', defineStructList(VOLUME_MOUNT)),
  volumeDevices: withMergeKey('devicePath', defineStructList(VOLUME_DEVICE)),
  livenessProbe: asPointer(defineStruct(PROBE)),
  readinessProbe: asPointer(defineStruct(PROBE)),
  startupProbe: asPointer(defineStruct(PROBE)),
  lifecycle: asPointer(defineStruct(LIFECYCLE)),
  terminationMessagePath: withDefault('/dev/termination-log', STRING),
  terminationMessagePolicy: withDefault('File', STRING),
  imagePullPolicy: STRING,
  securityContext: asPointer(defineStruct(SECURITY_CONTEXT)),
  stdin: BOOLEAN,
  stdinOnce: BOOLEAN,
  tty: BOOLEAN,
  resizePolicy: addInVersion('1.27', defineStructList(CONTAINER_RESIZE_POLICY), '1.33'),
  restartPolicy: addInVersion('1.28', asPointer(STRING)),
  restartPolicyRules: addInVersion('1.34', defineStructList(CONTAINER_RESTART_RULE), '1.35'),
} satisfies ApiFields;

/** The fields of an init container. Kubernetes 1.28 drops the restartPolicy of these only, and refuses that of others. */
export const INIT_CONTAINER = { ...CONTAINER, restartPolicy: addInVersion('1.28', asPointer(STRING), '1.29') } satisfies ApiFields;

/** The fields of an ephemeral container. A template may not have one, but it is still decoded. */
export const EPHEMERAL_CONTAINER = { ...CONTAINER, targetContainerName: STRING } satisfies ApiFields;
