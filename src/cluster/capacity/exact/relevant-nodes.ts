import type { DomainConstraint, ModelSpread, RolloutModel } from './rollout-model';

function pick<T>(list: readonly T[], indexes: readonly number[]): T[] {
  return indexes.map((index) => list[index]!);
}

/**
 * Leaves out nodes that decide nothing. A rollout of R pods uses at most R equal nodes for new pods, and at most R
 * have old ones, so that 2R + 1 of them behave like any larger number.
 */
export function selectRelevantNodes(model: RolloutModel): RolloutModel {
  const { nodes, oldByNode, oldLimitByNode, replicas } = model;
  const limit = 2 * replicas + 1;
  const empty = new Map<string, number>();
  const indexes = nodes.flatMap(({ signature }, index) => {
    if ((oldByNode?.[index] ?? 0) > 0) return [index];
    const count = (empty.get(signature) ?? 0) + 1;
    empty.set(signature, count);
    return count > limit ? [] : [index];
  });
  if (indexes.length === nodes.length) return model;
  const reduce = <Constraint extends DomainConstraint>(constraint: Constraint): Constraint => ({
    ...constraint,
    domainOf: pick(constraint.domainOf, indexes),
  });
  return {
    ...model,
    nodes: pick(nodes, indexes),
    ...(oldByNode && { oldByNode: pick(oldByNode, indexes) }),
    oldLimitByNode: pick(oldLimitByNode, indexes),
    spreads: model.spreads.map((spread): ModelSpread => ({ ...reduce(spread), isCounted: pick(spread.isCounted, indexes) })),
    antiAffinities: model.antiAffinities.map(reduce),
    ...(model.affinity && { affinity: { ...model.affinity, terms: model.affinity.terms.map(reduce) } }),
  };
}
