import { findMax } from '../core/values/min-max';
import { addToGroup } from '../core/collections/group-by';
import { parsePercent, scaleRoundedUp } from '../core/values/int-or-percent';
import type { IntOrPercent } from '../core/values/int-or-percent';
import { matchesLabelSelector } from '../core/values/label-selector';
import { isAnyNamespace } from '../core/manifest/any-namespace';
import { isLocalConfig } from '../core/sources/local-config';
import {
  annotationOf,
  getFieldsAt,
  hasMetadataValue,
  groupOf,
  isFields,
  getListAt,
  nameOf,
  namespaceOf,
  getValueAt,
} from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { parseQuantityNumber } from '../core/values/quantity';
import { findGuardedKind, resolveEffectiveLimits, strategyFieldOf } from './effective-limits';
import type { EffectiveLimits, GuardedKind } from './effective-limits';
import type { GuardrailPolicy } from './policy';
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
  readonly setNamespacesOf?: (object: Manifest) => readonly string[];
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

/** Reports whether an object is a PodDisruptionBudget. */
function isDisruptionBudget(object: Manifest): boolean {
  return object.kind === 'PodDisruptionBudget' && groupOf(object) === 'policy';
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

/** Annotations with which a tool does not apply an object, or only for a phase of an apply. With values, those say so, and a label does too. @default - any value */
const NOT_KEPT_MARKS: readonly { readonly name: string; readonly values?: readonly string[] }[] = [
  { name: 'helm.sh/hook' },
  { name: 'argocd.argoproj.io/hook' },
  { name: 'kustomize.toolkit.fluxcd.io/reconcile', values: ['disabled'] },
  { name: 'kustomize.toolkit.fluxcd.io/ssa', values: ['ignore', 'ifnotpresent'] },
  { name: 'kapp.k14s.io/exists' },
  { name: 'kapp.k14s.io/noop' },
  { name: 'configmanagement.gke.io/managed', values: ['disabled'] },
  { name: 'configsync.gke.io/cluster-name-selector' },
  { name: 'werf.io/deploy-on' },
];

/** Reports whether every tool applies a budget, and it stays. */
function isAppliedByEveryTool(object: Manifest): boolean {
  if (isLocalConfig(object)) return false;
  return !NOT_KEPT_MARKS.some(({ name, values }) =>
    values ? values.some((value) => hasMetadataValue(object, name, value)) : annotationOf(object, name) !== undefined,
  );
}

/**
 * Metadata that the API server ignores in a new object, and refuses in an update unless the live object has the same.
 *
 * Source: apiserver v0.34 `pkg/registry/rest/update.go`, `BeforeUpdate`.
 */
const LIVE_FIELDS = ['resourceVersion', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'];

/** Reports whether a budget may be refused as an update, but not as a new object. */
function mayBeRefusedAsUpdate(budget: Manifest): boolean {
  const metadata = getFieldsAt(budget, 'metadata');
  return LIVE_FIELDS.some((field) => ![undefined, null, ''].includes(metadata[field] as undefined));
}

/** Returns the first label that the selector of a budget requires; undefined if it has only expressions. */
function firstLabelOf(budget: Manifest): readonly [string, unknown] | undefined {
  return Object.entries(getFieldsAt(budget, 'spec', 'selector', 'matchLabels'))[0];
}

/** Lists the owners of an object, each with all by which the garbage collector looks for it. */
function listOwners(object: Manifest): readonly string[] {
  const owners = getListAt(object, 'metadata', 'ownerReferences');
  return owners.map((owner) => JSON.stringify(['apiVersion', 'kind', 'name', 'uid'].map((field) => getValueAt(owner, field))));
}

/**
 * Reports whether a budget stays as long as a workload. A manifest cannot show that an owner exists, and without any the garbage collector
 * deletes the budget, so it must have each owner of the workload.
 */
function staysWith(budget: Manifest, workload: Manifest): boolean {
  const owners = new Set(listOwners(budget));
  const needed = listOwners(workload);
  return owners.size === 0 || (needed.length > 0 && needed.every((owner) => owners.has(owner)));
}

type SetNamespacesOf = NonNullable<GuardrailContext['setNamespacesOf']>;

/** Objects among which a budget is looked for. */
type BudgetContext = Required<Omit<GuardrailContext, 'keepsMaxUnavailable'>>;

/** Returns all namespaces in which an object may be: its own, and those that files around it may give to it. */
function listNamespaces(object: Manifest, setNamespacesOf: SetNamespacesOf): readonly string[] {
  return [...new Set([namespaceOf(object) ?? 'default', ...setNamespacesOf(object)])];
}

/**
 * Reports whether a budget is in each namespace in which a workload is. Files around one of the two may move it away from the other. If they
 * do not move both in the same way, what they move must not name another namespace itself, since a fleet.yaml may only set a default. Of several
 * files that move a budget, it is not known which decides, so the same must move the workload.
 */
function isInSameNamespaces(budget: Manifest, workload: Manifest, setNamespacesOf: SetNamespacesOf): boolean {
  const [moves, others] = [setNamespacesOf(budget), setNamespacesOf(workload)];
  const isMovedTo = (object: Manifest, to: readonly string[], target: string) =>
    to.every((namespace) => namespace === target) && (namespaceOf(object) ?? target) === target;
  if (moves.length > 0 && others.length === 0) return isMovedTo(budget, moves, namespaceOf(workload) ?? 'default');
  if (moves.length === 0 && others.length > 0) return isMovedTo(workload, others, namespaceOf(budget) ?? 'default');
  if (moves.length === 0) return (namespaceOf(budget) ?? 'default') === (namespaceOf(workload) ?? 'default');
  const isMovedAlike = moves.length === others.length && others.every((namespace) => moves.includes(namespace));
  return namespaceOf(budget) === namespaceOf(workload) && isMovedAlike;
}

const formatBudgetKey = (namespace: string, label: readonly [string, unknown] | undefined) => JSON.stringify([namespace, ...(label ?? [])]);

/** Budgets by namespace and the first label of their selectors. */
const BUDGETS = new WeakMap<readonly Manifest[], ReadonlyMap<string, readonly Manifest[]>>();

/**
 * Creates a function that reports whether a later budget of the same name replaces a budget, unless both protect the same pods. kubectl ignores
 * the files around one of the two that may move it to another namespace.
 */
function findMovedCopies(budgets: readonly Manifest[], setNamespacesOf: SetNamespacesOf): (budget: Manifest) => boolean {
  const isMoved = (budget: Manifest) => setNamespacesOf(budget).length > 0;
  const listKeys = (budget: Manifest, isCopyMoved: boolean) =>
    listNamespaces(budget, setNamespacesOf).map((namespace) => JSON.stringify([nameOf(budget), namespace, isCopyMoved]));
  const formatContent = (budget: Manifest) => JSON.stringify([budget.spec, listOwners(budget)]);
  const positions = new Map(budgets.map((budget, position) => [budget, position]));
  const lastCopies = new Map(budgets.flatMap((budget) => listKeys(budget, isMoved(budget)).map((key) => [key, budget])));
  return (budget) =>
    listKeys(budget, !isMoved(budget)).some((key) => {
      const last = lastCopies.get(key);
      return last !== undefined && positions.get(last)! > positions.get(budget)! && formatContent(last) !== formatContent(budget);
    });
}

/**
 * Lists the budgets that are applied. The last one of several copies decides, as it does for kubectl. If it is not certain that it replaces
 * the others, none of them counts. No tool applies an object without a name, such as one with a generateName.
 */
function listAppliedBudgets({ objects, setNamespacesOf, isRefused }: BudgetContext): readonly Manifest[] {
  const budgets = objects.filter((object) => isDisruptionBudget(object) && nameOf(object) !== '' && !isRefused(object));
  const copies = new Map<string, Manifest | undefined>();
  for (const budget of budgets) {
    const identity = JSON.stringify([nameOf(budget), namespaceOf(budget) ?? 'default', setNamespacesOf(budget)]);
    const isApplied = isAppliedByEveryTool(budget) && !(copies.has(identity) && mayBeRefusedAsUpdate(budget));
    copies.set(identity, isApplied ? budget : undefined);
  }
  const isReplaced = findMovedCopies(budgets, setNamespacesOf);
  return [...copies.values()].filter((budget) => budget !== undefined && !isReplaced(budget)) as Manifest[];
}

function indexBudgets(context: BudgetContext): ReadonlyMap<string, readonly Manifest[]> {
  const index = new Map<string, Manifest[]>();
  for (const budget of listAppliedBudgets(context))
    for (const namespace of listNamespaces(budget, context.setNamespacesOf))
      addToGroup(index, formatBudgetKey(namespace, firstLabelOf(budget)), budget);
  return index;
}

function hasDisruptionBudget(workload: Manifest, context: BudgetContext): boolean {
  const { objects, setNamespacesOf } = context;
  const budgets = BUDGETS.get(objects) ?? indexBudgets(context);
  BUDGETS.set(objects, budgets);
  const labels = getFieldsAt(workload, 'spec', 'template', 'metadata', 'labels');
  // The API server stores null as an empty label of a new object, and an apply to a live one deletes the label.
  const updated = Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== null));
  const protects = (budget: Manifest) =>
    [labels, updated].every((each) => matchesLabelSelector(getValueAt(budget, 'spec', 'selector'), each)) &&
    staysWith(budget, workload) &&
    isInSameNamespaces(budget, workload, setNamespacesOf);
  return listNamespaces(workload, setNamespacesOf).some((namespace) =>
    [undefined, ...Object.entries(labels)].some((label) => budgets.get(formatBudgetKey(namespace, label))?.some(protects)),
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
  const { objects, setNamespacesOf = () => [], isRefused = () => false } = context;
  if (!isGuarded(object, policy, listNamespaces(object, setNamespacesOf))) return [];
  const kind = findGuardedKind(object);
  if (kind === undefined) return checkEviction(object, policy);
  const limits = resolveEffectiveLimits(object, kind, context.keepsMaxUnavailable === true);
  if (!limits) return requiresOfWorkloads(policy) && !isFilledInLater(object, kind) ? [{ kind: 'unknown', objectKind: kind }] : [];
  const { strategies, requireReadinessProbe, requireBudget } = policy;
  const { type, replicas } = limits;
  const isBudgetMissing =
    requireBudget === true &&
    objects !== undefined &&
    replicas !== undefined &&
    replicas > 1 &&
    !hasDisruptionBudget(object, { objects, setNamespacesOf, isRefused });
  return [
    ...(strategies && !strategies.includes(type) ? [{ kind: 'strategy', objectKind: kind, type, allowed: strategies } as const] : []),
    ...checkAvailability(limits, policy),
    ...checkExtraPods(limits, countGpus(object), policy),
    ...(requireReadinessProbe === true && !hasReadinessProbe(object) ? [{ kind: 'probe', objectKind: kind } as const] : []),
    ...(isBudgetMissing ? [{ kind: 'budget', objectKind: kind, replicas } as const] : []),
  ];
}
