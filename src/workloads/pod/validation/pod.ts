import { getFieldName, appendMapKeyLazily, appendLazily, resolveLazyPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { NANOS_PER_UNIT, formatNanos } from '../../../core/values/quantity';
import { toDisplayValue } from '../../../core/text/display-value';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import { invalidWorkload } from '../../rules/invalid-workload';
import { validateContainers, validateInitContainers } from './container';
import type { ContainerContext } from './container';
import { validateLabels } from './labels';
import {
  reportMutuallyExclusive,
  validateEnum,
  validateFormat,
  isNonEmpty,
  isNonNil,
  listItems,
  validateMaxLength,
  asMap,
  reportMissing,
  validateOptionalFormat,
  validatePointerEnum,
  reportInvalid,
  validateField,
  decodeString,
  listStrings,
} from './field-errors';
import type { ListItem } from './field-errors';
import { validateAmounts, parseResourceAmount, validateResources } from './resources';
import {
  validateAffinity,
  validatePodResourceClaims,
  validateSchedulingGates,
  validateSpreadConstraints,
  validateTolerations,
} from './scheduling';
import { validateHostProcess, validatePodSecurity, validateOperatingSystem } from './security';
import { getPodBehaviour } from './versions';
import type { PodBehaviour } from './versions';
import { validatePodVolumes } from './volumes';
import type { VolumeSources } from './volumes';

/* Validation of the spec of a pod template. Source: k/k pkg/apis/core/validation/validation.go, `ValidatePodSpec`. */

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_LENGTH = 2048;

function validateDns({ dnsPolicy, dnsConfig }: Fields, { searchDomains }: PodBehaviour, location: LazyFieldPath): readonly Finding[] {
  const config = asMap(dnsConfig);
  if (dnsPolicy === 'None') {
    if (!isNonNil(dnsConfig)) return [reportMissing(location)];
    if (config && !isNonEmpty(config.nameservers)) return [reportMissing(appendLazily(location, 'nameservers'))];
  }
  if (!config) return [];
  const servers = listStrings(config.nameservers, appendLazily(location, 'nameservers'));
  const searches = listStrings(config.searches, appendLazily(location, 'searches'));
  const length = searches.map(({ value }) => value).join(' ').length;
  return joinLists(
    validateMaxLength(servers.length, MAX_NAMESERVERS, 'item', appendLazily(location, 'nameservers')),
    collectFromEach(servers, (item) => validateFormat(item.value, 'ip-address', item.location)),
    validateMaxLength(searches.length, MAX_SEARCHES, 'item', appendLazily(location, 'searches')),
    validateMaxLength(length, MAX_SEARCH_LENGTH, 'character', appendLazily(location, 'searches')),
    collectFromEach(searches, (item) =>
      item.value === '.' && searchDomains === 'search-domain'
        ? []
        : validateFormat(item.value.replace(/\.$/, ''), searchDomains, item.location),
    ),
    collectFromEach(listItems(config.options, appendLazily(location, 'options')), (item) =>
      decodeString(item.value.name) === '' ? [reportMissing(appendLazily(item.location, 'name'))] : [],
    ),
  );
}

/** Validates that with hostNetwork, a hostPort equals its containerPort. */
function validateHostNetwork(pod: Fields, containers: readonly ListItem[]): readonly Finding[] {
  if (pod.hostNetwork !== true) return [];
  return collectFromEach(containers, (container) =>
    collectFromEach(listItems(container.value.ports, appendLazily(container.location, 'ports')), ({ value, location }) => {
      const { hostPort, containerPort } = value;
      if (typeof hostPort !== 'number' || hostPort === 0 || hostPort === (containerPort ?? 0)) return [];
      return [reportInvalid('notContainerPort', hostPort, appendLazily(location, 'hostPort'))];
    }),
  );
}

/** Validates that a pod with its own users shares no other namespace or block device with its node. */
function validateHostUsers(pod: Fields, containers: readonly ListItem[], location: LazyFieldPath): readonly Finding[] {
  if (pod.hostUsers !== false) return [];
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => pod[name] === true);
  return [
    ...shared.map((name) => reportMutuallyExclusive(appendLazily(location, name), 'hostUsers', false)),
    ...containers
      .filter(({ value }) => isNonEmpty(value.volumeDevices))
      .map((container) => reportMutuallyExclusive(appendLazily(container.location, 'volumeDevices'), 'hostUsers', false)),
  ];
}

