import { getFieldsAt, getListAt, getValueAt, isFields } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';

/*
 * The checks of Pod Security admission, with its words. Source: k8s.io/pod-security-admission v0.36.3, policy/check_*.go.
 */

/** A pod as the admission checks it. */
export interface CheckedPod {
  readonly metadata: Fields;
  readonly spec: Fields;
  readonly containers: readonly CheckedContainer[];
}

interface CheckedContainer {
  readonly value: Fields;
  readonly name: string;
  readonly securityContext: Fields;
  /** Path in the pod spec: `['containers', 0]`. */
  readonly path: readonly (string | number)[];
}

/** What a check forbids. */
export interface PodSecurityViolation {
  /** `privileged` */
  readonly reason: string;
  /** `container "web" must not set securityContext.privileged=true` */
  readonly detail: string;
  /** Path of the first forbidden value in the pod spec. */
  readonly field: readonly (string | number)[];
}

export type PodCheck = (pod: CheckedPod) => PodSecurityViolation | undefined;

/** Lists of containers in the order in which the admission visits them. */
const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

/** Reads a pod template as a pod. Ports of a pod in the network of its host are host ports, which the API server fills in. */
export function readCheckedPod(template: Fields): CheckedPod {
  const spec = getFieldsAt(template, 'spec');
  const hasHostNetwork = spec.hostNetwork === true;
  const containers = CONTAINER_LISTS.flatMap((list) =>
    getListAt(spec, list).flatMap((value, index): CheckedContainer[] => {
      if (!isFields(value)) return [];
      const ports = getListAt(value, 'ports').map((port) =>
        hasHostNetwork && isFields(port) && !port.hostPort ? { ...port, hostPort: port.containerPort } : port,
      );
      return [
        {
          value: { ...value, ports },
          name: String(value.name),
          securityContext: getFieldsAt(value, 'securityContext'),
          path: [list, index],
        },
      ];
    }),
  );
  return { metadata: getFieldsAt(template, 'metadata'), spec, containers };
}

function joinQuoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function chooseNumber(count: number, one: string, several: string): string {
  return count === 1 ? one : several;
}

function formatContainers(containers: readonly CheckedContainer[]): string {
  return `${chooseNumber(containers.length, 'container', 'containers')} ${joinQuoted(containers.map(({ name }) => name))}`;
}

function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns texts without repetitions, sorted as Go sorts strings. */
function sortUnique(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted(compareBytes);
}

/** Returns a value as text; empty for one that is no text. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a list of an arbitrary value as texts. */
function listTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function isWindows({ spec }: CheckedPod): boolean {
  return getValueAt(spec, 'os', 'name') === 'windows';
}

/** Reports whether the pod runs in a user namespace of its own. */
function hasUserNamespace({ spec }: CheckedPod): boolean {
  return spec.hostUsers === false;
}

/** Returns a check that a pod passes if a condition is true. */
export function allowIf(isAllowed: (pod: CheckedPod) => boolean, check: PodCheck): PodCheck {
  return (pod) => (isAllowed(pod) ? undefined : check(pod));
}

/** Returns a check that pods of Windows pass. */
export function allowWindows(check: PodCheck): PodCheck {
  return allowIf(isWindows, check);
}

/** Returns a check that pods with a user namespace pass. */
export function allowUserNamespace(check: PodCheck): PodCheck {
  return allowIf(hasUserNamespace, check);
}

/** The setters of a bad value: the pod, containers, or both. */
interface BadSetters {
  readonly isPod: boolean;
  readonly containers: readonly CheckedContainer[];
}

/** Finds what sets a field of a security context to a bad value. */
function findBadSetters(pod: CheckedPod, isBad: (securityContext: Fields) => boolean): BadSetters {
  return {
    isPod: isBad(getFieldsAt(pod.spec, 'securityContext')),
    containers: pod.containers.filter(({ securityContext }) => isBad(securityContext)),
  };
}

