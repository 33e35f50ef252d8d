import { getFieldsAt, isFields, getListAt, nameOf, namespaceOf, getValueAt, getOwnValue } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { NANOS_PER_UNIT, parseQuantityNanos } from '../../../core/values/quantity';
import { groupByNamespace } from '../../context/group-by-namespace';
import type { PodSet } from '../../rollout/pod-set';
import { buildResourceLimit, computeResourceUse } from '../limits';
import type { Allowance, ResourceLimit, ResourceUse } from '../limits';
import { computePodAmounts } from '../pod-requests';
import type { ResourceKind } from '../pod-requests';

/** Resources that mean requests in a quota even without the prefix `requests.`. */
const PLAIN_REQUEST_RESOURCE = /^(cpu|memory|ephemeral-storage|hugepages-.+)$/;
/** Resources whose limits a quota counts. */
const LIMIT_RESOURCE = /^limits\.(cpu|memory|ephemeral-storage)$/;

/** Resources of claims: in total, or of one storage class. */
const CLAIM_RESOURCE =
  /^(?:count\/(?=persistentvolumeclaims$)|(.+)\.storageclass\.storage\.k8s\.io\/)?(persistentvolumeclaims|requests\.storage)$/;

/** Resources of claims for devices. */
const DEVICE_RESOURCE = /^(?:count\/resourceclaims\.resource\.k8s\.io|.+\.deviceclass\.resource\.k8s\.io\/devices)$/;

/**
 * Computes what the claims for a pod's ephemeral volumes use of a claim resource. A claim without a class gets the cluster's default class,
 * which is not known here.
 *
 * Source: k/k pkg/quota/v1/evaluator/core/persistent_volume_claims.go, `Usage`.
 */
function computeClaimUse(podSpec: unknown, [, storageClass, countedResource]: RegExpExecArray): bigint {
  return getListAt(podSpec, 'volumes').reduce((use: bigint, volume) => {
    const claim = getValueAt(volume, 'ephemeral', 'volumeClaimTemplate', 'spec');
    if (!isFields(claim) || (storageClass !== undefined && claim.storageClassName !== storageClass)) return use;
    return (
      use +
      (countedResource === 'requests.storage'
        ? (parseQuantityNanos(getValueAt(claim, 'resources', 'requests', 'storage')) ?? 0n)
        : NANOS_PER_UNIT)
    );
  }, 0n);
}

/** An amount of containers that a quota counts: `limits.cpu` is the limits of `cpu`. */
interface ContainerAmount {
  readonly kind: ResourceKind;
  readonly name: string;
}

/** Returns the amount of containers that a resource of a quota means. Returns undefined for one that containers do not declare, such as `pods`. */
function parseContainerAmount(resource: string): ContainerAmount | undefined {
  if (CLAIM_RESOURCE.test(resource)) return undefined;
  const limit = LIMIT_RESOURCE.exec(resource)?.[1];
  if (limit !== undefined) return { kind: 'limits', name: limit };
  const request = PLAIN_REQUEST_RESOURCE.test(resource) ? resource : /^requests\.(.+)$/.exec(resource)?.[1];
  return request === undefined ? undefined : { kind: 'requests', name: request };
}

/** Reports whether the requests or limits of containers decide what a pod uses of a resource named as in a quota, and not their number. */
export function isRequestedResource(resource: string): boolean {
  return parseContainerAmount(resource) !== undefined;
}

/**
 * Returns what one pod uses of a resource named as in a quota. It is 0 for resources that pods do not use, such as `count/services`. It is
 * also 0 for an extended resource without `requests.`, which no quota counts.
 *
 * Source: k/k pkg/quota/v1/evaluator/core/pods.go, `podComputeUsageHelper`.
 */
export function computeQuotaUse(podSpec: unknown, resource: string): bigint {
  if (resource === 'pods' || resource === 'count/pods') return NANOS_PER_UNIT;
  const claims = CLAIM_RESOURCE.exec(resource);
  if (claims) return computeClaimUse(podSpec, claims);
  const amount = parseContainerAmount(resource);
  return amount === undefined ? 0n : (computePodAmounts(podSpec, amount.kind).get(amount.name) ?? 0n);
}

/**
 * Reports whether a pod has no CPU or memory requests or limits, ignoring overhead. Source: k/k pkg/apis/core/v1/helper/qos/qos.go,
 * `ComputePodQOS`.
 */
