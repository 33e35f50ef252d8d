import { BOOLEAN, STRING } from '../../core/values/schema';
import {
  API_INT64,
  API_INT64_LIST,
  API_STRING_LIST,
  enableInVersion,
  asPointer,
  addInVersion,
  defineStruct,
  defineStructList,
} from './field';
import type { ApiFields } from './field';

/* Security contexts. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

const SE_LINUX_OPTIONS = {
  user: STRING,
  role: STRING,
  type: STRING,
  level: STRING,
} satisfies ApiFields;

const SECCOMP_PROFILE = {
  type: STRING,
  localhostProfile: asPointer(STRING),
} satisfies ApiFields;

const APP_ARMOR_PROFILE = {
  type: STRING,
  localhostProfile: asPointer(STRING),
} satisfies ApiFields;

const WINDOWS_SECURITY_CONTEXT_OPTIONS = {
  gmsaCredentialSpecName: asPointer(STRING),
  gmsaCredentialSpec: asPointer(STRING),
  runAsUserName: asPointer(STRING),
  hostProcess: addInVersion('1.22', asPointer(BOOLEAN)),
} satisfies ApiFields;

const CAPABILITIES = {
  add: API_STRING_LIST,
  drop: API_STRING_LIST,
} satisfies ApiFields;

export const SECURITY_CONTEXT = {
  capabilities: asPointer(defineStruct(CAPABILITIES)),
  privileged: asPointer(BOOLEAN),
  seLinuxOptions: asPointer(defineStruct(SE_LINUX_OPTIONS)),
  windowsOptions: asPointer(defineStruct(WINDOWS_SECURITY_CONTEXT_OPTIONS)),
  runAsUser: asPointer(API_INT64),
  runAsGroup: asPointer(API_INT64),
  runAsNonRoot: asPointer(BOOLEAN),
  readOnlyRootFilesystem: asPointer(BOOLEAN),
  allowPrivilegeEscalation: asPointer(BOOLEAN),
  procMount: enableInVersion('1.33', asPointer(STRING)),
  seccompProfile: asPointer(defineStruct(SECCOMP_PROFILE)),
  appArmorProfile: addInVersion('1.30', asPointer(defineStruct(APP_ARMOR_PROFILE))),
} satisfies ApiFields;

const SYSCTL = {
  name: STRING,
  value: STRING,
} satisfies ApiFields;

export const POD_SECURITY_CONTEXT = {
  seLinuxOptions: asPointer(defineStruct(SE_LINUX_OPTIONS)),
  windowsOptions: asPointer(defineStruct(WINDOWS_SECURITY_CONTEXT_OPTIONS)),
  runAsUser: asPointer(API_INT64),
  runAsGroup: asPointer(API_INT64),
  runAsNonRoot: asPointer(BOOLEAN),
  supplementalGroups: API_INT64_LIST,
  fsGroup: asPointer(API_INT64),
  sysctls: defineStructList(SYSCTL),
  fsGroupChangePolicy: asPointer(STRING),
  seccompProfile: asPointer(defineStruct(SECCOMP_PROFILE)),
  appArmorProfile: addInVersion('1.30', asPointer(defineStruct(APP_ARMOR_PROFILE))),
  supplementalGroupsPolicy: addInVersion('1.31', asPointer(STRING), '1.33'),
  seLinuxChangePolicy: addInVersion('1.32', asPointer(STRING), '1.33'),
} satisfies ApiFields;
