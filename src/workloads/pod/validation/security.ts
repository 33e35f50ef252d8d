import type { Finding } from '../../../core/findings/finding';
import { MAX_INT32 } from '../../../core/values/int-or-percent';
import type { Fields } from '../../../core/manifest/manifest';
import { appendLazily } from '../../../core/manifest/field-path';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import {
  validateEnum,
  reportDuplicate,
  validateFormat,
  isNonEmpty,
  isNonNil,
  listItems,
  validateMaxLength,
  asMap,
  reportMissing,
  validateRequiredFormat,
  validatePointerEnum,
  validateRange,
  reportInvalid,
  decodeString,
} from './field-errors';
import type { PodBehaviour } from './versions';
import { validateRelativePath } from './volume-files';

/* Validation of security contexts. Source: k/k pkg/apis/core/validation/validation.go, `ValidateSecurityContext` and `validatePodSpecSecurityContext`. */

const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

/** Validates a profile: the type Localhost requires the name of one, and types that match `isNameless` allow none. */
function validateProfile(
  value: unknown,
  isNameless: (type: unknown) => boolean,
  nameChecks: (name: string, location: LazyFieldPath) => readonly Finding[],
  location: LazyFieldPath,
): readonly Finding[] {
  const profile = asMap(value);
  if (!profile) return [];
  const { type, localhostProfile } = profile;
  const nameLocation = appendLazily(location, 'localhostProfile');
  const types = validateEnum(type, PROFILE_TYPES, appendLazily(location, 'type'), true);
  if (type === 'Localhost') {
    if (!isNonNil(localhostProfile)) return [...types, reportMissing(nameLocation)];
    return typeof localhostProfile === 'string' ? nameChecks(localhostProfile, nameLocation) : [];
  }
  return joinLists(
    types,
    isNonNil(localhostProfile) && isNameless(type) ? [reportInvalid('localhostProfile', localhostProfile, nameLocation)] : [],
  );
}

function validateSeccompProfile(value: unknown, location: LazyFieldPath): readonly Finding[] {
  return validateProfile(value, () => true, validateRelativePath, location);
}

const MAX_PROFILE_LENGTH = 4095;

function validateAppArmorProfile(value: unknown, location: LazyFieldPath): readonly Finding[] {
  return validateProfile(
    value,
    (type) => type === 'RuntimeDefault' || type === 'Unconfined',
    (name, nameLocation) =>
      joinLists(
        name.trim() === name ? [] : [reportInvalid('padded', name, nameLocation)],
        name === '' ? [reportMissing(nameLocation)] : [],
        validateMaxLength(name.length, MAX_PROFILE_LENGTH, 'character', nameLocation),
      ),
    location,
  );
}

const MAX_CREDENTIAL_SPEC = 64 * 1024;

function validateWindowsOptions(value: unknown, location: LazyFieldPath): readonly Finding[] {
  const options = asMap(value);
  if (!options) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  return joinLists(
    typeof name === 'string' ? validateFormat(name, 'dns-subdomain', appendLazily(location, 'gmsaCredentialSpecName')) : [],
    spec === '' ? [reportMissing(appendLazily(location, 'gmsaCredentialSpec'))] : [],
    typeof spec === 'string'
      ? validateMaxLength(spec.length, MAX_CREDENTIAL_SPEC, 'character', appendLazily(location, 'gmsaCredentialSpec'))
      : [],
    typeof user === 'string' ? validateFormat(user, 'windows-user', appendLazily(location, 'runAsUserName')) : [],
  );
}

function validateIds(context: Fields, names: readonly string[], location: LazyFieldPath): readonly Finding[] {
  return collectFromEach(names, (name) => validateRange(context[name], 0, MAX_INT32, appendLazily(location, name)));
}

/** Reports privileges of a container that contradict `allowPrivilegeEscalation: false`. */
function validatePrivilegeEscalation(context: Fields, location: LazyFieldPath): readonly Finding[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const added = asMap(context.capabilities)?.add;
  const isPowerful = context.privileged === true || (Array.isArray(added) && added.includes('CAP_SYS_ADMIN'));
  return isPowerful ? [reportInvalid('escalation', false, appendLazily(location, 'allowPrivilegeEscalation'))] : [];
}

const PROC_MOUNTS = ['Default', 'Unmasked'];

