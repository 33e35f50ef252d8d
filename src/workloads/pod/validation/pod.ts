import { fieldName } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { entryOf, inside, pathOf } from '../../../core/place';
import type { Place } from '../../../core/place';
import { NANOS, formatNanos } from '../../../core/quantity';
import { seen } from '../../../core/seen';
import { ofEach, together } from '../../../core/together';
import { invalidWorkload } from '../../rules/invalid-workload';
import { containerFindings, initContainerFindings } from './container';
import type { ContainerContext } from './container';
import { labelFindings } from './labels';
import {
  besideFinding,
  choiceFindings,
  formatFindings,
  isFilled,
  isGiven,
  itemsOf,
  lengthFindings,
  mapOf,
  missing,
  optionalNameFindings,
  pointedChoiceFindings,
  refused,
  textOf,
  textsOf,
} from './refusal';
import type { Item } from './refusal';
import { amountListFindings, amountOf, resourceFindings } from './resources';
import { affinityFindings, resourceClaimFindings, schedulingGateFindings, spreadFindings, tolerationListFindings } from './scheduling';
import { hostProcessFindings, podSecurityFindings, systemFindings } from './security';
import { podBehaviour } from './versions';
import type { PodBehaviour } from './versions';
import { judgedVolumes } from './volumes';
import type { VolumeSources } from './volumes';

/* What the server refuses in the spec of a pod template. Source: k/k pkg/apis/core/validation/validation.go, `ValidatePodSpec`. */

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_LENGTH = 2048;

function dnsFindings({ dnsPolicy, dnsConfig }: Fields, { searchDomains }: PodBehaviour, place: Place): readonly Finding[] {
  const config = mapOf(dnsConfig);
  if (dnsPolicy === 'None') {
    if (!isGiven(dnsConfig)) return [missing(place)];
    if (config && !isFilled(config.nameservers)) return [missing(inside(place, 'nameservers'))];
  }
  if (!config) return [];
  const servers = textsOf(config.nameservers, inside(place, 'nameservers'));
  const searches = textsOf(config.searches, inside(place, 'searches'));
  const length = searches.map(({ value }) => value).join(' ').length;
  return together(
    lengthFindings(servers.length, MAX_NAMESERVERS, 'item', inside(place, 'nameservers')),
    ofEach(servers, (item) => formatFindings(item.value, 'ip-address', item.place)),
    lengthFindings(searches.length, MAX_SEARCHES, 'item', inside(place, 'searches')),
    lengthFindings(length, MAX_SEARCH_LENGTH, 'character', inside(place, 'searches')),
    ofEach(searches, (item) =>
      item.value === '.' && searchDomains === 'search-domain'
        ? []
        : formatFindings(item.value.replace(/\.$/, ''), searchDomains, item.place),
    ),
    ofEach(itemsOf(config.options, inside(place, 'options')), (item) =>
      textOf(item.value.name) === '' ? [missing(inside(item.place, 'name'))] : [],
    ),
  );
}

/** On the network of its node a container has its own port there, or none. */
function hostNetworkFindings(pod: Fields, containers: readonly Item[]): readonly Finding[] {
  if (pod.hostNetwork !== true) return [];
  return ofEach(containers, (container) =>
    ofEach(itemsOf(container.value.ports, inside(container.place, 'ports')), ({ value, place }) => {
      const { hostPort, containerPort } = value;
      if (typeof hostPort !== 'number' || hostPort === 0 || hostPort === (containerPort ?? 0)) return [];
      return [refused('notContainerPort', hostPort, inside(place, 'hostPort'))];
    }),
  );
}

/** A pod with users of its own shares nothing else with its node. */
function hostUserFindings(pod: Fields, containers: readonly Item[], place: Place): readonly Finding[] {
  if (pod.hostUsers !== false) return [];
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => pod[name] === true);
  return [
    ...shared.map((name) => besideFinding(inside(place, name), 'hostUsers', false)),
    ...containers
      .filter(({ value }) => isFilled(value.volumeDevices))
      .map((container) => besideFinding(inside(container.place, 'volumeDevices'), 'hostUsers', false)),
  ];
}

function hostnameFindings(pod: Fields, place: Place): readonly Finding[] {
  const override = pod.hostnameOverride;
  const overridePlace = inside(place, 'hostnameOverride');
  if (typeof override !== 'string') return [];
  const beside = ['setHostnameAsFQDN', 'hostNetwork'].filter((name) => pod[name] === true);
  return together(
    beside.map((name) => besideFinding(overridePlace, name, true)),
    formatFindings(override, 'dns-subdomain', overridePlace),
    lengthFindings(override.length, 64, 'character', overridePlace),
  );
}

