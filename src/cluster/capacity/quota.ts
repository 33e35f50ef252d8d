import { getFieldsAt, isFields, getListAt, nameOf, namespaceOf, getValueAt, getOwnValue } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { NANOS_PER_UNIT, parseQuantityNanos } from '../../core/quantity';
import type { PodSet } from '../workload';
import { buildResourceLimit, computeResourceUse } from './limits';
import type { Allowance, ResourceLimit, ResourceUse } from './limits';
import { groupByNamespace } from '../group-by-namespace';
import { computePodAmounts } from './pod-requests';

/** Resources that a quota may name without `requests.` in front and still means requests. */
const PLAIN_REQUEST_RESOURCE = /^(cpu|memory|ephemeral-storage|hugepages-.+)$/;
/** Resources of which a quota counts limits. */
const LIMIT_RESOURCE = /^limits\.(cpu|memory|ephemeral-storage)$/;

/** Resources of claims: in all, or those of one storage class. */
const CLAIM_RESOURCE =
  /^(?:count\/(?=persistentvolumeclaims$)|(.+)\.storageclass\.storage\.k8s\.io\/)?(persistentvolumeclaims|requests\.storage)$/;

/**
 * What the claims that are made for a pod's ephemeral volumes use of a resource of claims.
 * A claim without a class gets the cluster's default one, which is not known here.
 *
 * Source: k/k pkg/quota/v1/evaluator/core/persistent_volume_claims.go, `Usage`.
 */
function computeClaimUse(podSpec: unknown, [, storageClass, countedPodSets]: RegExpExecArray): bigint {
  return getListAt(podSpec, 'volumes').reduce((use: bigint, volume) => {
    const claim = getValueAt(volume, 'ephemeral', 'volumeClaimTemplate', 'spec');
    if (!isFields(claim) || (storageClass !== undefined && claim.storageClassName !== storageClass)) return use;
    return (
      use +
      (countedPodSets === 'requests.storage'
        ? (parseQuantityNanos(getValueAt(claim, 'resources', 'requests', 'storage')) ?? 0n)
        : NANOS_PER_UNIT)
    );
  }, 0n);
}

/**
 * What one pod uses of a resource as a quota names it; 0 for what pods don't use, such as `count/services`,
 * and for an extended resource without `requests.`, which no quota counts.
 *
 * Source: k/k pkg/quota/v1/evaluator/core/pods.go, `podComputeUsageHelper`.
 */
export function computeQuotaUse(podSpec: unknown, resource: string): bigint {
  if (resource === 'pods' || resource === 'count/pods') return NANOS_PER_UNIT;
  const claims = CLAIM_RESOURCE.exec(resource);
  if (claims) return computeClaimUse(podSpec, claims);
  const limit = LIMIT_RESOURCE.exec(resource)?.[1];
  if (limit !== undefined) return computePodAmounts(podSpec, 'limits').get(limit) ?? 0n;
  const request = PLAIN_REQUEST_RESOURCE.test(resource) ? resource : /^requests\.(.+)$/.exec(resource)?.[1];
  return request === undefined ? 0n : (computePodAmounts(podSpec, 'requests').get(request) ?? 0n);
}

/** Without any CPU or memory of its own, an overhead aside. Source: k/k pkg/apis/core/v1/helper/qos/qos.go, `ComputePodQOS`. */
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

/** Which pods a scope covers. Terminating means with a deadline, not being deleted. Source: `podMatchesScopeFunc` of the same file. */
const SCOPE_TESTS: Readonly<Record<string, ScopeTest>> = {
  Terminating: (podSpec) => typeof podSpec.activeDeadlineSeconds === 'number',
  NotTerminating: (podSpec) => typeof podSpec.activeDeadlineSeconds !== 'number',
  BestEffort: isBestEffort,
  NotBestEffort: (podSpec) => !isBestEffort(podSpec),
  PriorityClass: matchesPriorityClass,
  CrossNamespacePodAffinity: hasCrossNamespaceAffinity,
};

