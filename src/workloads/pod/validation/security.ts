import type { Finding } from '../../../core/finding';
import { MAX_INT32 } from '../../../core/int-or-percent';
import type { Fields } from '../../../core/manifest';
import { inside } from '../../../core/place';
import type { Place } from '../../../core/place';
import { ofEach, together } from '../../../core/together';
import {
  choiceFindings,
  duplicate,
  formatFindings,
  isFilled,
  isGiven,
  itemsOf,
  lengthFindings,
  mapOf,
  missing,
  nameFindings,
  pointedChoiceFindings,
  rangeFindings,
  refused,
  textOf,
} from './refusal';
import type { PodBehaviour } from './versions';
import { relativePathFindings } from './volume-files';

/* What the server refuses in security contexts. Source: k/k pkg/apis/core/validation/validation.go, `ValidateSecurityContext` and `validatePodSpecSecurityContext`. */

const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

/** A profile: the type Localhost has the name of one, and `nameless` ones have none. */
function profileFindings(
  value: unknown,
  nameless: (type: unknown) => boolean,
  nameChecks: (name: string, place: Place) => readonly Finding[],
  place: Place,
): readonly Finding[] {
  const profile = mapOf(value);
  if (!profile) return [];
  const { type, localhostProfile } = profile;
  const namePlace = inside(place, 'localhostProfile');
  const types = choiceFindings(type, PROFILE_TYPES, inside(place, 'type'), true);
  if (type === 'Localhost') {
    if (!isGiven(localhostProfile)) return [...types, missing(namePlace)];
    return typeof localhostProfile === 'string' ? nameChecks(localhostProfile, namePlace) : [];
  }
  return together(types, isGiven(localhostProfile) && nameless(type) ? [refused('localhostProfile', localhostProfile, namePlace)] : []);
}

function seccompFindings(value: unknown, place: Place): readonly Finding[] {
  return profileFindings(value, () => true, relativePathFindings, place);
}

const MAX_PROFILE_LENGTH = 4095;

function appArmorFindings(value: unknown, place: Place): readonly Finding[] {
  return profileFindings(
    value,
    (type) => type === 'RuntimeDefault' || type === 'Unconfined',
    (name, namePlace) =>
      together(
        name.trim() === name ? [] : [refused('padded', name, namePlace)],
        name === '' ? [missing(namePlace)] : [],
        lengthFindings(name.length, MAX_PROFILE_LENGTH, 'character', namePlace),
      ),
    place,
  );
}

const MAX_CREDENTIAL_SPEC = 64 * 1024;

function windowsFindings(value: unknown, place: Place): readonly Finding[] {
  const options = mapOf(value);
  if (!options) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  return together(
    typeof name === 'string' ? formatFindings(name, 'dns-subdomain', inside(place, 'gmsaCredentialSpecName')) : [],
    spec === '' ? [missing(inside(place, 'gmsaCredentialSpec'))] : [],
    typeof spec === 'string' ? lengthFindings(spec.length, MAX_CREDENTIAL_SPEC, 'character', inside(place, 'gmsaCredentialSpec')) : [],
    typeof user === 'string' ? formatFindings(user, 'windows-user', inside(place, 'runAsUserName')) : [],
  );
}

function idFindings(context: Fields, names: readonly string[], place: Place): readonly Finding[] {
  return ofEach(names, (name) => rangeFindings(context[name], 0, MAX_INT32, inside(place, name)));
}

/** The sides that a container's privileges take. */
function escalationFindings(context: Fields, place: Place): readonly Finding[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const added = mapOf(context.capabilities)?.add;
  const isPowerful = context.privileged === true || (Array.isArray(added) && added.includes('CAP_SYS_ADMIN'));
  return isPowerful ? [refused('escalation', false, inside(place, 'allowPrivilegeEscalation'))] : [];
}

const PROC_MOUNTS = ['Default', 'Unmasked'];

/** @param hostUsers does the pod share the users of its node? */
export function containerSecurityFindings(value: unknown, hostUsers: boolean, place: Place): readonly Finding[] {
  const context = mapOf(value);
  if (!context) return [];
  const procPlace = inside(place, 'procMount');
  return together(
    idFindings(context, ['runAsUser', 'runAsGroup'], place),
    pointedChoiceFindings(context.procMount, PROC_MOUNTS, procPlace),
    hostUsers && context.procMount === 'Unmasked' ? [refused('hostUsersNeeded', context.procMount, procPlace)] : [],
    seccompFindings(context.seccompProfile, inside(place, 'seccompProfile')),
    escalationFindings(context, place),
    windowsFindings(context.windowsOptions, inside(place, 'windowsOptions')),
    appArmorFindings(context.appArmorProfile, inside(place, 'appArmorProfile')),
  );
}

/** Parameters of the kernel's IPC, which `hostIPC` shares; those of the network begin with `net.`. Source: component-helpers sysctl. */
const IPC_SYSCTL = /^(?:kernel\.sem$|kernel\.shm(?:all|max|mni|_rmid_forced)?$|kernel\.msg(?:max|mnb|mni)?$|fs\.mqueue\.)/;

function sysctlFindings(context: Fields, pod: Fields, place: Place): readonly Finding[] {
  const taken = new Set<string>();
  return ofEach(itemsOf(context.sysctls, inside(place, 'sysctls')), (item) => {
    const name = textOf(item.value.name);
    const namePlace = inside(item.place, 'name');
    if (name === undefined) return [];
    const isTaken = taken.has(name);
    taken.add(name);
    const dotted = dottedName(name);
    const isShared = (pod.hostNetwork === true && dotted.startsWith('net.')) || (pod.hostIPC === true && IPC_SYSCTL.test(dotted));
    const found = nameFindings(name, 'sysctl', namePlace);
    return together(
      found,
      found.length === 0 && isTaken ? [duplicate(name, namePlace)] : [],
      isShared ? [refused('hostNamespaceSysctl', name, namePlace)] : [],
    );
  });
}