function hostAliasFindings(aliases: unknown, place: Place): readonly Finding[] {
  return ofEach(itemsOf(aliases, place), (item) =>
    together(
      formatFindings(textOf(item.value.ip), 'ip-address', inside(item.place, 'ip')),
      ofEach(textsOf(item.value.hostnames, inside(item.place, 'hostnames')), (name) =>
        formatFindings(name.value, 'dns-subdomain', name.place),
      ),
    ),
  );
}

type Amounts = Map<string, bigint>;

function add(total: Amounts, list: unknown): Amounts {
  for (const [name, value] of Object.entries(mapOf(list) ?? {})) total.set(name, (total.get(name) ?? 0n) + (amountOf(value) ?? 0n));
  return total;
}

function raise(total: Amounts, other: Amounts): void {
  for (const [name, amount] of other) if (amount > (total.get(name) ?? 0n)) total.set(name, amount);
}

/**
 * What all containers of a pod ask for at once: the sum of those that stay, or more while one of the others runs beside the sidecars before it.
 *
 * Source: component-helpers resource/helpers.go, `AggregateContainerRequests`.
 */
function aggregated(list: 'requests' | 'limits', containers: readonly Item[], init: readonly Item[]): Amounts {
  const total: Amounts = new Map();
  for (const { value } of containers) add(total, mapOf(value.resources)?.[list]);
  const sidecars: Amounts = new Map();
  const atStart: Amounts = new Map();
  for (const { value } of init) {
    const own = mapOf(value.resources)?.[list];
    if (value.restartPolicy === 'Always') {
      add(total, own);
      add(sidecars, own);
      raise(atStart, sidecars);
    } else raise(atStart, add(new Map(sidecars), own));
  }
  raise(total, atStart);
  return total;
}

function shown(amount: bigint): string {
  return formatNanos(amount, amount >= 1024n * NANOS ? 'bytes' : 'units');
}

function belowFindings(own: Fields, name: string, amount: bigint, place: Place): readonly Finding[] {
  const figure = Object.hasOwn(own, name) ? amountOf(own[name]) : undefined;
  if (figure === undefined || figure >= amount) return [];
  const path = pathOf(entryOf(place, name));
  return [
    invalidWorkload.finding('belowContainers', {
      path,
      data: { field: fieldName(path), value: seen(own[name]), resource: name, limit: shown(amount) },
    }),
  ];
}

/** The resources of a pod itself, against those of its containers. */
function podResourceFindings(
  pod: Fields,
  containers: readonly Item[],
  init: readonly Item[],
  claimNames: readonly string[],
  place: Place,
): readonly Finding[] {
  const resources = mapOf(pod.resources);
  if (!resources) return [];
  if (mapOf(pod.os)?.name === 'windows') return [refused('notOnWindows', pod.resources, place)];
  const limits = mapOf(resources.limits) ?? {};
  const requests = mapOf(resources.requests) ?? {};
  const limitsPlace = inside(place, 'limits');
  const pages = [...aggregated('limits', containers, init)].filter(([name]) => name.startsWith('hugepages-'));
  return together(
    isGiven(resources.claims) ? [refused('podResourceName', resources.claims, inside(place, 'claims'))] : [],
    resourceFindings(resources, claimNames, place, 'podResourceName'),
    ofEach([...aggregated('requests', containers, init)], ([name, amount]) =>
      belowFindings(requests, name, amount, inside(place, 'requests')),
    ),
    ofEach(pages, ([name, amount]) => belowFindings(limits, name, amount, limitsPlace)),
    ofEach(containers, ({ value }) =>
      ofEach(Object.entries(mapOf(mapOf(value.resources)?.limits) ?? {}), ([name, own]) =>
        belowFindings(limits, name, amountOf(own) ?? 0n, limitsPlace),
      ),
    ),
  );
}

const DEFAULT_GRACE = 30;
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];

/** Fields of a pod that name something else. */
const NAMES = ['serviceAccountName', 'nodeName', 'priorityClassName'];

function nameListFindings(pod: Fields, place: Place): readonly Finding[] {
  return together(
    ofEach(NAMES, (name) => optionalNameFindings(pod[name], 'dns-subdomain', inside(place, name))),
    // The older name of serviceAccountName counts where that is left out.
    textOf(pod.serviceAccountName) === '' ? optionalNameFindings(pod.serviceAccount, 'dns-subdomain', inside(place, 'serviceAccount')) : [],
    typeof pod.runtimeClassName === 'string'
      ? formatFindings(pod.runtimeClassName, 'dns-subdomain', inside(place, 'runtimeClassName'))
      : [],
  );
}