function validateHostname(pod: Fields, location: LazyFieldPath): readonly Finding[] {
  const override = pod.hostnameOverride;
  const overrideLocation = appendLazily(location, 'hostnameOverride');
  if (typeof override !== 'string') return [];
  const conflictingFields = ['setHostnameAsFQDN', 'hostNetwork'].filter((name) => pod[name] === true);
  return joinLists(
    conflictingFields.map((name) => reportMutuallyExclusive(overrideLocation, name, true)),
    validateFormat(override, 'dns-subdomain', overrideLocation),
    validateMaxLength(override.length, 64, 'character', overrideLocation),
  );
}

function validateReadinessGates(gates: unknown, location: LazyFieldPath): readonly Finding[] {
  return collectFromEach(listItems(gates, location), (item) =>
    validateFormat(decodeString(item.value.conditionType), 'qualified-name', appendLazily(item.location, 'conditionType')),
  );
}

function validateDnsLabel(name: unknown, location: LazyFieldPath): readonly Finding[] {
  return validateOptionalFormat(name, 'dns-label', location);
}

function validateHostAliases(aliases: unknown, location: LazyFieldPath): readonly Finding[] {
  return collectFromEach(listItems(aliases, location), (item) =>
    joinLists(
      validateFormat(decodeString(item.value.ip), 'ip-address', appendLazily(item.location, 'ip')),
      collectFromEach(listStrings(item.value.hostnames, appendLazily(item.location, 'hostnames')), (name) =>
        validateFormat(name.value, 'dns-subdomain', name.location),
      ),
    ),
  );
}

type ResourceAmounts = Map<string, bigint>;

function add(total: ResourceAmounts, list: unknown): ResourceAmounts {
  for (const [name, value] of Object.entries(asMap(list) ?? {}))
    total.set(name, (total.get(name) ?? 0n) + (parseResourceAmount(value) ?? 0n));
  return total;
}

function raiseTo(total: ResourceAmounts, other: ResourceAmounts): void {
  for (const [name, amount] of other) if (amount > (total.get(name) ?? 0n)) total.set(name, amount);
}

/**
 * Sums the resources that all containers of a pod use at once. This is the sum of regular containers and sidecars,
 * or the amount during start-up if it is higher: an init container plus the sidecars started before it.
 *
 * Containers with 1 and 2 cpu, after an init container with 5 cpu: 5 cpu.
 *
 * Source: component-helpers resource/helpers.go, `AggregateContainerRequests`.
 */
function sumPodResources(list: 'requests' | 'limits', containers: readonly ListItem[], init: readonly ListItem[]): ResourceAmounts {
  const total: ResourceAmounts = new Map();
  for (const { value } of containers) add(total, asMap(value.resources)?.[list]);
  const sidecars: ResourceAmounts = new Map();
  const atStart: ResourceAmounts = new Map();
  for (const { value } of init) {
    const own = asMap(value.resources)?.[list];
    if (value.restartPolicy === 'Always') {
      add(total, own);
      add(sidecars, own);
      raiseTo(atStart, sidecars);
    } else raiseTo(atStart, add(new Map(sidecars), own));
  }
  raiseTo(total, atStart);
  return total;
}

function formatAmount(amount: bigint): string {
  return formatNanos(amount, amount >= 1024n * NANOS_PER_UNIT ? 'bytes' : 'units');
}

