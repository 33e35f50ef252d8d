import type * as Cel from '@bufbuild/cel';
import type { CelFunc, CelValue } from '@bufbuild/cel';
import { createCall, mapParts } from './expression';
import type { Expression } from './expression';

/**
 * What the API server spends on one rule, and on all rules of one object.
 *
 * Source: apiserver v0.34 pkg/apis/cel/config.go, `PerCallLimit` and `RuntimeCELCostBudget`.
 */
export const COST_LIMITS = { rule: 1_000_000, object: 10_000_000 } as const;

export type CostLimit = keyof typeof COST_LIMITS;

const STEP_FUNCTION = 'step__';

/** An expression that counts each turn of its macros. */
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
 * Counts the turns of macros. Each costs the server one at least, for it reads the variable that holds what has come of the turns before
 * (cel-go v0.26 interpreter/runtimecost.go, `SelectAndIdentCost`): an object whose rules take more turns than the server spends is refused there.
 */
export class CostTracker {
  private ruleCost = 0;
  private objectCost = 0;

  beginObject(): void {
    this.ruleCost = 0;
    this.objectCost = 0;
  }

  /** The limit that the rules of the object are beyond. */
  get exceededLimit(): CostLimit | undefined {
    if (this.ruleCost > COST_LIMITS.rule) return 'rule';
    return this.objectCost > COST_LIMITS.object ? 'object' : undefined;
  }

  /** Evaluates a rule. */
  evaluateRule<Result>(evaluate: () => Result): Result {
    this.ruleCost = 0;
    return evaluate();
  }

  /** Counts what was counted before of the same value. */
  addCachedCost(cost: number): void {
    this.ruleCost = 0;
    this.objectCost += cost;
  }

  get totalCost(): number {
    return this.objectCost;
  }

  /** The function that counting expressions call; an error ends a macro. */
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
