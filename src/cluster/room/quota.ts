import { fieldsAt, isFields, listAt, nameOf, namespaceOf, valueAt, ownValue } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { NANOS, nanosOf } from '../../core/quantity';
import type { PodSet } from '../workload';
import { resourceLimit, resourceUse } from './limits';
import type { Allowance, ResourceLimit, ResourceUse } from './limits';
import { byNamespace } from '../namespaces';
import { podAmounts } from './pod-requests';

/** Resources that a quota may name without `requests.` in front and still means requests. */
const PLAIN_REQUESTS = /^(cpu|memory|ephemeral-storage|hugepages-.+)$/;
/** Resources of which a quota counts limits. */
const LIMITS = /^limits\.(cpu|memory|ephemeral-storage)$/;

/** Resources of claims: in all, or those of one storage class. */
const CLAIMS = /^(?:count\/(?=persistentvolumeclaims$)|(.+)\.storageclass\.storage\.k8s\.io\/)?(persistentvolumeclaims|requests\.storage)$/;

/**
 * What the claims that are made for a pod's ephemeral volumes use of a resource of claims.
 * A claim without a class gets the cluster's default one, which is not known here.
 *
 * Source: k/k pkg/quota/v1/evaluator/core/persistent_volume_claims.go, `Usage`.
 */
function claimUse(podSpec: unknown, [, storageClass, counted]: RegExpExecArray): bigint {
  return listAt(podSpec, 'volumes').reduce((use: bigint, volume) => {
    const claim = valueAt(volume, 'ephemeral', 'volumeClaimTemplate', 'spec');
    if (!isFields(claim) || (storageClass !== undefined && claim.storageClassName !== storageClass)) return use;
    return use + (counted === 'requests.storage' ? (nanosOf(valueAt(claim, 'resources', 'requests', 'storage')) ?? 0n) : NANOS);
  }, 0n);
}

/**
 * What one pod uses of a resource as a quota names it; 0 for what pods don't use, such as `count/services`,
 * and for an extended resource without `requests.`, which no quota counts.
 *
 * Source: k/k pkg/quota/v1/evaluator/core/pods.go, `podComputeUsageHelper`.
 */
export function quotaUse(podSpec: unknown, resource: string): bigint {
  if (resource === 'pods' || resource === 'count/pods') return NANOS;
  const claims = CLAIMS.exec(resource);
  if (claims) return claimUse(podSpec, claims);
  const limit = LIMITS.exec(resource)?.[1];
  if (limit !== undefined) return podAmounts(podSpec, 'limits').get(limit) ?? 0n;
  const request = PLAIN_REQUESTS.test(resource) ? resource : /^requests\.(.+)$/.exec(resource)?.[1];
  return request === undefined ? 0n : (podAmounts(podSpec, 'requests').get(request) ?? 0n);
}

/** Without any CPU or memory of its own, an overhead aside. Source: k/k pkg/apis/core/v1/helper/qos/qos.go, `ComputePodQOS`. */
function isBestEffort(podSpec: Fields): boolean {
  const own = { ...podSpec, overhead: undefined };
  const amounts = [...podAmounts(own, 'requests').keys(), ...podAmounts(own, 'limits').keys()];
  return !amounts.some((name) => name === 'cpu' || name === 'memory');
}

function reachesOtherNamespaces(podSpec: unknown): boolean {
  const terms = ['podAffinity', 'podAntiAffinity'].flatMap((kind) => [
    ...listAt(podSpec, 'affinity', kind, 'requiredDuringSchedulingIgnoredDuringExecution'),
    ...listAt(podSpec, 'affinity', kind, 'preferredDuringSchedulingIgnoredDuringExecution').map((term) => valueAt(term, 'podAffinityTerm')),
  ]);
  return terms.some((term) => listAt(term, 'namespaces').length > 0 || isFields(valueAt(term, 'namespaceSelector')));
}

function priorityClassHolds(podSpec: Fields, operator: unknown, values: readonly unknown[]): boolean {
  const name = podSpec.priorityClassName;
  if (operator === 'In') return values.includes(name);
  if (operator === 'NotIn') return !values.includes(name);
  return (typeof name === 'string' && name !== '') === (operator !== 'DoesNotExist');
}

type ScopeTest = (podSpec: Fields, operator: unknown, values: readonly unknown[]) => boolean;

