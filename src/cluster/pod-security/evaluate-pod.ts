import type { Fields } from '../../core/manifest/manifest';
import { compareVersions, getValueAtVersion } from '../../core/values/versions';
import { allowUserNamespace, allowWindows, readCheckedPod } from './checks/checked-pod';
import { checkAllowPrivilegeEscalation, checkPrivileged, checkProcMount, checkWindowsHostProcess } from './checks/privileges';
import { checkAppArmorProfile } from './checks/app-armor';
import { checkDefaultCapabilities, checkRestrictedCapabilities } from './checks/capabilities';
import { checkHostNamespaces, checkHostPorts, checkProbeHosts } from './checks/host';
import { checkHostPathVolumes, checkVolumeTypes } from './checks/volumes';
import { checkRequiredSeccompProfile, checkSeccompAnnotations, checkSeccompProfile } from './checks/seccomp';
import { checkRunAsNonRoot, checkRunAsUser } from './checks/users';
import { createSeLinuxCheck } from './checks/se-linux';
import { createSysctlCheck } from './checks/sysctls';
import type { PodCheck, PodSecurityViolation } from './checks/checked-pod';

/*
 * The checks of Pod Security admission, with its words. Source: k8s.io/pod-security-admission v0.36.3, policy/check_*.go.
 */

/** A level that a namespace enforces. */
export type PodSecurityLevel = 'privileged' | 'baseline' | 'restricted';

/** A check by the version of the policy, from the first that has it. */
interface VersionedCheck {
  readonly versions: readonly (readonly [since: string, check: PodCheck | undefined])[];
  /** Baseline check that a restricted one replaces, once it exists. */
  readonly replaces?: string;
}