function isBestEffort(podSpec: Fields): boolean {
  const own = { ...podSpec, overhead: undefined };
  const amounts = [...computePodAmounts(own, 'requests').keys(), ...computePodAmounts(own, 'limits').keys()];
  return !amounts.some((name) => name === 'cpu' || name === 'memory');
}

function hasCrossNamespaceAffinity(podSpec: unknown): boolean {
  const terms = ['podAffinity', 'podAntiAffinity'].flatMap((kind) => [
    ...getListAt(podSpec, 'affinity', kind, 'requiredDuringSchedulingIgnoredDuringExecution'),
    ...getListAt(podSpec, 'affinity', kind, 'preferredDuringSchedulingIgnoredDuringExecution').map((term) =>
      getValueAt(term, 'podAffinityTerm'),
    ),
  ]);
  return terms.some((term) => getListAt(term, 'namespaces').length > 0 || isFields(getValueAt(term, 'namespaceSelector')));
}

function matchesPriorityClass(podSpec: Fields, operator: unknown, values: readonly unknown[]): boolean {
  const name = podSpec.priorityClassName;
  if (operator === 'In') return values.includes(name);
  if (operator === 'NotIn') return !values.includes(name);
  return (typeof name === 'string' && name !== '') === (operator !== 'DoesNotExist');
}

type ScopeTest = (podSpec: Fields, operator: unknown, values: readonly unknown[]) => boolean;

/**
 * Tests by quota scope. Terminating means that a pod has a deadline, not that it is being deleted. Source: `podMatchesScopeFunc` of k/k
 * pkg/quota/v1/evaluator/core/pods.go.
 */
const SCOPE_TESTS: Readonly<Record<string, ScopeTest>> = {
  Terminating: (podSpec) => typeof podSpec.activeDeadlineSeconds === 'number',
  NotTerminating: (podSpec) => typeof podSpec.activeDeadlineSeconds !== 'number',
  BestEffort: isBestEffort,
  NotBestEffort: (podSpec) => !isBestEffort(podSpec),
  PriorityClass: matchesPriorityClass,
  CrossNamespacePodAffinity: hasCrossNamespaceAffinity,
};

/** Reports whether a quota counts pods with this spec. All of its scopes must match; an unknown scope matches none. */
export function isCountedByQuota(quota: Manifest, podSpec: Fields): boolean {
  const covers = (scope: unknown, operator: unknown, values: readonly unknown[]) =>
    typeof scope === 'string' && Object.hasOwn(SCOPE_TESTS, scope) && SCOPE_TESTS[scope]!(podSpec, operator, values);
  return (
    getListAt(quota, 'spec', 'scopes').every((scope) => covers(scope, 'Exists', [])) &&
    getListAt(quota, 'spec', 'scopeSelector', 'matchExpressions').every((expression) =>
      covers(getValueAt(expression, 'scopeName'), getValueAt(expression, 'operator'), getListAt(expression, 'values')),
    )
  );
}

/** Reports whether a quota has scopes, and therefore counts only pods. */
export function hasQuotaScopes(quota: Manifest): boolean {
  return getListAt(quota, 'spec', 'scopes').length > 0 || getListAt(quota, 'spec', 'scopeSelector', 'matchExpressions').length > 0;
}

/** Reports whether a quota counts a pod set. A set with only a known size counts if the quota has no scopes. */
function isPodSetCounted(quota: Manifest, { template, countOnly }: PodSet): boolean {
  if (!countOnly) return isCountedByQuota(quota, getFieldsAt(template, 'spec'));
  return !hasQuotaScopes(quota);
}

/**
 * Returns what a quota allows. Usage in the status takes precedence over the sum of the known pods, because it includes pods that are not
 * in the input. If an apply adds replicas, the status counts fewer pods than declared, and `hard` applies.
 *
 * @param claimed what claims use that no pod owns
 */
function computeAllowance(quota: Manifest, resource: string, hard: bigint, claimed: bigint): Allowance {
  const used = parseQuantityNanos(getOwnValue(getFieldsAt(quota, 'status', 'used'), resource));
  if (used !== undefined) return { free: hard - used, atMost: hard };
  return { total: hard > claimed ? hard - claimed : 0n };
}

/** Formats a key for quotas that count the same pods: those of one namespace with the same scopes. */
export function formatQuotaScopeKey(quota: Manifest): string {
  return JSON.stringify([namespaceOf(quota) ?? '', getValueAt(quota, 'spec', 'scopes'), getValueAt(quota, 'spec', 'scopeSelector')]);
}