function listSetters({ isPod, containers }: BadSetters): string[] {
  return [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [formatContainers(containers)] : [])];
}

function fieldOf({ isPod, containers }: BadSetters, ...names: readonly string[]): (string | number)[] {
  return [...(isPod ? [] : (containers[0]?.path ?? [])), 'securityContext', ...names];
}

function fieldOfContainer([first]: readonly CheckedContainer[], ...names: readonly string[]): (string | number)[] {
  return [...first!.path, ...names];
}

export const checkAllowPrivilegeEscalation: PodCheck = ({ containers }) => {
  const bad = containers.filter(({ securityContext }) => securityContext.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${formatContainers(bad)} must set securityContext.allowPrivilegeEscalation=false`,
    field: fieldOfContainer(bad, 'securityContext', 'allowPrivilegeEscalation'),
  };
};

const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

export const checkAppArmorProfile: PodCheck = (pod) => {
  const typeOf = (securityContext: Fields) => getValueAt(securityContext, 'appArmorProfile', 'type');
  const isBad = (securityContext: Fields) =>
    isFields(securityContext.appArmorProfile) && !['RuntimeDefault', 'Localhost'].includes(String(typeOf(securityContext)));
  const setters = findBadSetters(pod, isBad);
  const types = [
    ...(setters.isPod ? [getFieldsAt(pod.spec, 'securityContext')] : []),
    ...setters.containers.map(({ securityContext }) => securityContext),
  ].map((securityContext) => toText(typeOf(securityContext)));
  const annotations = Object.entries(getFieldsAt(pod.metadata, 'annotations'))
    .filter(([name, value]) => {
      const profile = String(value);
      const isAllowed = profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');
      return name.startsWith(APP_ARMOR_ANNOTATION) && !isAllowed;
    })
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const values = [...sortUnique(types), ...annotations.toSorted(compareBytes)];
  const all = [...listSetters(setters), ...(annotations.length > 0 ? [chooseNumber(annotations.length, 'annotation', 'annotations')] : [])];
  if (all.length === 0) return undefined;
  return {
    reason: chooseNumber(values.length, 'forbidden AppArmor profile', 'forbidden AppArmor profiles'),
    detail: `${all.join(' and ')} must not set AppArmor profile type to ${joinQuoted(values)}`,
    field: fieldOf(setters, 'appArmorProfile'),
  };
};

const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

function listCapabilities({ securityContext }: CheckedContainer, list: 'add' | 'drop'): string[] {
  return listTexts(getValueAt(securityContext, 'capabilities', list));
}

/** Formats the containers that add capabilities outside a set. */
function formatAddedCapabilities(bad: readonly CheckedContainer[], isAllowed: (capability: string) => boolean): string {
  const added = bad.flatMap((container) => listCapabilities(container, 'add').filter((one) => !isAllowed(one)));
  return `${formatContainers(bad)} must not include ${joinQuoted(sortUnique(added))} in securityContext.capabilities.add`;
}

export const checkDefaultCapabilities: PodCheck = ({ containers }) => {
  const isAllowed = (capability: string) => DEFAULT_CAPABILITIES.has(capability);
  const bad = containers.filter((container) => !listCapabilities(container, 'add').every(isAllowed));
  if (bad.length === 0) return undefined;
  return {
    reason: 'non-default capabilities',
    detail: formatAddedCapabilities(bad, isAllowed),
    field: fieldOfContainer(bad, 'securityContext', 'capabilities', 'add'),
  };
};

export const checkRestrictedCapabilities: PodCheck = ({ containers }) => {
  const isAllowed = (capability: string) => capability === 'NET_BIND_SERVICE';
  const keeping = containers.filter((container) => !listCapabilities(container, 'drop').includes('ALL'));
  const adding = containers.filter((container) => !listCapabilities(container, 'add').every(isAllowed));
  if (keeping.length === 0 && adding.length === 0) return undefined;
  return {
    reason: 'unrestricted capabilities',
    detail: [
      ...(keeping.length > 0 ? [`${formatContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
      ...(adding.length > 0 ? [formatAddedCapabilities(adding, isAllowed)] : []),
    ].join('; '),
    field: fieldOfContainer([...keeping, ...adding], 'securityContext', 'capabilities'),
  };
};