/** Validates the security context of a container. @param hostUsers whether the pod shares the users of its node */
export function validateContainerSecurity(value: unknown, hostUsers: boolean, location: LazyFieldPath): readonly Finding[] {
  const context = asMap(value);
  if (!context) return [];
  const procLocation = appendLazily(location, 'procMount');
  return joinLists(
    validateIds(context, ['runAsUser', 'runAsGroup'], location),
    validatePointerEnum(context.procMount, PROC_MOUNTS, procLocation),
    hostUsers && context.procMount === 'Unmasked' ? [reportInvalid('hostUsersNeeded', context.procMount, procLocation)] : [],
    validateSeccompProfile(context.seccompProfile, appendLazily(location, 'seccompProfile')),
    validatePrivilegeEscalation(context, location),
    validateWindowsOptions(context.windowsOptions, appendLazily(location, 'windowsOptions')),
    validateAppArmorProfile(context.appArmorProfile, appendLazily(location, 'appArmorProfile')),
  );
}

/** The kernel parameters of IPC, which `hostIPC` shares. Parameters of the network begin with `net.`. Source: component-helpers sysctl. */
const IPC_SYSCTL = /^(?:kernel\.sem$|kernel\.shm(?:all|max|mni|_rmid_forced)?$|kernel\.msg(?:max|mnb|mni)?$|fs\.mqueue\.)/;

function validateSysctls(context: Fields, pod: Fields, location: LazyFieldPath): readonly Finding[] {
  const taken = new Set<string>();
  return collectFromEach(listItems(context.sysctls, appendLazily(location, 'sysctls')), (item) => {
    const name = decodeString(item.value.name);
    const nameLocation = appendLazily(item.location, 'name');
    if (name === undefined) return [];
    const isTaken = taken.has(name);
    taken.add(name);
    const dotted = normalizeSysctlName(name);
    const isShared = (pod.hostNetwork === true && dotted.startsWith('net.')) || (pod.hostIPC === true && IPC_SYSCTL.test(dotted));
    const found = validateRequiredFormat(name, 'sysctl', nameLocation);
    return joinLists(
      found,
      found.length === 0 && isTaken ? [reportDuplicate(name, nameLocation)] : [],
      isShared ? [reportInvalid('hostNamespaceSysctl', name, nameLocation)] : [],
    );
  });
}

/** Normalizes a sysctl name to dots. The first separator determines the notation: `net/ipv4/ip_forward` is `net.ipv4.ip_forward`. */
function normalizeSysctlName(name: string): string {
  return /^[^.]*\//.test(name) ? name.replaceAll(/[./]/g, (separator) => (separator === '/' ? '.' : '/')) : name;
}

const FS_GROUP_POLICIES = ['Always', 'OnRootMismatch'];
const GROUPS_POLICIES = ['Merge', 'Strict'];

export function validatePodSecurity(pod: Fields, { seLinuxPolicies }: PodBehaviour, location: LazyFieldPath): readonly Finding[] {
  const shared =
    pod.shareProcessNamespace === true && pod.hostPID === true
      ? [reportInvalid('sharedWithHost', true, appendLazily(location, 'shareProcessNamespace'))]
      : [];
  const context = asMap(pod.securityContext);
  if (!context) return shared;
  const contextLocation = appendLazily(location, 'securityContext');
  const groups = Array.isArray(context.supplementalGroups) ? (context.supplementalGroups as readonly unknown[]) : [];
  return joinLists(
    validateIds(context, ['fsGroup', 'runAsUser', 'runAsGroup'], contextLocation),
    collectFromEach(groups, (group, index) =>
      validateRange(group, 0, MAX_INT32, appendLazily(appendLazily(contextLocation, 'supplementalGroups'), index)),
    ),
    shared,
    validateSysctls(context, pod, contextLocation),
    validatePointerEnum(context.fsGroupChangePolicy, FS_GROUP_POLICIES, appendLazily(contextLocation, 'fsGroupChangePolicy')),
    validatePointerEnum(context.supplementalGroupsPolicy, GROUPS_POLICIES, appendLazily(contextLocation, 'supplementalGroupsPolicy')),
    validatePointerEnum(context.seLinuxChangePolicy, seLinuxPolicies, appendLazily(contextLocation, 'seLinuxChangePolicy')),
    validateSeccompProfile(context.seccompProfile, appendLazily(contextLocation, 'seccompProfile')),
    validateWindowsOptions(context.windowsOptions, appendLazily(contextLocation, 'windowsOptions')),
    validateAppArmorProfile(context.appArmorProfile, appendLazily(contextLocation, 'appArmorProfile')),
  );
}

