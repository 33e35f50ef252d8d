import { itemTypeOf, inferType, isListBuilding } from './expression-type';
import type { VariableTypes } from './expression-type';
import { listParts } from './expression';
import type { Expression } from './expression';
import { maxItemsOf } from './list-length';
import { readPairMacro } from './macro-expander';
import type { PairMacro } from './macro-expander';

/**
 * Estimated cost above which the API server refuses a CRD because of one rule. Source: apiextensions-apiserver v0.34
 * pkg/apis/apiextensions/validation/validation.go, `StaticEstimatedCostLimit`.
 */
export const ESTIMATED_COST_LIMIT = 10_000_000;

/** Cost of one iteration without its content: of a macro that builds a list, and of any other. Source: cel-go v0.26 checker/cost.go. */
const ITERATION_COSTS = { list: 12, other: 3 } as const;

/** Returns a lower limit of the estimated cost of a macro with two variables. */
function estimatePairMacro({ target, key, value, bodies }: PairMacro, types: VariableTypes): number {
  const range = inferType(target, types);
  const inner = new Map([...types, [key, undefined], [value, itemTypeOf(range)]] as const);
  const iteration = bodies.reduce<number>((cost, body) => cost + estimateMinCost(body, inner), ITERATION_COSTS.other);
  return estimateMinCost(target, types) + maxItemsOf(range) * iteration;
}

/**
 * Returns a lower limit of the cost that the API server estimates for a rule when its CRD is created: the iterations of nested macros over
 * the longest lists that the schema allows. For example, `self.a.all(x, self.b.all(y, x != y))` over two lists of at most 1,000 integers
 * costs at least 1,000 × 1,000 × 3.
 */
export function estimateMinCost(expression: Expression, types: VariableTypes): number {
  const { exprKind } = expression;
  const pairs = exprKind.case === 'callExpr' ? readPairMacro(exprKind.value) : undefined;
  if (pairs) return estimatePairMacro(pairs, types);
  if (exprKind.case !== 'comprehensionExpr') {
    const costs = listParts(expression).map((part) => estimateMinCost(part, types));
    // Only one branch of a condition is evaluated, and the estimate takes the more expensive one.
    const isCondition = exprKind.case === 'callExpr' && exprKind.value.function === '_?_:_';
    return isCondition ? (costs[0] ?? 0) + Math.max(costs[1] ?? 0, costs[2] ?? 0) : costs.reduce((sum, cost) => sum + cost, 0);
  }
  const { iterRange, iterVar, loopStep } = exprKind.value;
  const range = inferType(iterRange, types);
  const inner = new Map([...types, [iterVar, itemTypeOf(range)]]);
  const iteration = ITERATION_COSTS[isListBuilding(loopStep) ? 'list' : 'other'] + estimateMinCost(loopStep!, inner);
  return estimateMinCost(iterRange!, types) + maxItemsOf(range) * iteration;
}