function validateNotBelow(own: Fields, name: string, amount: bigint, location: LazyFieldPath): readonly Finding[] {
  const declaredAmount = Object.hasOwn(own, name) ? parseResourceAmount(own[name]) : undefined;
  if (declaredAmount === undefined || declaredAmount >= amount) return [];
  const path = resolveLazyPath(appendMapKeyLazily(location, name));
  return [
    invalidWorkload.createFinding('belowContainers', {
      path,
      data: { field: getFieldName(path), value: toDisplayValue(own[name]), resource: name, limit: formatAmount(amount) },
    }),
  ];
}

/** Validates the resources of the pod itself against those of its containers. */
function validatePodResources(
  pod: Fields,
  containers: readonly ListItem[],
  init: readonly ListItem[],
  claimNames: readonly string[],
  location: LazyFieldPath,
): readonly Finding[] {
  const resources = asMap(pod.resources);
  if (!resources) return [];
  if (asMap(pod.os)?.name === 'windows') return [reportInvalid('notOnWindows', pod.resources, location)];
  const limits = asMap(resources.limits) ?? {};
  const requests = asMap(resources.requests) ?? {};
  const limitsLocation = appendLazily(location, 'limits');
  const pages = [...sumPodResources('limits', containers, init)].filter(([name]) => name.startsWith('hugepages-'));
  return joinLists(
    isNonNil(resources.claims) ? [reportInvalid('podResourceName', resources.claims, appendLazily(location, 'claims'))] : [],
    validateResources(resources, claimNames, location, 'podResourceName'),
    collectFromEach([...sumPodResources('requests', containers, init)], ([name, amount]) =>
      validateNotBelow(requests, name, amount, appendLazily(location, 'requests')),
    ),
    collectFromEach(pages, ([name, amount]) => validateNotBelow(limits, name, amount, limitsLocation)),
    collectFromEach(containers, ({ value }) =>
      collectFromEach(Object.entries(asMap(asMap(value.resources)?.limits) ?? {}), ([name, own]) =>
        validateNotBelow(limits, name, parseResourceAmount(own) ?? 0n, limitsLocation),
      ),
    ),
  );
}

const DEFAULT_GRACE_SECONDS = 30;
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];

/** The fields of a pod that contain the name of another object. */
const NAME_FIELDS = ['serviceAccountName', 'nodeName', 'priorityClassName'];

function validateDnsSubdomain(name: unknown, location: LazyFieldPath): readonly Finding[] {
  return validateOptionalFormat(name, 'dns-subdomain', location);
}

function validateNameFields(pod: Fields, location: LazyFieldPath): readonly Finding[] {
  return joinLists(
    collectFromEach(NAME_FIELDS, (name) => validateField(pod, name, location, validateDnsSubdomain)),
    // The deprecated field counts if serviceAccountName is not set.
    decodeString(pod.serviceAccountName) === '' ? validateField(pod, 'serviceAccount', location, validateDnsSubdomain) : [],
    typeof pod.runtimeClassName === 'string'
      ? validateFormat(pod.runtimeClassName, 'dns-subdomain', appendLazily(location, 'runtimeClassName'))
      : [],
  );
}

/** The changes that a workload's controller makes to the template before it is validated. */
export interface TemplateTraits {
  /** Volumes that the controller adds. For a StatefulSet these are its claim templates, which take precedence over the pod's volumes. */
  readonly generatedVolumes?: VolumeSources;
  /** Whether the controller writes hostname and subdomain. @default false */
  readonly writesHostname?: boolean;
}

const NO_VOLUMES: VolumeSources = new Map();

function resolvePodVolumes(pod: Fields, generated: VolumeSources, location: LazyFieldPath) {
  const items = Array.isArray(pod.volumes) ? (pod.volumes as readonly unknown[]) : [];
  // The claim replaces a volume of the same name, which is not validated: an undefined item is skipped.
  const declaredVolumes = items.map((item) => (generated.has(decodeString(asMap(item)?.name) ?? '') ? undefined : item));
  const { findings, sources } = validatePodVolumes(declaredVolumes, location);
  for (const [name, source] of generated) sources.set(name, source);
  return { findings, sources };
}