/** What a workload makes of the template before it is judged. */
export interface TemplateTraits {
  /** Volumes that the controller makes by itself: of a StatefulSet its claim templates, which stand in front of the pod's. */
  readonly madeVolumes?: VolumeSources;
  /** Does the controller write hostname and subdomain? @default false */
  readonly writesHostname?: boolean;
}

function volumesOf(pod: Fields, made: VolumeSources, place: Place) {
  const items = Array.isArray(pod.volumes) ? (pod.volumes as readonly unknown[]) : [];
  // One of that name gives way to the claim, and is not looked at. An undefined item is passed over.
  const kept = items.map((item) => (made.has(textOf(mapOf(item)?.name) ?? '') ? undefined : item));
  const { findings, sources } = judgedVolumes(kept, place);
  for (const [name, source] of made) sources.set(name, source);
  return { findings, sources };
}

/**
 * Everything that the API server refuses in the spec of a pod template; its fields have the types that the API wants.
 *
 * @param version of Kubernetes
 */
export function podSpecFindings(pod: Fields, version: string, place: Place, traits: TemplateTraits = {}): readonly Finding[] {
  const { madeVolumes = new Map<string, string>(), writesHostname = false } = traits;
  const behaviour = podBehaviour(version);
  const volumes = volumesOf(pod, madeVolumes, inside(place, 'volumes'));
  const containers = itemsOf(pod.containers, inside(place, 'containers'));
  const init = itemsOf(pod.initContainers, inside(place, 'initContainers'));
  const all = [...init, ...containers];
  const os = textOf(mapOf(pod.os)?.name);
  const claimNames = itemsOf(pod.resourceClaims, place).flatMap(({ value }) => (textOf(value.name) ? [textOf(value.name)!] : []));
  const context: ContainerContext = {
    behaviour,
    volumes: volumes.sources,
    claimNames,
    hostUsers: pod.hostUsers !== false,
    restartPolicy: textOf(pod.restartPolicy),
    hooks: {
      grace: typeof pod.terminationGracePeriodSeconds === 'number' ? pod.terminationGracePeriodSeconds : DEFAULT_GRACE,
      mayNotSleep: behaviour.mayNotSleep,
      ...(isGiven(pod.os) && os !== undefined && { os }),
    },
  };
  return together(
    volumes.findings,
    resourceClaimFindings(pod.resourceClaims, inside(place, 'resourceClaims')),
    isFilled(pod.containers) ? [] : [missing(inside(place, 'containers'))],
    containerFindings(containers, context),
    initContainerFindings(init, containers, context),
    isFilled(pod.ephemeralContainers)
      ? [refused('ephemeralContainers', pod.ephemeralContainers, inside(place, 'ephemeralContainers'))]
      : [],
    podResourceFindings(pod, containers, init, claimNames, inside(place, 'resources')),
    hostNetworkFindings(pod, containers),
    choiceFindings(pod.dnsPolicy, DNS_POLICIES, inside(place, 'dnsPolicy')),
    labelFindings(pod.nodeSelector, inside(place, 'nodeSelector')),
    podSecurityFindings(pod, behaviour, place),
    affinityFindings(pod.affinity, inside(place, 'affinity')),
    dnsFindings(pod, behaviour, inside(place, 'dnsConfig')),
    ofEach(itemsOf(pod.readinessGates, inside(place, 'readinessGates')), (item) =>
      formatFindings(textOf(item.value.conditionType), 'qualified-name', inside(item.place, 'conditionType')),
    ),
    schedulingGateFindings(pod.schedulingGates, inside(place, 'schedulingGates')),
    spreadFindings(pod.topologySpreadConstraints, behaviour.mergesSpreadKeys, inside(place, 'topologySpreadConstraints')),
    hostProcessFindings(pod, all, place),
    hostUserFindings(pod, all, place),
    hostnameFindings(pod, place),
    nameListFindings(pod, place),
    writesHostname ? [] : optionalNameFindings(pod.hostname, 'dns-label', inside(place, 'hostname')),
    writesHostname ? [] : optionalNameFindings(pod.subdomain, 'dns-label', inside(place, 'subdomain')),
    tolerationListFindings(pod.tolerations, inside(place, 'tolerations')),
    hostAliasFindings(pod.hostAliases, inside(place, 'hostAliases')),
    pointedChoiceFindings(pod.preemptionPolicy, PREEMPTION_POLICIES, inside(place, 'preemptionPolicy')),
    amountListFindings(mapOf(pod.overhead) ?? {}, 'resourceName', inside(place, 'overhead')),
    systemFindings(pod, all, place),
  );
}
