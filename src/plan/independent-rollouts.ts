import type { PlanContext } from '../cluster/context';
import { CONTEXT_KINDS, formatKindKey, POD_KINDS } from '../cluster/context-kinds';
import { podSetsOf } from '../cluster/workload';
import type { SystemRollout } from '../cluster/workload';
import { groupOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** The kinds that count the pods of several rollouts of a namespace together, or limit each of them. */
const COUNTING_KINDS: ReadonlySet<string> = new Set(
  [CONTEXT_KINDS.podDisruptionBudget, CONTEXT_KINDS.resourceQuota, CONTEXT_KINDS.limitRange].map(formatKindKey),
);

/**
 * Builds a predicate for independent rollouts: those whose evaluation depends on no other rollout.
 * For these, no capacity and no Node is known, there is no pod per node, and no object counts the pods of their namespace.
 * They are not compared with the rollouts of other units.
 *
 * @param objects - of the entire run, since a budget of one unit selects pods of another
 */
export function buildIndependencePredicate(
  objects: readonly Manifest[],
  { capacity }: Pick<PlanContext, 'capacity'>,
): (rollout: SystemRollout) => boolean {
  const nodeKey = formatKindKey(CONTEXT_KINDS.node);
  const hasNodes = objects.some(
    (object) => object.kind === 'Node' && formatKindKey({ group: groupOf(object), kind: object.kind }) === nodeKey,
  );
  if (capacity !== undefined || hasNodes) return () => false;
  const countingObjects = objects.filter((object) => COUNTING_KINDS.has(formatKindKey({ group: groupOf(object), kind: object.kind })));
  const countedNamespaces = new Set(countingObjects.map((object) => namespaceOf(object) ?? ''));
  return (rollout) => podSetsOf(rollout).every(({ namespace = '', onePerNode }) => !onePerNode && !countedNamespaces.has(namespace));
}

/** The kinds that matter only when pods are counted. */
const COUNTED_KINDS: ReadonlySet<string> = new Set([
  ...COUNTING_KINDS,
  ...[...Object.values(POD_KINDS), CONTEXT_KINDS.node].map(formatKindKey),
]);

/** Builds the context of independent rollouts: without what counts pods in other namespaces, and without the pods counted there. */
export function buildIndependentContext(context: PlanContext): PlanContext {
  return { ...context, all: (kind) => (COUNTED_KINDS.has(formatKindKey(kind)) ? [] : context.all(kind)) };
}
