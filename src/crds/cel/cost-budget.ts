import type * as Cel from '@bufbuild/cel';
import type { CelFunc, CelValue } from '@bufbuild/cel';
import { createCall, mapParts } from './expression';
import type { Expression } from './expression';

/**
 * Cost limits of the API server for one rule, and for all rules of one object.
 *
 * Source: apiserver v0.34 pkg/apis/cel/config.go, `PerCallLimit` and `RuntimeCELCostBudget`.
 */
export const COST_LIMITS = { rule: 1_000_000, object: 10_000_000 } as const;

export type CostLimit = keyof typeof COST_LIMITS;

const STEP_FUNCTION = 'step__';

/** Wraps the macros of an expression so that each iteration is counted. */
export function wrapMacrosWithCounter(expression: Expression): Expression {
  const wrapped = mapParts(expression, wrapMacrosWithCounter);
  const { exprKind } = wrapped;
  if (exprKind.case !== 'comprehensionExpr') return wrapped;
  const { loopCondition } = exprKind.value;
  return {
    ...wrapped,
    exprKind: { ...exprKind, value: { ...exprKind.value, loopCondition: createCall(STEP_FUNCTION, [loopCondition!]) } },
  };
}

/**
 * Counts the iterations of macros. Each one costs the server at least 1, since it reads the accumulator variable
 * (cel-go v0.26 interpreter/runtimecost.go, `SelectAndIdentCost`). If the rules of an object take more iterations than the limit, the
 * server refuses it.
 */
export class CostTracker {
  private ruleCost = 0;
  private objectCost = 0;

  beginObject(): void {
    this.ruleCost = 0;
    this.objectCost = 0;
  }

  /** Limit that the rules of the object exceed; undefined if they exceed none. */
  get exceededLimit(): CostLimit | undefined {
    if (this.ruleCost > COST_LIMITS.rule) return 'rule';
    return this.objectCost > COST_LIMITS.object ? 'object' : undefined;
  }

  /** Evaluates a rule with its own cost counter. */
  evaluateRule<Result>(evaluate: () => Result): Result {
    this.ruleCost = 0;
    return evaluate();
  }

  /** Adds the cost of an earlier evaluation of the same value. */
  addCachedCost(cost: number): void {
    this.ruleCost = 0;
    this.objectCost += cost;
  }

  get totalCost(): number {
    return this.objectCost;
  }

  /** Creates the function that counting expressions call. Its error ends a macro. */
  createStepFunction(cel: typeof Cel): CelFunc {
    const { DYN } = cel.CelScalar;
    return cel.celFunc(STEP_FUNCTION, [DYN], DYN, (condition: CelValue) => {
      this.ruleCost++;
      this.objectCost++;
      if (this.exceededLimit !== undefined) throw new Error('operation cancelled: actual cost limit exceeded');
      return condition;
    });
  }
}