/** Does a quota count pods of this spec? All its scopes have to cover them; an unknown scope covers none. */
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

/** Does a quota have scopes? Then it counts pods alone. */
export function hasQuotaScopes(quota: Manifest): boolean {
  return getListAt(quota, 'spec', 'scopes').length > 0 || getListAt(quota, 'spec', 'scopeSelector', 'matchExpressions').length > 0;
}

/** Pods of which nothing is known but how many they are count where no scope asks what they are like. */
function isPodSetCounted(quota: Manifest, { template, countOnly }: PodSet): boolean {
  if (!countOnly) return isCountedByQuota(quota, getFieldsAt(template, 'spec'));
  return !hasQuotaScopes(quota);
}

/**
 * What the status says is used wins over the sum of the pods in view, since it counts those that are not in view too.
 * Where an apply adds replicas it counts fewer than are declared, and then `hard` holds.
 */
function computeAllowance(quota: Manifest, resource: string, hard: bigint): Allowance {
  const used = parseQuantityNanos(getOwnValue(getFieldsAt(quota, 'status', 'used'), resource));
  return used === undefined ? { total: hard } : { free: hard - used, atMost: hard };
}

/** The quotas that count the same pods: those of one namespace with the same scopes. */
export function formatQuotaScopeKey(quota: Manifest): string {
  return JSON.stringify([namespaceOf(quota) ?? '', getValueAt(quota, 'spec', 'scopes'), getValueAt(quota, 'spec', 'scopeSelector')]);
}

/** What pods use of a resource, as a quota counts it. */
type ResourceUseLookup = (resource: string) => ResourceUse;

/** Worked out once a resource, for however many quotas. */
function createUseLookup(quota: Manifest, podSets: readonly PodSet[]): ResourceUseLookup {
  const countedPodSets = podSets.filter((podSet) => isPodSetCounted(quota, podSet));
  const known = new Map<string, ResourceUse>();
  return (resource) => {
    const use =
      known.get(resource) ?? computeResourceUse(countedPodSets, ({ template }) => computeQuotaUse(getFieldsAt(template, 'spec'), resource));
    known.set(resource, use);
    return use;
  };
}

/**
 * The limits that a ResourceQuota sets for pods of its namespace.
 *
 * Without a status the quota is taken to hold these pods alone; with one, `hard - used` is what is left besides them.
 * Pods that are being deleted count too until they are gone, so a quota without room for them makes the controller wait.
 */
function buildQuotaLimits(quota: Manifest, lookUpUse: ResourceUseLookup): ResourceLimit[] {
  return Object.entries(getFieldsAt(quota, 'spec', 'hard')).flatMap(([resource, quantity]) => {
    const hard = parseQuantityNanos(quantity);
    const countsClaims = CLAIM_RESOURCE.test(resource);
    if (hard === undefined || (countsClaims && hasQuotaScopes(quota))) return [];
    const limit = buildResourceLimit(
      { kind: 'quota', name: formatQuotaName(quota), resource },
      computeAllowance(quota, resource, hard),
      lookUpUse(resource),
    );
    // A pod whose claim is refused exists, and waits for it.
    return limit ? [{ ...limit, refusesPods: !countsClaims, quota }] : [];
  });
}

/** `ResourceQuota "gpus"`. */
export function formatQuotaName(quota: Manifest): string {
  return `ResourceQuota "${nameOf(quota)}"`;
}

/** The limits of all ResourceQuotas, each on the pods of its own namespace. */
export function listQuotaLimits(quotas: readonly Manifest[], podSets: readonly PodSet[]): ResourceLimit[] {
  const podSetsOf = groupByNamespace(podSets);
  const uses = new Map<string, ResourceUseLookup>();
  return quotas.flatMap((quota) => {
    const scopes = formatQuotaScopeKey(quota);
    const lookUpUse = uses.get(scopes) ?? createUseLookup(quota, podSetsOf.get(namespaceOf(quota) ?? '') ?? []);
    uses.set(scopes, lookUpUse);
    return buildQuotaLimits(quota, lookUpUse);
  });
}