/** Which pods a scope covers. Terminating means with a deadline, not being deleted. Source: `podMatchesScopeFunc` of the same file. */
const SCOPES: Readonly<Record<string, ScopeTest>> = {
  Terminating: (podSpec) => typeof podSpec.activeDeadlineSeconds === 'number',
  NotTerminating: (podSpec) => typeof podSpec.activeDeadlineSeconds !== 'number',
  BestEffort: isBestEffort,
  NotBestEffort: (podSpec) => !isBestEffort(podSpec),
  PriorityClass: priorityClassHolds,
  CrossNamespacePodAffinity: reachesOtherNamespaces,
};

/** Does a quota count pods of this spec? All its scopes have to cover them; an unknown scope covers none. */
export function isCounted(quota: Manifest, podSpec: Fields): boolean {
  const covers = (scope: unknown, operator: unknown, values: readonly unknown[]) =>
    typeof scope === 'string' && Object.hasOwn(SCOPES, scope) && SCOPES[scope]!(podSpec, operator, values);
  return (
    listAt(quota, 'spec', 'scopes').every((scope) => covers(scope, 'Exists', [])) &&
    listAt(quota, 'spec', 'scopeSelector', 'matchExpressions').every((expression) =>
      covers(valueAt(expression, 'scopeName'), valueAt(expression, 'operator'), listAt(expression, 'values')),
    )
  );
}

/** Does a quota have scopes? Then it counts pods alone. */
export function isScoped(quota: Manifest): boolean {
  return listAt(quota, 'spec', 'scopes').length > 0 || listAt(quota, 'spec', 'scopeSelector', 'matchExpressions').length > 0;
}

/** Pods of which nothing is known but how many they are count where no scope asks what they are like. */
function counts(quota: Manifest, { template, countOnly }: PodSet): boolean {
  if (!countOnly) return isCounted(quota, fieldsAt(template, 'spec'));
  return !isScoped(quota);
}

/**
 * What the status says is used wins over the sum of the pods in view, since it counts those that are not in view too.
 * Where an apply adds replicas it counts fewer than are declared, and then `hard` holds.
 */
function allowanceOf(quota: Manifest, resource: string, hard: bigint): Allowance {
  const used = nanosOf(ownValue(fieldsAt(quota, 'status', 'used'), resource));
  return used === undefined ? { total: hard } : { free: hard - used, atMost: hard };
}

/** The quotas that count the same pods: those of one namespace with the same scopes. */
export function sameScopes(quota: Manifest): string {
  return JSON.stringify([namespaceOf(quota) ?? '', valueAt(quota, 'spec', 'scopes'), valueAt(quota, 'spec', 'scopeSelector')]);
}

/** What pods use of a resource, as a quota counts it. */
type UseOfResource = (resource: string) => ResourceUse;

/** Worked out once a resource, for however many quotas. */
function useOfQuotas(quota: Manifest, podSets: readonly PodSet[]): UseOfResource {
  const counted = podSets.filter((podSet) => counts(quota, podSet));
  const known = new Map<string, ResourceUse>();
  return (resource) => {
    const use = known.get(resource) ?? resourceUse(counted, ({ template }) => quotaUse(fieldsAt(template, 'spec'), resource));
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
function quotaLimits(quota: Manifest, useOf: UseOfResource): ResourceLimit[] {
  return Object.entries(fieldsAt(quota, 'spec', 'hard')).flatMap(([resource, quantity]) => {
    const hard = nanosOf(quantity);
    const ofClaims = CLAIMS.test(resource);
    if (hard === undefined || (ofClaims && isScoped(quota))) return [];
    const limit = resourceLimit({ kind: 'quota', name: quotaName(quota), resource }, allowanceOf(quota, resource, hard), useOf(resource));
    // A pod whose claim is refused exists, and waits for it.
    return limit ? [{ ...limit, refusesPods: !ofClaims, quota }] : [];
  });
}

/** `ResourceQuota "gpus"`. */
export function quotaName(quota: Manifest): string {
  return `ResourceQuota "${nameOf(quota)}"`;
}

/** The limits of all ResourceQuotas, each on the pods of its own namespace. */
export function allQuotaLimits(quotas: readonly Manifest[], podSets: readonly PodSet[]): ResourceLimit[] {
  const podSetsOf = byNamespace(podSets);
  const uses = new Map<string, UseOfResource>();
  return quotas.flatMap((quota) => {
    const scopes = sameScopes(quota);
    const useOf = uses.get(scopes) ?? useOfQuotas(quota, podSetsOf.get(namespaceOf(quota) ?? '') ?? []);
    uses.set(scopes, useOf);
    return quotaLimits(quota, useOf);
  });
}
