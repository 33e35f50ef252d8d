import type { PlanContext } from '../cluster/context';
import { CONTEXT_KINDS, formatKindKey, POD_KINDS } from '../cluster/context-kinds';
import { podSetsOf } from '../cluster/workload';
import type { SystemRollout } from '../cluster/workload';
import { groupOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** What counts the pods of several rollouts of its namespace together, or says of each what room it has. */
const COUNTING: ReadonlySet<string> = new Set(
  [CONTEXT_KINDS.podDisruptionBudget, CONTEXT_KINDS.resourceQuota, CONTEXT_KINDS.limitRange].map(formatKindKey),
);

/**
 * Tells whether what surrounds a rollout is the same whichever rollouts stand beside it: no capacity is given, it puts no pod on each node,
 * and nothing counts the pods of its namespace. Such rollouts are settled as they come, and what planning alone needs of them is let go:
 * input of any size holds few at once.
 *
 * @param objects - of the whole run, since a budget of one unit selects pods of another
 */
export function buildIndependencePredicate(
  objects: readonly Manifest[],
  { capacity }: Pick<PlanContext, 'capacity'>,
): (rollout: SystemRollout) => boolean {
  if (capacity !== undefined) return () => false;
  const counting = objects.filter((object) => COUNTING.has(formatKindKey({ group: groupOf(object), kind: object.kind })));
  const counted = new Set(counting.map((object) => namespaceOf(object) ?? ''));
  return (rollout) => podSetsOf(rollout).every(({ namespace = '', onePerNode }) => !onePerNode && !counted.has(namespace));
}

/** What is looked at where pods are counted alone. */
const COUNTED: ReadonlySet<string> = new Set([...COUNTING, ...[...Object.values(POD_KINDS), CONTEXT_KINDS.node].map(formatKindKey)]);

/** What rollouts that stand alone are planned among: the same without what counts pods in other namespaces, and without what it counts. */
export function buildIndependentContext(context: PlanContext): PlanContext {
  return { ...context, all: (kind) => (COUNTED.has(formatKindKey(kind)) ? [] : context.all(kind)) };
}
