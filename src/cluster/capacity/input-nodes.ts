import type { Fields } from '../../core/manifest/manifest';
import { memoizePerPlan } from '../context/context';
import type { PlanContext } from '../context/context';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import { CapacityError, parseClusterNode } from './parse-capacity';
import type { NodePool } from '../context/capacity';

/** Parses a Node of the input as a pool of one. Returns undefined if a part of it cannot be read, which is a separate finding. */
function tryParseNode(node: Fields): NodePool | undefined {
  try {
    return parseClusterNode(node);
  } catch (error) {
    if (error instanceof CapacityError) return undefined;
    throw error;
  }
}

const listInputNodes = memoizePerPlan((context) => context.all(CONTEXT_KINDS.node).flatMap((node) => tryParseNode(node) ?? []));

/** Returns the known nodes: those of the given capacity, or else the Nodes in the input. */
export function nodePoolsOf(context: PlanContext): readonly NodePool[] {
  const pools = context.capacity?.nodePools ?? [];
  return pools.length > 0 ? pools : listInputNodes(context);
}
