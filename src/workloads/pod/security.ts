import { BOOLEAN, STRING } from '../../core/schema';
import { INT64, INT64S, TEXTS, keptSince, pointer, since, struct, structs } from './field';
import type { ApiFields } from './field';

/* Security contexts. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

const SE_LINUX_OPTIONS = {
  user: STRING,
  role: STRING,
  type: STRING,
  level: STRING,
} satisfies ApiFields;

const SECCOMP_PROFILE = {
  type: STRING,
  localhostProfile: pointer(STRING),
} satisfies ApiFields;

const APP_ARMOR_PROFILE = {
  type: STRING,
  localhostProfile: pointer(STRING),
} satisfies ApiFields;

const WINDOWS_SECURITY_CONTEXT_OPTIONS = {
  gmsaCredentialSpecName: pointer(STRING),
  gmsaCredentialSpec: pointer(STRING),
  runAsUserName: pointer(STRING),
  hostProcess: since('1.22', pointer(BOOLEAN)),
} satisfies ApiFields;

const CAPABILITIES = {
  add: TEXTS,
  drop: TEXTS,
} satisfies ApiFields;

export const SECURITY_CONTEXT = {
  capabilities: pointer(struct(CAPABILITIES)),
  privileged: pointer(BOOLEAN),
  seLinuxOptions: pointer(struct(SE_LINUX_OPTIONS)),
  windowsOptions: pointer(struct(WINDOWS_SECURITY_CONTEXT_OPTIONS)),
  runAsUser: pointer(INT64),
  runAsGroup: pointer(INT64),
  runAsNonRoot: pointer(BOOLEAN),
  readOnlyRootFilesystem: pointer(BOOLEAN),
  allowPrivilegeEscalation: pointer(BOOLEAN),
  procMount: keptSince('1.33', pointer(STRING)),
  seccompProfile: pointer(struct(SECCOMP_PROFILE)),
  appArmorProfile: since('1.30', pointer(struct(APP_ARMOR_PROFILE))),
} satisfies ApiFields;

const SYSCTL = {
  name: STRING,
  value: STRING,
} satisfies ApiFields;

export const POD_SECURITY_CONTEXT = {
  seLinuxOptions: pointer(struct(SE_LINUX_OPTIONS)),
  windowsOptions: pointer(struct(WINDOWS_SECURITY_CONTEXT_OPTIONS)),
  runAsUser: pointer(INT64),
  runAsGroup: pointer(INT64),
  runAsNonRoot: pointer(BOOLEAN),
  supplementalGroups: INT64S,
  fsGroup: pointer(INT64),
  sysctls: structs(SYSCTL),
  fsGroupChangePolicy: pointer(STRING),
  seccompProfile: pointer(struct(SECCOMP_PROFILE)),
  appArmorProfile: since('1.30', pointer(struct(APP_ARMOR_PROFILE))),
  supplementalGroupsPolicy: since('1.31', pointer(STRING), '1.33'),
  seLinuxChangePolicy: since('1.32', pointer(STRING), '1.33'),
} satisfies ApiFields;
