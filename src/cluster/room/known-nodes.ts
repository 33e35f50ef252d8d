import type { Fields } from '../../core/manifest';
import { oncePerPlan } from '../context';
import type { PlanContext } from '../context';
import { CONTEXT_KINDS } from '../context-kinds';
import { CapacityError, nodeOf } from './capacity';
import type { NodePool } from './node-pools';

/** A Node of the input as a pool of one; undefined where a part of it can't be read, which is a finding of its own. */
function readableNode(node: Fields): NodePool | undefined {
  try {
    return nodeOf(node);
  } catch (error) {
    if (error instanceof CapacityError) return undefined;
    throw error;
  }
}

const nodesInView = oncePerPlan((context) => context.all(CONTEXT_KINDS.node).flatMap((node) => readableNode(node) ?? []));

/** The nodes that are known: those of the capacity given, else the Nodes among the objects. */
export function nodePoolsOf(context: PlanContext): readonly NodePool[] {
  const pools = context.capacity?.nodePools ?? [];
  return pools.length > 0 ? pools : nodesInView(context);
}
