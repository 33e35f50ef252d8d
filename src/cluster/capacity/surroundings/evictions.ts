import { getFieldsAt, getValueAt, nameOf } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { memoizePerPlan } from '../../context/context';
import type { PlanContext } from '../../context/context';
import { CONTEXT_KINDS } from '../../kinds/context-kinds';
import type { PodSet } from '../../rollout/pod-set';
import { buildUncertainEvaluation } from '../capacity-evaluation';
import type { CapacityEvaluation } from '../capacity-evaluation';
import type { ResourceLimit } from '../limits';
import type { RunningPod } from './running-pods';
import type { Surroundings } from './surroundings';

/** The reason if pods of lower priority may be evicted. */
export const PREEMPTION = 'preemption';

/** What is known of the old pods of a rollout. */
interface KnownOldPods {
  readonly spec?: Fields | undefined;
  /** The pods, if their nodes are known. */
  readonly located?: readonly RunningPod[] | undefined;
}

/** Returns the priority below which new pods may evict pods of others. Returns undefined if they evict none. */
export function findEvictionPriority(workload: PodSet, old: KnownOldPods, { context }: Surroundings): number | undefined {
  const spec = getFieldsAt(workload.template, 'spec');
  const { value, mayPreempt } = resolvePriority(spec, context);
  if (!mayPreempt) return undefined;
  if (value !== undefined) return value;
  // The class of the new pods is not in the input.
  const isSameClass = old.spec === undefined || old.spec.priorityClassName === spec.priorityClassName;
  return isSameClass && old.spec ? (resolvePriority(old.spec, context).value ?? Infinity) : Infinity;
}

/** Reports whether new pods may evict the old pods of their own rollout. */
export function canEvictOldPods(workload: PodSet, old: KnownOldPods, { context }: Surroundings): boolean {
  const { value, mayPreempt } = resolvePriority(getFieldsAt(workload.template, 'spec'), context);
  const oldPriority = old.spec && resolvePriority(old.spec, context).value;
  return mayPreempt && value !== undefined && oldPriority !== undefined && oldPriority < value;
}

/** Reports whether new pods may evict pods that are on the nodes. */
export function canPreempt(workload: PodSet, old: KnownOldPods, surroundings: Surroundings): boolean {
  const priority = findEvictionPriority(workload, old, surroundings);
  const mayEvictOthers = priority !== undefined && surroundings.podIndex().hasPriorityBelow(priority, old.located ?? []);
  return mayEvictOthers || canEvictOldPods(workload, old, surroundings);
}

/** Reports whether new pods of a set may evict running pods. */
export function canPreemptFor(podSet: PodSet, surroundings: Surroundings): boolean {
  const spec = podSet.oldTemplate && getFieldsAt(podSet.oldTemplate, 'spec');
  return canPreempt(podSet, { spec, located: surroundings.ownPods.get(podSet) ?? [] }, surroundings);
}

/** Returns the evaluation of a rollout that deadlocks unless pods of lower priority are evicted. */
export function toPossibleEviction({ verdict: { peakPods, podsThatFit } }: CapacityEvaluation): CapacityEvaluation {
  const message = 'May not fit: this depends on whether pods of lower priority are evicted.';
  return buildUncertainEvaluation({ peakPods, podsThatFit, because: [PREEMPTION], message });
}

/** The reason if the pods that are being deleted decide: they use what they have until they are gone. */
export const TERMINATING_PODS = 'pods that are being deleted';

/** Lists the pods on the nodes that are being deleted, except those of a set. */
export function listTerminatingPods({ podIndex, allOwnPods }: Surroundings, podSet: PodSet): readonly RunningPod[] {
  const own = new Set(allOwnPods.get(podSet));
  return podIndex().terminating.filter((pod) => !own.has(pod));
}

/** Computes what the pods that are being deleted use of a limit. */
export function computeTerminatingUse({ perPod }: ResourceLimit): bigint {
  let use = 0n;
  for (const [{ template }, amount] of perPod) {
    if (getValueAt(template, 'metadata', 'deletionTimestamp') !== undefined) use += amount;
  }
  return use;
}

/** The reason if pods decide whose requests were lowered, while their nodes still reserve more. */
const RESIZED_PODS = 'pods that are being resized';

/** Reports whether pods whose requests were lowered are on nodes, or in the namespace, of the new pods of some sets. */
function areLoweredPodsNear(podSets: readonly PodSet[], { podIndex, inventory }: Surroundings): boolean {
  return podIndex().pods.some(({ isLowered = false, namespace, nodeName = '' }) => {
    if (!isLowered) return false;
    const node = inventory().indexOf(nodeName);
    return podSets.some(
      (podSet) =>
        (podSet.namespace ?? 'default') === namespace || (node !== undefined && inventory().eligibleNodes(podSet, 'new').indexes.has(node)),
    );
  });
}

/** Returns the evaluation of a deadlock that may end once the nodes have lowered what they reserve for other pods. Returns undefined for any other. */
export function evaluateNextToLowered(
  { verdict: { verdict, peakPods, podsThatFit }, rejection }: Pick<CapacityEvaluation, 'verdict' | 'rejection'>,
  podSets: readonly PodSet[],
  surroundings: Surroundings | undefined,
): CapacityEvaluation | undefined {
  if (verdict !== 'deadlocks' || rejection || !surroundings || !areLoweredPodsNear(podSets, surroundings)) return undefined;
  const message = `May not fit: this depends on ${RESIZED_PODS}.`;
  return buildUncertainEvaluation({ peakPods, podsThatFit, because: [RESIZED_PODS], message });
}

/** Priorities of the classes that every cluster has. */
const SYSTEM_CLASSES: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

const listPriorityClasses = memoizePerPlan(
  (context) => new Map(context.all(CONTEXT_KINDS.priorityClass).map((priorityClass) => [nameOf(priorityClass), priorityClass])),
);

/** The priority of a pod, and whether it may evict pods of lower priority. */
export interface PodPriority {
  /** Undefined if the class is not in the input. */
  readonly value?: number;
  readonly mayPreempt: boolean;
}

/** Resolves the priority of the pods of a template, or of a running pod. */
export function resolvePriority(podSpec: Fields, context: PlanContext): PodPriority {
  const { priority, priorityClassName, preemptionPolicy } = podSpec;
  const classes = listPriorityClasses(context);
  const isNamed = typeof priorityClassName === 'string' && priorityClassName !== '';
  const ownClass = isNamed
    ? classes.get(priorityClassName)
    : [...classes.values()].find((candidate) => getFieldsAt({ candidate }, 'candidate').globalDefault === true);
  const mayPreempt = (preemptionPolicy ?? ownClass?.preemptionPolicy) !== 'Never';
  if (typeof priority === 'number') return { value: priority, mayPreempt };
  if (typeof ownClass?.value === 'number') return { value: ownClass.value, mayPreempt };
  if (!isNamed) return { value: 0, mayPreempt };
  return Object.hasOwn(SYSTEM_CLASSES, priorityClassName) ? { value: SYSTEM_CLASSES[priorityClassName]!, mayPreempt } : { mayPreempt };
}
