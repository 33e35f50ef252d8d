import { greatest } from '../core/extremes';
import { percentOf, scaledUp } from '../core/int-or-percent';
import type { IntOrPercent } from '../core/int-or-percent';
import { selects } from '../core/label-selector';
import { fieldsAt, groupOf, isFields, listAt, namespaceOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { quantityOf } from '../core/quantity';
import { guardedKind, paceOf } from './pace';
import type { Pace } from './pace';
import type { GuardrailPolicy } from './policy';
import { GPU } from './violation';
import type { Violation } from './violation';

/** What of the cluster and of the other objects a verdict has to know. */
export interface GuardedCluster {
  /** All objects that are judged together; among them are the budgets. @default - budgets are not asked for */
  readonly objects?: readonly Manifest[];
  /** Does the server keep the maxUnavailable of a StatefulSet? @default false, as Kubernetes 1.34 */
  readonly keepsMaxUnavailable?: boolean;
}

function gpusEach(containers: readonly unknown[]): number[] {
  return containers.map((container) => quantityOf(valueAt(container, 'resources', 'limits', GPU)) ?? 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * GPUs that a node has to have free for one pod: init containers run one after the other before the others, and sidecars beside all.
 * A sidecar counts beside the init containers before it as well, which the scheduler does not count: an expression can't ask for their order.
 *
 * Source: k8s.io/component-helpers v0.34 resource/helpers.go, `PodRequests`.
 */
function gpusOf(workload: Manifest): number {
  const [containers, inits] = [
    listAt(workload, 'spec', 'template', 'spec', 'containers'),
    listAt(workload, 'spec', 'template', 'spec', 'initContainers'),
  ];
  const isSidecar = (container: unknown) => valueAt(container, 'restartPolicy') === 'Always';
  const largestInit = greatest(gpusEach(inits.filter((container) => !isSidecar(container))), 0);
  return Math.max(sum(gpusEach(containers)), largestInit) + sum(gpusEach(inits.filter(isSidecar)));
}

/** Is this a PodDisruptionBudget? */
export function isBudget(object: Manifest): boolean {
  return object.kind === 'PodDisruptionBudget' && groupOf(object) === 'policy';
}

/** Do the guardrails hold for an object? */
export function isGuarded(object: Manifest, { match, exceptions = [] }: GuardrailPolicy): boolean {
  const kind = guardedKind(object);
  if (kind === undefined && !isBudget(object)) return false;
  if (kind !== undefined && match?.kinds && !match.kinds.includes(kind)) return false;
  const namespace = namespaceOf(object) ?? 'default';
  if (exceptions.some(({ namespaces }) => namespaces.includes(namespace))) return false;
  if (match?.namespaces && !match.namespaces.includes(namespace)) return false;
  const labels = isFields(object.metadata?.labels) ? object.metadata.labels : {};
  return Object.entries(match?.labels ?? {}).every(([name, value]) => labels[name] === value);
}

/** Of a DaemonSet a percentage is held against a percentage, and a number against a number: how many nodes there are does not stand in it. */
function isMore(value: IntOrPercent, allowed: number | string): boolean {
  if (typeof value === 'number') return typeof allowed === 'number' && value > allowed;
  return typeof allowed === 'string' && percentOf(value) > percentOf(allowed as `${number}%`);
}

function availability({ kind: of, type, replicas, unavailable, most }: Pace, { neverBelow }: GuardrailPolicy): Violation[] {
  if (!neverBelow) return [];
  const asked = neverBelow.available as IntOrPercent;
  if (replicas === undefined) {
    const isShare = typeof asked === 'string' && typeof unavailable === 'string' && percentOf(unavailable) > 100 - percentOf(asked);
    return isShare ? [{ kind: 'share', of, unavailable, asked }] : [];
  }
  const floor = Math.min(scaledUp(asked, replicas), most);
  const available = Math.max(replicas - Number(unavailable), 0);
  return available < floor ? [{ kind: 'available', of, type, available, replicas, floor }] : [];
}

function extras({ kind: of, replicas, surge }: Pace, gpus: number, { atMost = {} }: GuardrailPolicy): Violation[] {
  const { extraPods, extraGpus } = atMost;
  const pods = extraPods === undefined || replicas === undefined ? extraPods : scaledUp(extraPods as IntOrPercent, replicas);
  const wanted = typeof surge === 'number' ? surge * gpus : 0;
  return [
    ...(pods !== undefined && isMore(surge, pods) ? [{ kind: 'extraPods', of, extra: surge, allowed: pods } as const] : []),
    ...(extraGpus !== undefined && wanted > extraGpus ? [{ kind: 'extraGpus', of, extra: wanted, allowed: extraGpus } as const] : []),
  ];
}

function isProbed(workload: Manifest): boolean {
  return listAt(workload, 'spec', 'template', 'spec', 'containers').some((container) => isFields(valueAt(container, 'readinessProbe')));
}

function isCovered(workload: Manifest, objects: readonly Manifest[]): boolean {
  const labels = fieldsAt(workload, 'spec', 'template', 'metadata', 'labels');
  const namespace = namespaceOf(workload) ?? 'default';
  return objects.some(
    (object) =>
      isBudget(object) && (namespaceOf(object) ?? 'default') === namespace && selects(valueAt(object, 'spec', 'selector'), labels),
  );
}

/** A budget that lets no pod be evicted, however many there are. */
function blockedEvictions(budget: Manifest, { requireEviction }: GuardrailPolicy): Violation[] {
  if (requireEviction !== true) return [];
  const { maxUnavailable, minAvailable } = fieldsAt(budget, 'spec');
  const of = budget.kind;
  if (maxUnavailable === 0 || /^0+%$/.test(String(maxUnavailable)))
    return [{ kind: 'eviction', of, field: 'maxUnavailable', value: String(maxUnavailable) }];
  return /^0*100%$/.test(String(minAvailable)) ? [{ kind: 'eviction', of, field: 'minAvailable', value: String(minAvailable) }] : [];
}

/**
 * What an object does that the guardrails do not allow, in the order in which the cluster asks; it names the first alone,
 * and nothing of what other objects decide.
 */
export function violationsOf(object: Manifest, policy: GuardrailPolicy, cluster: GuardedCluster = {}): Violation[] {
  if (!isGuarded(object, policy)) return [];
  const kind = guardedKind(object);
  if (kind === undefined) return blockedEvictions(object, policy);
  const pace = paceOf(object, kind, cluster.keepsMaxUnavailable === true);
  if (!pace) return [];
  const { strategies, requireReadinessProbe, requireBudget } = policy;
  const { type, replicas } = pace;
  const isBudgetMissing =
    requireBudget === true &&
    cluster.objects !== undefined &&
    replicas !== undefined &&
    replicas > 1 &&
    !isCovered(object, cluster.objects);
  return [
    ...(strategies && !strategies.includes(type) ? [{ kind: 'strategy', of: kind, type, allowed: strategies } as const] : []),
    ...availability(pace, policy),
    ...extras(pace, gpusOf(object), policy),
    ...(requireReadinessProbe === true && !isProbed(object) ? [{ kind: 'probe', of: kind } as const] : []),
    ...(isBudgetMissing ? [{ kind: 'budget', of: kind, replicas } as const] : []),
  ];
}
