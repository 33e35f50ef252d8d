import { findMax } from '../core/values/min-max';
import { parsePercent, scaleRoundedUp } from '../core/values/int-or-percent';
import type { IntOrPercent } from '../core/values/int-or-percent';
import { isAnyNamespace } from '../core/manifest/any-namespace';
import { getFieldsAt, isFields, getListAt, getValueAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { parseQuantityNumber } from '../core/values/quantity';
import { findGuardedKind, resolveEffectiveLimits, strategyFieldOf } from './effective-limits';
import type { EffectiveLimits, GuardedKind } from './effective-limits';
import type { GuardrailPolicy } from './policy';
import { findMissingBudget, isDisruptionBudget, listNamespaces } from './required-budget';
import type { BudgetContext } from './required-budget';
import { GPU } from './violation';
import type { Violation } from './violation';
import { toSafeText } from '../core/text/value-text';

/** What a verdict needs to know about the cluster and the other objects. */
export interface GuardrailContext {
  /** All objects that are evaluated together, including the budgets. @default - budgets are not required */
  readonly objects?: readonly Manifest[];
  /** Whether the server keeps the maxUnavailable of a StatefulSet. @default false, as Kubernetes 1.34 */
  readonly keepsMaxUnavailable?: boolean;
  /** Returns the namespaces that files around an object, such as a kustomization, may give to it. @default - none */
  readonly setNamespacesOf?: BudgetContext['setNamespacesOf'];
  /** Returns the places of an object: a namespace for each way to apply the files. @default - its own namespace */
  readonly placesOf?: BudgetContext['placesOf'];
  /** Reports whether the API server refuses to create an object. @default - it refuses none */
  readonly isRefused?: (object: Manifest) => boolean;
}

function listGpuLimits(containers: readonly unknown[]): number[] {
  return containers.map((container) => parseQuantityNumber(getValueAt(container, 'resources', 'limits', GPU)) ?? 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Returns the GPUs that a node must have free for one pod. Init containers run one after the other before the other containers. Sidecars
 * run
 * next to all of them. The scheduler does not add a sidecar to the init containers before it, but this function does: an expression cannot
 * read their order.
 *
 * Source: k8s.io/component-helpers v0.34 resource/helpers.go, `PodRequests`.
 */
function countGpus(workload: Manifest): number {
  const [containers, inits] = [
    getListAt(workload, 'spec', 'template', 'spec', 'containers'),
    getListAt(workload, 'spec', 'template', 'spec', 'initContainers'),
  ];
  const isSidecar = (container: unknown) => getValueAt(container, 'restartPolicy') === 'Always';
  const largestInit = findMax(listGpuLimits(inits.filter((container) => !isSidecar(container))), 0);
  return Math.max(sum(listGpuLimits(containers)), largestInit) + sum(listGpuLimits(inits.filter(isSidecar)));
}

/**
 * Reports whether the guardrails apply to an object, in its own namespace or in one that files around it may give to it. A kustomization
 * thus takes no object out of a policy, and puts it into one.
 */
function isGuarded(object: Manifest, { match, exceptions = [] }: GuardrailPolicy, namespaces: readonly string[]): boolean {
  const kind = findGuardedKind(object);
  if (kind === undefined && !isDisruptionBudget(object)) return false;
  if (kind !== undefined && match?.kinds && !match.kinds.includes(kind)) return false;
  const isCovered = (namespace: string) =>
    isAnyNamespace(namespace) ||
    (!exceptions.some((exception) => exception.namespaces.includes(namespace)) && (match?.namespaces?.includes(namespace) ?? true));
  if (!namespaces.some(isCovered)) return false;
  const labels = isFields(object.metadata?.labels) ? object.metadata.labels : {};
  return Object.entries(match?.labels ?? {}).every(([name, value]) => labels[name] === value);
}

/**
 * Reports whether a value is above a limit. For a DaemonSet, only values of the same form are compared, a percentage with a percentage and
 * a
 * number with a number, since its manifest does not contain the number of nodes.
 */
function isAboveLimit(value: IntOrPercent, allowed: number | string): boolean {
  if (typeof value === 'number') return typeof allowed === 'number' && value > allowed;
  return typeof allowed === 'string' && parsePercent(value) > parsePercent(allowed as `${number}%`);
}

function checkAvailability(
  { kind, type, replicas, unavailable, maxAvailable }: EffectiveLimits,
  { neverBelow }: GuardrailPolicy,
): Violation[] {
  if (!neverBelow) return [];
  const required = neverBelow.available as IntOrPercent;
  if (replicas === undefined) {
    const isShare =
      typeof required === 'string' && typeof unavailable === 'string' && parsePercent(unavailable) > 100 - parsePercent(required);
    return isShare ? [{ kind: 'share', objectKind: kind, unavailable, required }] : [];
  }
  const floor = Math.min(scaleRoundedUp(required, replicas), maxAvailable);
  const available = Math.max(replicas - Number(unavailable), 0);
  return available < floor ? [{ kind: 'available', objectKind: kind, type, available, replicas, floor }] : [];
}

function checkExtraPods({ kind, replicas, surge }: EffectiveLimits, gpus: number, { atMost = {} }: GuardrailPolicy): Violation[] {
  const { extraPods, extraGpus } = atMost;
  const pods = extraPods === undefined || replicas === undefined ? extraPods : scaleRoundedUp(extraPods as IntOrPercent, replicas);
  const extraGpuCount = typeof surge === 'number' ? surge * gpus : 0;
  return [
    ...(pods !== undefined && isAboveLimit(surge, pods)
      ? [{ kind: 'extraPods', objectKind: kind, extra: surge, allowed: pods } as const]
      : []),
    ...(extraGpus !== undefined && extraGpuCount > extraGpus
      ? [{ kind: 'extraGpus', objectKind: kind, extra: extraGpuCount, allowed: extraGpus } as const]
      : []),
  ];
}

function hasReadinessProbe(workload: Manifest): boolean {
  return getListAt(workload, 'spec', 'template', 'spec', 'containers').some((container) =>
    isFields(getValueAt(container, 'readinessProbe')),
  );
}

/** Checks for a budget that lets no pod be evicted, however many pods there are. */
function checkEviction(budget: Manifest, { requireEviction }: GuardrailPolicy): Violation[] {
  if (requireEviction !== true) return [];
  const { maxUnavailable, minAvailable } = getFieldsAt(budget, 'spec');
  const kind = budget.kind;
  if (maxUnavailable === 0 || /^0+%$/.test(toSafeText(maxUnavailable)))
    return [{ kind: 'eviction', objectKind: kind, field: 'maxUnavailable', value: toSafeText(maxUnavailable) }];
  return /^0*100%$/.test(toSafeText(minAvailable))
    ? [{ kind: 'eviction', objectKind: kind, field: 'minAvailable', value: toSafeText(minAvailable) }]
    : [];
}

/** Reports whether Flux fills in the replicas or the strategy of a workload after the check. That is an error of its own unless the user switches it off. */
function isFilledInLater(workload: Manifest, kind: GuardedKind): boolean {
  const { type, rollingUpdate } = getFieldsAt(workload, 'spec', strategyFieldOf(kind));
  const limits = ['maxSurge', 'maxUnavailable'].map((name) => getValueAt(rollingUpdate, name));
  return [getValueAt(workload, 'spec', 'replicas'), type, ...limits].some((value) => toSafeText(value).includes('${'));
}

/** Reports whether a policy requires something of workloads. */
function requiresOfWorkloads({ neverBelow, atMost, strategies, requireReadinessProbe, requireBudget }: GuardrailPolicy): boolean {
  return Boolean(neverBelow ?? atMost ?? strategies) || requireReadinessProbe === true || requireBudget === true;
}

/**
 * Returns what an object does that the guardrails do not allow, in the order in which the API server evaluates them. The API server reports
 * only the first violation, and none that depends on other objects.
 */
export function findViolations(object: Manifest, policy: GuardrailPolicy, context: GuardrailContext = {}): Violation[] {
  const { objects, setNamespacesOf = () => [], isRefused = () => false, placesOf = (each) => listNamespaces(each, () => []) } = context;
  if (!isGuarded(object, policy, listNamespaces(object, setNamespacesOf))) return [];
  const kind = findGuardedKind(object);
  if (kind === undefined) return checkEviction(object, policy);
  const limits = resolveEffectiveLimits(object, kind, context.keepsMaxUnavailable === true);
  if (!limits) return requiresOfWorkloads(policy) && !isFilledInLater(object, kind) ? [{ kind: 'unknown', objectKind: kind }] : [];
  const { strategies, requireReadinessProbe, requireBudget } = policy;
  const { type, replicas } = limits;
  const isBudgetRequired = requireBudget === true && objects !== undefined && replicas !== undefined && replicas > 1;
  const missing = isBudgetRequired ? findMissingBudget(object, { objects, setNamespacesOf, placesOf, isRefused }) : undefined;
  return [
    ...(strategies && !strategies.includes(type) ? [{ kind: 'strategy', objectKind: kind, type, allowed: strategies } as const] : []),
    ...checkAvailability(limits, policy),
    ...checkExtraPods(limits, countGpus(object), policy),
    ...(requireReadinessProbe === true && !hasReadinessProbe(object) ? [{ kind: 'probe', objectKind: kind } as const] : []),
    ...(missing ? [{ kind: 'budget', objectKind: kind, replicas: replicas!, ...missing } as const] : []),
  ];
}
