import { getFieldsAt, nameOf } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { CONTEXT_KINDS } from '../../context-kinds';
import { memoizePerPlan } from '../../context';
import type { PlanContext } from '../../context';

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