const SE_LINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SYSCTLS_1_27 = [...SYSCTLS, 'net.ipv4.ip_local_reserved_ports'];
const SYSCTLS_1_29 = [
  ...SYSCTLS_1_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const SYSCTLS_1_32 = [...SYSCTLS_1_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

/** Baseline checks by their names, in the order in which the admission lists them. */
const BASELINE: Readonly<Record<string, VersionedCheck>> = {
  appArmorProfile: { versions: [['0', checkAppArmorProfile]] },
  capabilities_baseline: { versions: [['0', checkDefaultCapabilities]] },
  hostNamespaces: { versions: [['0', checkHostNamespaces]] },
  hostPathVolumes: { versions: [['0', checkHostPathVolumes]] },
  hostPorts: { versions: [['0', checkHostPorts]] },
  hostProbesAndHostLifecycle: {
    versions: [
      ['0', undefined],
      ['1.34', checkProbeHosts],
    ],
  },
  privileged: { versions: [['0', checkPrivileged]] },
  procMount: {
    versions: [
      ['0', checkProcMount],
      ['1.35', allowUserNamespace(checkProcMount)],
    ],
  },
  seLinuxOptions: {
    versions: [
      ['0', createSeLinuxCheck(SE_LINUX_TYPES)],
      ['1.31', createSeLinuxCheck([...SE_LINUX_TYPES, 'container_engine_t'])],
    ],
  },
  seccompProfile_baseline: {
    versions: [
      ['0', checkSeccompAnnotations],
      ['1.19', checkSeccompProfile],
    ],
  },
  sysctls: {
    versions: [
      ['0', createSysctlCheck(SYSCTLS)],
      ['1.27', createSysctlCheck(SYSCTLS_1_27)],
      ['1.29', createSysctlCheck(SYSCTLS_1_29)],
      ['1.32', createSysctlCheck(SYSCTLS_1_32)],
    ],
  },
  windowsHostProcess: { versions: [['0', checkWindowsHostProcess]] },
};

/** Checks that only the restricted level has, in the order in which the admission lists them, after those of the baseline level. */
const RESTRICTED: readonly VersionedCheck[] = [
  {
    versions: [
      ['0', undefined],
      ['1.8', checkAllowPrivilegeEscalation],
      ['1.25', allowWindows(checkAllowPrivilegeEscalation)],
    ],
  },
  {
    versions: [
      ['0', undefined],
      ['1.22', checkRestrictedCapabilities],
      ['1.25', allowWindows(checkRestrictedCapabilities)],
    ],
    replaces: 'capabilities_baseline',
  },
  {
    versions: [
      ['0', undefined],
      ['1.35', checkProcMount],
    ],
    replaces: 'procMount',
  },
  { versions: [['0', checkVolumeTypes]], replaces: 'hostPathVolumes' },
  {
    versions: [
      ['0', checkRunAsNonRoot],
      ['1.35', allowUserNamespace(checkRunAsNonRoot)],
    ],
  },
  {
    versions: [
      ['0', undefined],
      ['1.23', checkRunAsUser],
      ['1.35', allowUserNamespace(checkRunAsUser)],
    ],
  },
  {
    versions: [
      ['0', undefined],
      ['1.19', checkRequiredSeccompProfile],
      ['1.25', allowWindows(checkRequiredSeccompProfile)],
    ],
    replaces: 'seccompProfile_baseline',
  },
];

/** Lists the checks of a level at a version of the policy. */
function listChecks(level: PodSecurityLevel, version: string): readonly PodCheck[] {
  if (level === 'privileged') return [];
  const restricted = level === 'restricted' ? RESTRICTED.map((one) => ({ ...one, check: getValueAtVersion(one.versions, version) })) : [];
  const replaced = new Set(restricted.flatMap(({ check, replaces }) => (check && replaces !== undefined ? [replaces] : [])));
  const baseline = Object.entries(BASELINE)
    .filter(([name]) => !replaced.has(name))
    .map(([, { versions }]) => getValueAtVersion(versions, version));
  return [...baseline, ...restricted.map(({ check }) => check)].filter((check) => check !== undefined);
}

/** Returns what a level forbids in the pods of a template, in the order of the admission's message. */
export function evaluatePodSecurity(template: Fields, level: PodSecurityLevel, version: string): readonly PodSecurityViolation[] {
  const pod = readCheckedPod(template);
  return listChecks(level, version).flatMap((check) => check(pod) ?? []);
}

/** What a namespace enforces. */
export interface EnforcedLevel {
  readonly level: PodSecurityLevel;
  /** The version as the namespace names it: `latest` or `v1.30`. */
  readonly version: string;
}

const ENFORCE_LABEL = 'pod-security.kubernetes.io/enforce';
const LEVELS: readonly PodSecurityLevel[] = ['privileged', 'baseline', 'restricted'];

/**
 * Returns what the labels of a namespace enforce; undefined without the label. An unknown level counts as restricted, and an invalid version
 * as the latest. Source: k8s.io/pod-security-admission v0.36.3, api/helpers.go, `PolicyToEvaluate`.
 */
export function readEnforcedLevel(labels: Fields): EnforcedLevel | undefined {
  const label = Object.hasOwn(labels, ENFORCE_LABEL) ? labels[ENFORCE_LABEL] : undefined;
  if (typeof label !== 'string') return undefined;
  const version = labels[`${ENFORCE_LABEL}-version`];
  const isVersion = typeof version === 'string' && /^v1\.(?:[0-9]|[1-9][0-9]*)$/.test(version);
  return { level: LEVELS.find((level) => level === label) ?? 'restricted', version: isVersion ? version : 'latest' };
}

/** Resolves the version of a policy: that of the API server for `latest` and for a later version. */
export function resolvePolicyVersion({ version }: EnforcedLevel, kubernetesVersion: string): string {
  const own = version === 'latest' ? kubernetesVersion : version.slice(1);
  return compareVersions(own, kubernetesVersion) > 0 ? kubernetesVersion : own;
}

/** Formats violations as the admission does: `violates PodSecurity "baseline:latest": privileged (container "web" …)`. */
export function formatPodSecurityMessage({ level, version }: EnforcedLevel, violations: readonly PodSecurityViolation[]): string {
  const details = violations.map(({ reason, detail }) => `${reason} (${detail})`);
  return `violates PodSecurity "${level}:${version}": ${details.join(', ')}`;
}