/** `net/ipv4/ip_forward` is `net.ipv4.ip_forward`: the first separator decides. */
function dottedName(name: string): string {
  return /^[^.]*\//.test(name) ? name.replaceAll(/[./]/g, (separator) => (separator === '/' ? '.' : '/')) : name;
}

const FS_GROUP_POLICIES = ['Always', 'OnRootMismatch'];
const GROUPS_POLICIES = ['Merge', 'Strict'];

export function podSecurityFindings(pod: Fields, { seLinuxPolicies }: PodBehaviour, place: Place): readonly Finding[] {
  const shared =
    pod.shareProcessNamespace === true && pod.hostPID === true
      ? [refused('sharedWithHost', true, inside(place, 'shareProcessNamespace'))]
      : [];
  const context = mapOf(pod.securityContext);
  if (!context) return shared;
  const contextPlace = inside(place, 'securityContext');
  const groups = Array.isArray(context.supplementalGroups) ? (context.supplementalGroups as readonly unknown[]) : [];
  return together(
    idFindings(context, ['fsGroup', 'runAsUser', 'runAsGroup'], contextPlace),
    ofEach(groups, (group, index) => rangeFindings(group, 0, MAX_INT32, inside(inside(contextPlace, 'supplementalGroups'), index))),
    shared,
    sysctlFindings(context, pod, contextPlace),
    pointedChoiceFindings(context.fsGroupChangePolicy, FS_GROUP_POLICIES, inside(contextPlace, 'fsGroupChangePolicy')),
    pointedChoiceFindings(context.supplementalGroupsPolicy, GROUPS_POLICIES, inside(contextPlace, 'supplementalGroupsPolicy')),
    pointedChoiceFindings(context.seLinuxChangePolicy, seLinuxPolicies, inside(contextPlace, 'seLinuxChangePolicy')),
    seccompFindings(context.seccompProfile, inside(contextPlace, 'seccompProfile')),
    windowsFindings(context.windowsOptions, inside(contextPlace, 'windowsOptions')),
    appArmorFindings(context.appArmorProfile, inside(contextPlace, 'appArmorProfile')),
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

/** False of what is no pointer, and an empty list, are as good as left out. */
function isSet(value: unknown, name: string): boolean {
  if (name === 'hostPID' || name === 'hostIPC') return value === true;
  return name === 'sysctls' ? isFilled(value) : isGiven(value);
}

function setFindings(messageId: 'notOnWindows' | 'notOnLinux', fields: Fields, names: readonly string[], place: Place): readonly Finding[] {
  return names.filter((name) => isSet(fields[name], name)).map((name) => refused(messageId, fields[name], inside(place, name)));
}

/** A container of any sort, and where it stands. */
export interface PlacedContainer {
  readonly value: Fields;
  readonly place: Place;
}

const OPERATING_SYSTEMS = ['linux', 'windows'];

/** What does not go with the operating system of the pod. */
export function systemFindings(pod: Fields, containers: readonly PlacedContainer[], place: Place): readonly Finding[] {
  const os = mapOf(pod.os);
  if (!os) return [];
  const name = textOf(os.name);
  const found = choiceFindings(name, OPERATING_SYSTEMS, inside(inside(place, 'os'), 'name'), true);
  if (found.length > 0) return found;
  const context = mapOf(pod.securityContext) ?? {};
  const contextPlace = inside(place, 'securityContext');
  const contexts = containers.flatMap((container) => {
    const value = mapOf(container.value.securityContext);
    return value ? [{ value, place: inside(container.place, 'securityContext') }] : [];
  });
  if (name === 'linux') {
    return together(
      setFindings('notOnLinux', context, ['windowsOptions'], contextPlace),
      ofEach(contexts, (item) => setFindings('notOnLinux', item.value, ['windowsOptions'], item.place)),
    );
  }
  return together(
    setFindings('notOnWindows', pod, NOT_ON_WINDOWS, place),
    setFindings('notOnWindows', context, CONTEXT_NOT_ON_WINDOWS, contextPlace),
    ofEach(contexts, (item) => setFindings('notOnWindows', item.value, CONTAINER_NOT_ON_WINDOWS, item.place)),
  );
}

function hostProcessOf(context: unknown): unknown {
  return mapOf(mapOf(context)?.windowsOptions)?.hostProcess;
}

/** Either every container is a process of its Windows node, on its network, or none is. */
export function hostProcessFindings(pod: Fields, containers: readonly PlacedContainer[], place: Place): readonly Finding[] {
  const ofPod = hostProcessOf(pod.securityContext);
  const own = containers.map(({ value }) => hostProcessOf(value.securityContext));
  if (ofPod === undefined && own.every((value) => value === undefined)) return [];
  const differing = ofEach(own, (value, index) =>
    typeof ofPod === 'boolean' && typeof value === 'boolean' && value !== ofPod
      ? [
          refused(
            'hostProcess',
            value,
            inside(inside(inside(containers[index]!.place, 'securityContext'), 'windowsOptions'), 'hostProcess'),
          ),
        ]
      : [],
  );
  const count = own.filter((value) => (value ?? ofPod) === true).length;
  if (count === 0) return differing;
  return together(
    differing,
    count === containers.length ? [] : [refused('hostProcess', true, place)],
    pod.hostNetwork === true ? [] : [refused('hostProcess', pod.hostNetwork ?? false, inside(place, 'hostNetwork'))],
  );
}