/** What claims for devices use of the resources of quotas. */
export interface ClaimUse {
  /** Returns what the claims of one pod use of a resource. */
  computeQuotaUse(podSpec: unknown, namespace: string, resource: string): bigint;
  /** Returns what the claims of a namespace use that no pod owns, and that its pods may share. */
  computeQuotaUseOfClaims(namespace: string, resource: string): bigint;
}

/** Returns what one pod and its claims use of a resource. A quota with scopes counts no claims. */
function computeFullUse(quota: Manifest, podSpec: Fields, resource: string, claimUse: ClaimUse | undefined): bigint {
  const ofClaims = claimUse && !hasQuotaScopes(quota) ? claimUse.computeQuotaUse(podSpec, namespaceOf(quota) ?? 'default', resource) : 0n;
  return ofClaims + computeQuotaUse(podSpec, resource);
}

/** Returns what pods use of a resource as a quota counts it. */
type ResourceUseLookup = (resource: string) => ResourceUse;

/** Creates a lookup that computes the use of each resource once for any number of quotas. */
function createUseLookup(quota: Manifest, podSets: readonly PodSet[], claimUse: ClaimUse | undefined): ResourceUseLookup {
  const countedPodSets = podSets.filter(
    (podSet) =>
      isPodSetCounted(quota, podSet) || (podSet.oldTemplate && isPodSetCounted(quota, { ...podSet, template: podSet.oldTemplate })),
  );
  const usePerPod = (podSet: PodSet, resource: string) => {
    const { template, oldTemplate } = podSet;
    if (oldTemplate && !isPodSetCounted(quota, podSet)) return 0n;
    return computeFullUse(quota, getFieldsAt(template, 'spec'), resource, claimUse);
  };
  const known = new Map<string, ResourceUse>();
  return (resource) => {
    const use = known.get(resource) ?? computeResourceUse(countedPodSets, (podSet) => usePerPod(podSet, resource));
    known.set(resource, use);
    return use;
  };
}

/**
 * Builds the limits that a ResourceQuota sets for pods of its namespace.
 *
 * Without a status, the quota is assumed to contain only these pods. With one, `hard - used` is what is left in addition to them. Pods that
 * are being deleted count until they are gone, so a full quota makes the controller wait for them.
 */
function buildQuotaLimits(quota: Manifest, lookUpUse: ResourceUseLookup, claimUse: ClaimUse | undefined): ResourceLimit[] {
  const namespace = namespaceOf(quota) ?? 'default';
  return Object.entries(getFieldsAt(quota, 'spec', 'hard')).flatMap(([resource, quantity]) => {
    const hard = parseQuantityNanos(quantity);
    const countsClaims = CLAIM_RESOURCE.test(resource);
    if (hard === undefined || (countsClaims && hasQuotaScopes(quota))) return [];
    const limit = buildResourceLimit(
      { kind: 'quota', name: formatQuotaName(quota), resource },
      computeAllowance(quota, resource, hard, claimUse?.computeQuotaUseOfClaims(namespace, resource) ?? 0n),
      lookUpUse(resource),
    );
    if (!limit) return [];
    const useOf = (podSpec: Fields) => computeFullUse(quota, podSpec, resource, claimUse);
    const users = [...limit.perPod.keys()];
    const isUsedByPods = users.length === 0 || users.some(({ template }) => computeQuotaUse(getFieldsAt(template, 'spec'), resource) > 0n);
    // A pod whose claim is refused exists, and waits for the claim.
    return [{ ...limit, refusesPods: !countsClaims && !DEVICE_RESOURCE.test(resource) && isUsedByPods, quota, useOf }];
  });
}

/** Formats the name of a quota: `ResourceQuota "gpus"`. */
export function formatQuotaName(quota: Manifest): string {
  return `ResourceQuota "${nameOf(quota)}"`;
}

/** Returns the limits of all ResourceQuotas, each for the pods of its own namespace. */
export function listQuotaLimits(quotas: readonly Manifest[], podSets: readonly PodSet[], claimUse?: ClaimUse): ResourceLimit[] {
  const podSetsOf = groupByNamespace(podSets);
  const uses = new Map<string, ResourceUseLookup>();
  return quotas.flatMap((quota) => {
    const scopes = formatQuotaScopeKey(quota);
    const lookUpUse = uses.get(scopes) ?? createUseLookup(quota, podSetsOf.get(namespaceOf(quota) ?? '') ?? [], claimUse);
    uses.set(scopes, lookUpUse);
    return buildQuotaLimits(quota, lookUpUse, claimUse);
  });
}
