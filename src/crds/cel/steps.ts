import type * as Cel from '@bufbuild/cel';
import type { CelFunc, CelValue } from '@bufbuild/cel';
import { call, withParts } from './expression';
import type { Expression } from './expression';

/**
 * What the API server spends on one rule, and on all rules of one object.
 *
 * Source: apiserver v0.34 pkg/apis/cel/config.go, `PerCallLimit` and `RuntimeCELCostBudget`.
 */
export const COST_LIMITS = { rule: 1_000_000, object: 10_000_000 } as const;

export type CostLimit = keyof typeof COST_LIMITS;

const STEP = 'step__';

/** An expression that counts each turn of its macros. */
export function counting(expression: Expression): Expression {
  const counted = withParts(expression, counting);
  const { exprKind } = counted;
  if (exprKind.case !== 'comprehensionExpr') return counted;
  const { loopCondition } = exprKind.value;
  return { ...counted, exprKind: { ...exprKind, value: { ...exprKind.value, loopCondition: call(STEP, [loopCondition!]) } } };
}

/**
 * Counts the turns of macros. Each costs the server one at least, for it reads the variable that holds what has come of the turns before
 * (cel-go v0.26 interpreter/runtimecost.go, `SelectAndIdentCost`): an object whose rules take more turns than the server spends is refused there.
 */
export class Steps {
  private inRule = 0;
  private inObject = 0;

  beginObject(): void {
    this.inRule = 0;
    this.inObject = 0;
  }

  /** The limit that the rules of the object are beyond. */
  get exceeded(): CostLimit | undefined {
    if (this.inRule > COST_LIMITS.rule) return 'rule';
    return this.inObject > COST_LIMITS.object ? 'object' : undefined;
  }

  /** Evaluates a rule. */
  of<Result>(evaluate: () => Result): Result {
    this.inRule = 0;
    return evaluate();
  }

  /** Counts what was counted before of the same value. */
  again(steps: number): void {
    this.inRule = 0;
    this.inObject += steps;
  }

  get ofObject(): number {
    return this.inObject;
  }

  /** The function that counting expressions call; an error ends a macro. */
  function(cel: typeof Cel): CelFunc {
    const { DYN } = cel.CelScalar;
    return cel.celFunc(STEP, [DYN], DYN, (condition: CelValue) => {
      this.inRule++;
      this.inObject++;
      if (this.exceeded !== undefined) throw new Error('operation cancelled: actual cost limit exceeded');
      return condition;
    });
  }
}