const HOST_NAMESPACES = ['hostNetwork', 'hostPID', 'hostIPC'];

export const checkHostNamespaces: PodCheck = ({ spec }) => {
  const shared = HOST_NAMESPACES.filter((name) => spec[name] === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', '), field: [shared[0]!] };
};

/** Formats volumes: `volume "data"`. */
function formatVolumes(volumes: readonly Fields[]): string {
  return `${chooseNumber(volumes.length, 'volume', 'volumes')} ${joinQuoted(volumes.map(({ name }) => String(name)))}`;
}

export const checkHostPathVolumes: PodCheck = ({ spec }) => {
  const volumes = getListAt(spec, 'volumes').filter(isFields);
  const bad = volumes.filter(({ hostPath }) => isFields(hostPath));
  if (bad.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: formatVolumes(bad), field: ['volumes', volumes.indexOf(bad[0]!), 'hostPath'] };
};

export const checkHostPorts: PodCheck = ({ containers }) => {
  const listPorts = ({ value }: CheckedContainer) =>
    getListAt(value, 'ports').flatMap((port) => {
      const hostPort = getValueAt(port, 'hostPort');
      return typeof hostPort === 'number' && hostPort !== 0 ? [String(hostPort)] : [];
    });
  const bad = containers.filter((container) => listPorts(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sortUnique(bad.flatMap(listPorts));
  return {
    reason: 'hostPort',
    detail: `${formatContainers(bad)} ${chooseNumber(bad.length, 'uses', 'use')} ${chooseNumber(ports.length, 'hostPort', 'hostPorts')} ${ports.join(', ')}`,
    field: fieldOfContainer(bad, 'ports'),
  };
};

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const LIFECYCLE_HANDLERS = ['postStart', 'preStop'];

function listHosts({ value }: CheckedContainer): string[] {
  const handlers = [...PROBES.map((name) => value[name]), ...LIFECYCLE_HANDLERS.map((name) => getValueAt(value, 'lifecycle', name))];
  return handlers.flatMap((handler) =>
    ['httpGet', 'tcpSocket'].flatMap((kind) => {
      const host = getValueAt(handler, kind, 'host');
      return typeof host === 'string' && host !== '' ? [host] : [];
    }),
  );
}

export const checkProbeHosts: PodCheck = ({ containers }) => {
  const bad = containers.filter((container) => listHosts(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = sortUnique(bad.map(({ name }) => name));
  const hosts = sortUnique(bad.flatMap(listHosts));
  const subject = `${chooseNumber(names.length, 'container', 'containers')} ${joinQuoted(names)}`;
  return {
    reason: 'probe or lifecycle host',
    detail: `${subject} ${chooseNumber(names.length, 'uses', 'use')} ${chooseNumber(hosts.length, 'probe or lifecycle host', 'probe or lifecycle hosts')} ${joinQuoted(hosts)}`,
    field: fieldOfContainer(bad),
  };
};

export const checkPrivileged: PodCheck = ({ containers }) => {
  const bad = containers.filter(({ securityContext }) => securityContext.privileged === true);
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${formatContainers(bad)} must not set securityContext.privileged=true`,
    field: fieldOfContainer(bad, 'securityContext', 'privileged'),
  };
};

export const checkProcMount: PodCheck = ({ containers }) => {
  const typeOf = ({ securityContext }: CheckedContainer) => securityContext.procMount ?? 'Default';
  const bad = containers.filter((container) => typeOf(container) !== 'Default');
  if (bad.length === 0) return undefined;
  return {
    reason: 'procMount',
    detail: `${formatContainers(bad)} must not set securityContext.procMount to ${joinQuoted(sortUnique(bad.map((one) => toText(typeOf(one)))))}`,
    field: fieldOfContainer(bad, 'securityContext', 'procMount'),
  };
};

const ALLOWED_VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

const RESTRICTED_VOLUMES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

/** Returns the restricted type of a volume. A volume without a type is an emptyDir. */
function findRestrictedType(volume: Fields): string | undefined {
  if (ALLOWED_VOLUMES.some((type) => isFields(volume[type]))) return undefined;
  return RESTRICTED_VOLUMES.find((type) => isFields(volume[type]));
}

export const checkVolumeTypes: PodCheck = ({ spec }) => {
  const volumes = getListAt(spec, 'volumes').filter(isFields);
  const bad = volumes.filter((volume) => findRestrictedType(volume) !== undefined);
  if (bad.length === 0) return undefined;
  const types = sortUnique(bad.map((volume) => findRestrictedType(volume)!));
  return {
    reason: 'restricted volume types',
    detail: `${formatVolumes(bad)} ${chooseNumber(bad.length, 'uses', 'use')} ${chooseNumber(types.length, 'restricted volume type', 'restricted volume types')} ${joinQuoted(types)}`,
    field: ['volumes', volumes.indexOf(bad[0]!)],
  };
};

export const checkRunAsNonRoot: PodCheck = (pod) => {
  const setters = findBadSetters(pod, ({ runAsNonRoot }) => runAsNonRoot === false);
  const all = listSetters(setters);
  if (all.length > 0) {
    return {
      reason: 'runAsNonRoot != true',
      detail: `${all.join(' and ')} must not set securityContext.runAsNonRoot=false`,
      field: fieldOf(setters, 'runAsNonRoot'),
    };
  }
  if (getValueAt(pod.spec, 'securityContext', 'runAsNonRoot') === true) return undefined;
  const unset = pod.containers.filter(({ securityContext }) => securityContext.runAsNonRoot !== true);
  if (unset.length === 0) return undefined;
  return {
    reason: 'runAsNonRoot != true',
    detail: `pod or ${formatContainers(unset)} must set securityContext.runAsNonRoot=true`,
    field: fieldOfContainer(unset, 'securityContext', 'runAsNonRoot'),
  };
};

export const checkRunAsUser: PodCheck = (pod) => {
  const setters = findBadSetters(pod, ({ runAsUser }) => runAsUser === 0);
  const all = listSetters(setters);
  if (all.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${all.join(' and ')} must not set runAsUser=0`, field: fieldOf(setters, 'runAsUser') };
};

/** Returns a check that allows the SELinux types of a version. */
export function createSeLinuxCheck(allowedTypes: readonly string[]): PodCheck {
  return (pod) => {
    const optionsOf = (securityContext: Fields) => getFieldsAt(securityContext, 'seLinuxOptions');
    const isBadType = ({ type = '' }: Fields) => !allowedTypes.includes(String(type));
    const isSet = (value: unknown) => typeof value === 'string' && value !== '';
    const isBad = (securityContext: Fields) => {
      const options = optionsOf(securityContext);
      return isBadType(options) || isSet(options.user) || isSet(options.role);
    };
    const setters = findBadSetters(pod, isBad);
    const all = listSetters(setters);
    if (all.length === 0) return undefined;
    const options = [
      ...(setters.isPod ? [getFieldsAt(pod.spec, 'securityContext')] : []),
      ...setters.containers.map(({ securityContext }) => securityContext),
    ].map(optionsOf);
    const types = sortUnique(options.filter(isBadType).map(({ type }) => String(type)));
    const data = [
      ...(types.length > 0 ? [`${chooseNumber(types.length, 'type', 'types')} ${joinQuoted(types)}`] : []),
      ...(options.some(({ user }) => isSet(user)) ? ['user may not be set'] : []),
      ...(options.some(({ role }) => isSet(role)) ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${all.join(' and ')} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
      field: fieldOf(setters, 'seLinuxOptions'),
    };
  };
}

const SECCOMP_POD_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER_ANNOTATION = 'container.seccomp.security.alpha.kubernetes.io/';

/** The check before 1.19, when seccomp profiles were annotations. */
export const checkSeccompAnnotations: PodCheck = ({ metadata, containers }) => {
  const annotations = getFieldsAt(metadata, 'annotations');
  const names = [SECCOMP_POD_ANNOTATION, ...containers.map(({ name }) => `${SECCOMP_CONTAINER_ANNOTATION}${name}`)];
  const bad = names.filter((name) => {
    const value = Object.hasOwn(annotations, name) ? annotations[name] : undefined;
    if (typeof value !== 'string') return false;
    return value !== 'runtime/default' && value !== 'docker/default' && !value.startsWith('localhost/');
  });
  if (bad.length === 0) return undefined;
  const forbidden = sortUnique(bad.map((name) => `${name}=${JSON.stringify(annotations[name])}`));
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${chooseNumber(forbidden.length, 'annotation', 'annotations')} ${forbidden.join(', ')}`,
    field: [],
  };
};

function seccompTypeOf(securityContext: Fields): string | undefined {
  if (!isFields(securityContext.seccompProfile)) return undefined;
  return toText(securityContext.seccompProfile.type);
}

function isForbiddenSeccomp(securityContext: Fields): boolean {
  const type = seccompTypeOf(securityContext);
  return type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost';
}

export const checkSeccompProfile: PodCheck = (pod) => {
  const setters = findBadSetters(pod, isForbiddenSeccomp);
  const all = listSetters(setters);
  if (all.length === 0) return undefined;
  const types = [
    ...(setters.isPod ? [getFieldsAt(pod.spec, 'securityContext')] : []),
    ...setters.containers.map(({ securityContext }) => securityContext),
  ].map((securityContext) => seccompTypeOf(securityContext)!);
  return {
    reason: 'seccompProfile',
    detail: `${all.join(' and ')} must not set securityContext.seccompProfile.type to ${joinQuoted(sortUnique(types))}`,
    field: fieldOf(setters, 'seccompProfile'),
  };
};

export const checkRequiredSeccompProfile: PodCheck = (pod) => {
  const forbidden = checkSeccompProfile(pod);
  if (forbidden || seccompTypeOf(getFieldsAt(pod.spec, 'securityContext')) !== undefined) return forbidden;
  const unset = pod.containers.filter(({ securityContext }) => seccompTypeOf(securityContext) === undefined);
  if (unset.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `pod or ${formatContainers(unset)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
    field: fieldOfContainer(unset, 'securityContext', 'seccompProfile'),
  };
};

/** Returns a check that allows the sysctls of a version. */
export function createSysctlCheck(allowed: readonly string[]): PodCheck {
  return ({ spec }) => {
    const names = getListAt(spec, 'securityContext', 'sysctls').map((sysctl) => String(getValueAt(sysctl, 'name')));
    const bad = names.filter((name) => !allowed.includes(name));
    if (bad.length === 0) return undefined;
    return { reason: 'forbidden sysctls', detail: bad.join(', '), field: ['securityContext', 'sysctls'] };
  };
}

export const checkWindowsHostProcess: PodCheck = (pod) => {
  const setters = findBadSetters(pod, (securityContext) => getValueAt(securityContext, 'windowsOptions', 'hostProcess') === true);
  const containers = listSetters(setters);
  if (containers.length === 0) return undefined;
  return {
    reason: 'hostProcess',
    detail: `${containers.join(' and ')} must not set securityContext.windowsOptions.hostProcess=true`,
    field: fieldOf(setters, 'windowsOptions', 'hostProcess'),
  };
};
