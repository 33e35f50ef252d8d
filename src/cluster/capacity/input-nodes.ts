import type { Fields } from '../../core/manifest';
import { memoizePerPlan } from '../context';
import type { PlanContext } from '../context';
import { CONTEXT_KINDS } from '../context-kinds';
import { CapacityError, parseClusterNode } from './capacity';
import type { NodePool } from './node-pools';

/** A Node of the input as a pool of one; undefined where a part of it can't be read, which is a finding of its own. */
function tryParseNode(node: Fields): NodePool | undefined {
  try {
    return parseClusterNode(node);
  } catch (error) {
    if (error instanceof CapacityError) return undefined;
    throw error;
  }
}

const listInputNodes = memoizePerPlan((context) => context.all(CONTEXT_KINDS.node).flatMap((node) => tryParseNode(node) ?? []));

/** The nodes that are known: those of the capacity given, else the Nodes among the objects. */
export function nodePoolsOf(context: PlanContext): readonly NodePool[] {
  const pools = context.capacity?.nodePools ?? [];
  return pools.length > 0 ? pools : listInputNodes(context);
}