function buildContainerContext(pod: Fields, behaviour: PodBehaviour, volumes: VolumeSources, location: LazyFieldPath): ContainerContext {
  const os = decodeString(asMap(pod.os)?.name);
  return {
    behaviour,
    volumes,
    claimNames: listItems(pod.resourceClaims, location).flatMap(({ value }) =>
      decodeString(value.name) ? [decodeString(value.name)!] : [],
    ),
    hostUsers: pod.hostUsers !== false,
    restartPolicy: decodeString(pod.restartPolicy),
    hooks: {
      grace: typeof pod.terminationGracePeriodSeconds === 'number' ? pod.terminationGracePeriodSeconds : DEFAULT_GRACE_SECONDS,
      allowsZeroSleep: behaviour.allowsZeroSleep,
      ...(isNonNil(pod.os) && os !== undefined && { os }),
    },
  };
}

/**
 * Reports everything that the API server refuses in the spec of a pod template. The types of its fields are already validated.
 *
 * @param version the version of Kubernetes
 */
export function validatePodSpec(pod: Fields, version: string, location: LazyFieldPath, traits: TemplateTraits = {}): readonly Finding[] {
  const { generatedVolumes = NO_VOLUMES, writesHostname = false } = traits;
  const behaviour = getPodBehaviour(version);
  const volumes = resolvePodVolumes(pod, generatedVolumes, appendLazily(location, 'volumes'));
  const containers = listItems(pod.containers, appendLazily(location, 'containers'));
  const init = listItems(pod.initContainers, appendLazily(location, 'initContainers'));
  const all = [...init, ...containers];
  const context = buildContainerContext(pod, behaviour, volumes.sources, location);
  const { claimNames } = context;
  return joinLists(
    volumes.findings,
    validateField(pod, 'resourceClaims', location, validatePodResourceClaims),
    isNonEmpty(pod.containers) ? [] : [reportMissing(appendLazily(location, 'containers'))],
    validateContainers(containers, context),
    validateInitContainers(init, containers, context),
    isNonEmpty(pod.ephemeralContainers)
      ? [reportInvalid('ephemeralContainers', pod.ephemeralContainers, appendLazily(location, 'ephemeralContainers'))]
      : [],
    validateField(pod, 'resources', location, (_, at) => validatePodResources(pod, containers, init, claimNames, at)),
    validateHostNetwork(pod, containers),
    validateField(pod, 'dnsPolicy', location, (value, at) => validateEnum(value, DNS_POLICIES, at)),
    validateField(pod, 'nodeSelector', location, validateLabels),
    validatePodSecurity(pod, behaviour, location),
    validateField(pod, 'affinity', location, validateAffinity),
    validateDns(pod, behaviour, appendLazily(location, 'dnsConfig')),
    validateField(pod, 'readinessGates', location, validateReadinessGates),
    validateField(pod, 'schedulingGates', location, validateSchedulingGates),
    validateField(pod, 'topologySpreadConstraints', location, (value, at) =>
      validateSpreadConstraints(value, behaviour.mergesSpreadKeys, at),
    ),
    validateHostProcess(pod, all, location),
    validateHostUsers(pod, all, location),
    validateHostname(pod, location),
    validateNameFields(pod, location),
    writesHostname ? [] : validateField(pod, 'hostname', location, validateDnsLabel),
    writesHostname ? [] : validateField(pod, 'subdomain', location, validateDnsLabel),
    validateField(pod, 'tolerations', location, validateTolerations),
    validateField(pod, 'hostAliases', location, validateHostAliases),
    validateField(pod, 'preemptionPolicy', location, (value, at) => validatePointerEnum(value, PREEMPTION_POLICIES, at)),
    validateField(pod, 'overhead', location, (value, at) => validateAmounts(asMap(value) ?? {}, 'resourceName', at)),
    validateOperatingSystem(pod, all, location),
  );
}
