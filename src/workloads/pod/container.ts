import { BOOLEAN, INT32, STRING } from '../../core/schema';
import { INT32S, QUANTITY_MAP, TEXTS, appliedBy, appliedSet, filled, mergedBy, pointer, since, struct, structs } from './field';
import type { ApiFields } from './field';
import { ENV_FROM_SOURCE, ENV_VAR } from './environment';
import { LIFECYCLE, PROBE } from './probe';
import { SECURITY_CONTEXT } from './security';

/* Containers. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

const CONTAINER_PORT = {
  name: STRING,
  hostPort: INT32,
  containerPort: INT32,
  protocol: filled('TCP', STRING),
  hostIP: STRING,
} satisfies ApiFields;

const VOLUME_MOUNT = {
  name: STRING,
  readOnly: BOOLEAN,
  mountPath: STRING,
  subPath: STRING,
  mountPropagation: pointer(STRING),
  subPathExpr: STRING,
  recursiveReadOnly: since('1.30', pointer(STRING), '1.31'),
  bindMountOptions: since('1.37', appliedSet(TEXTS), 'never'),
} satisfies ApiFields;

const VOLUME_DEVICE = {
  name: STRING,
  devicePath: STRING,
} satisfies ApiFields;

const RESOURCE_CLAIM = {
  name: STRING,
  request: since('1.31', STRING),
} satisfies ApiFields;

export const RESOURCE_REQUIREMENTS = {
  limits: QUANTITY_MAP,
  requests: QUANTITY_MAP,
  claims: since('1.26', appliedBy(['name'], structs(RESOURCE_CLAIM)), '1.34'),
} satisfies ApiFields;

const CONTAINER_RESIZE_POLICY = {
  resourceName: STRING,
  restartPolicy: STRING,
} satisfies ApiFields;

const CONTAINER_RESTART_RULE_ON_EXIT_CODES = {
  operator: STRING,
  values: appliedSet(INT32S),
} satisfies ApiFields;

const CONTAINER_RESTART_RULE = {
  action: STRING,
  exitCodes: pointer(struct(CONTAINER_RESTART_RULE_ON_EXIT_CODES)),
} satisfies ApiFields;

export const CONTAINER = {
  name: STRING,
  image: STRING,
  command: TEXTS,
  args: TEXTS,
  workingDir: STRING,
  ports: mergedBy('containerPort', structs(CONTAINER_PORT), ['containerPort', 'protocol']),
  envFrom: structs(ENV_FROM_SOURCE),
  env: mergedBy('name', structs(ENV_VAR)),
  resources: struct(RESOURCE_REQUIREMENTS),
  volumeMounts: mergedBy('mountPath', structs(VOLUME_MOUNT)),
  volumeDevices: mergedBy('devicePath', structs(VOLUME_DEVICE)),
  livenessProbe: pointer(struct(PROBE)),
  readinessProbe: pointer(struct(PROBE)),
  startupProbe: pointer(struct(PROBE)),
  lifecycle: pointer(struct(LIFECYCLE)),
  terminationMessagePath: filled('/dev/termination-log', STRING),
  terminationMessagePolicy: filled('File', STRING),
  imagePullPolicy: STRING,
  securityContext: pointer(struct(SECURITY_CONTEXT)),
  stdin: BOOLEAN,
  stdinOnce: BOOLEAN,
  tty: BOOLEAN,
  resizePolicy: since('1.27', structs(CONTAINER_RESIZE_POLICY), '1.33'),
  restartPolicy: since('1.28', pointer(STRING), '1.29'),
  restartPolicyRules: since('1.34', structs(CONTAINER_RESTART_RULE), '1.35'),
} satisfies ApiFields;

/** Refused in a template, and still decoded there. */
export const EPHEMERAL_CONTAINER = { ...CONTAINER, targetContainerName: STRING } satisfies ApiFields;