const NOT_ON_WINDOWS = ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'];
const CONTEXT_NOT_ON_WINDOWS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
];
const CONTAINER_NOT_ON_WINDOWS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

/** Reports whether a field is set. False for a field that is not a pointer, and an empty list, count as missing. */
function isFieldSet(value: unknown, name: string): boolean {
  if (name === 'hostPID' || name === 'hostIPC') return value === true;
  return name === 'sysctls' ? isNonEmpty(value) : isNonNil(value);
}

function reportSetFields(
  messageId: 'notOnWindows' | 'notOnLinux',
  fields: Fields,
  names: readonly string[],
  location: LazyFieldPath,
): readonly Finding[] {
  return names
    .filter((name) => isFieldSet(fields[name], name))
    .map((name) => reportInvalid(messageId, fields[name], appendLazily(location, name)));
}

/** A container of any sort and its location. */
export interface LocatedContainer {
  readonly value: Fields;
  readonly location: LazyFieldPath;
}

const OPERATING_SYSTEMS = ['linux', 'windows'];

/** Reports fields that the operating system of the pod does not support. */
export function validateOperatingSystem(pod: Fields, containers: readonly LocatedContainer[], location: LazyFieldPath): readonly Finding[] {
  const os = asMap(pod.os);
  if (!os) return [];
  const name = decodeString(os.name);
  const found = validateEnum(name, OPERATING_SYSTEMS, appendLazily(appendLazily(location, 'os'), 'name'), true);
  if (found.length > 0) return found;
  const context = asMap(pod.securityContext) ?? {};
  const contextLocation = appendLazily(location, 'securityContext');
  const contexts = containers.flatMap((container) => {
    const value = asMap(container.value.securityContext);
    return value ? [{ value, location: appendLazily(container.location, 'securityContext') }] : [];
  });
  if (name === 'linux') {
    return joinLists(
      reportSetFields('notOnLinux', context, ['windowsOptions'], contextLocation),
      collectFromEach(contexts, (item) => reportSetFields('notOnLinux', item.value, ['windowsOptions'], item.location)),
    );
  }
  return joinLists(
    reportSetFields('notOnWindows', pod, NOT_ON_WINDOWS, location),
    reportSetFields('notOnWindows', context, CONTEXT_NOT_ON_WINDOWS, contextLocation),
    collectFromEach(contexts, (item) => reportSetFields('notOnWindows', item.value, CONTAINER_NOT_ON_WINDOWS, item.location)),
  );
}

function hostProcessOf(context: unknown): unknown {
  return asMap(asMap(context)?.windowsOptions)?.hostProcess;
}

/** Validates that either all containers are processes of the Windows node, on its network, or none is. */
export function validateHostProcess(pod: Fields, containers: readonly LocatedContainer[], location: LazyFieldPath): readonly Finding[] {
  const podHostProcess = hostProcessOf(pod.securityContext);
  const containerHostProcess = containers.map(({ value }) => hostProcessOf(value.securityContext));
  if (podHostProcess === undefined && containerHostProcess.every((value) => value === undefined)) return [];
  const differing = collectFromEach(containerHostProcess, (value, index) =>
    typeof podHostProcess === 'boolean' && typeof value === 'boolean' && value !== podHostProcess
      ? [
          reportInvalid(
            'hostProcess',
            value,
            appendLazily(appendLazily(appendLazily(containers[index]!.location, 'securityContext'), 'windowsOptions'), 'hostProcess'),
          ),
        ]
      : [],
  );
  const count = containerHostProcess.filter((value) => (value ?? podHostProcess) === true).length;
  if (count === 0) return differing;
  return joinLists(
    differing,
    count === containers.length ? [] : [reportInvalid('hostProcess', true, location)],
    pod.hostNetwork === true ? [] : [reportInvalid('hostProcess', pod.hostNetwork ?? false, appendLazily(location, 'hostNetwork'))],
  );
}
