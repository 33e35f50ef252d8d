import type * as Cel from '@bufbuild/cel';
import type { CelFunc, CelValue } from '@bufbuild/cel';
import { ValidationLimitError } from '../validation-clock';
import { createCallCosts } from './call-cost';
import { createCall, mapParts } from './expression';
import type { Expression } from './expression';
import { createListConcatenation } from './shared-list';

/**
 * Cost limits of the API server for one rule, and for all rules of one object.
 *
 * Source: apiserver v0.34 pkg/apis/cel/config.go, `PerCallLimit` and `RuntimeCELCostBudget`.
 */
export const COST_LIMITS = { rule: 1_000_000, object: 10_000_000 } as const;

export type CostLimit = keyof typeof COST_LIMITS;

/** Why the evaluation of a rule was given up: it creates a value that is too large, or needs what rolloutkit does not do. */
type GivenUpReason = 'too-large' | 'precision' | 'pattern';

/** Maximum length of a text and of a list that a rule may create, in characters and items. An object has at most 3 MiB. */
const MAX_CREATED_SIZE = 16 * 1024 * 1024;

/** Number of steps between two checks of the clock. */
const STEPS_PER_TIME_CHECK = 256;

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
 * Counts the cost of rules: the iterations of macros, and the calls of functions whose cost depends on the size of their arguments.
 * Each iteration costs the server at least 1, since it reads the accumulator variable (cel-go v0.26 interpreter/runtimecost.go,
 * `SelectAndIdentCost`). If the count exceeds a limit, so does the server's, and the server refuses the object.
 *
 * The clock is checked too, because a few functions take longer than their cost.
 */
export class CostTracker {
  private ruleCost = 0;
  private objectCost = 0;
  private steps = 0;
  /** Set if the current rule was given up. */
  private givenUp: GivenUpReason | 'seconds' | undefined;

  /** @param isLate - reports whether the time budget is exceeded. @default - no time limit */
  constructor(private readonly isLate: () => boolean = () => false) {}

  beginObject(): void {
    this.ruleCost = 0;
    this.objectCost = 0;
  }

  /** Limit that the rules of the object exceed; undefined if they exceed none. */
  get exceededLimit(): CostLimit | undefined {
    if (this.ruleCost > COST_LIMITS.rule) return 'rule';
    return this.objectCost > COST_LIMITS.object ? 'object' : undefined;
  }

  /** Reason why the last rule was given up; undefined if it was evaluated. */
  get givenUpReason(): GivenUpReason | undefined {
    return this.givenUp === 'seconds' ? undefined : this.givenUp;
  }

  /** Evaluates a rule with its own cost counter. @throws ValidationLimitError if the time budget is exceeded */
  evaluateRule<Result>(evaluate: () => Result): Result {
    this.ruleCost = 0;
    this.givenUp = undefined;
    const result = evaluate();
    // The engine catches the error that ends the rule.
    if (this.givenUp === 'seconds') throw new ValidationLimitError('seconds');
    return result;
  }

  /** Adds the cost of an earlier evaluation of the same value. */
  addCachedCost(cost: number): void {
    this.ruleCost = 0;
    this.objectCost += cost;
  }

  get totalCost(): number {
    return this.objectCost;
  }

  private charge(cost: number): void {
    this.ruleCost += cost;
    this.objectCost += cost;
    if (this.exceededLimit !== undefined) throw new Error('operation cancelled: actual cost limit exceeded');
  }

  /** Counts steps before the next check of the time. */
  addSteps(steps: number): void {
    this.steps += steps;
  }

  /** Counts steps that cost nothing but take time. @throws if the time budget is exceeded */
  readonly tick = (steps = 1): void => {
    this.steps += steps;
    if (this.givenUp === undefined) {
      if (this.steps < STEPS_PER_TIME_CHECK) return;
      this.steps = 0;
      if (!this.isLate()) return;
    }
    this.givenUp ??= 'seconds';
    throw new Error('the evaluation was given up');
  };

  /** Reserves a text or list that a function creates. @throws if it is too large */
  readonly reserve = (size: number): void => {
    if (size > MAX_CREATED_SIZE) this.givenUp ??= 'too-large';
    if (this.givenUp !== undefined) throw new Error('the evaluation was given up');
  };

  /** Gives up a rule that formats a number with too many decimal places. @throws always */
  readonly rejectPrecision = (): never => {
    this.givenUp ??= 'precision';
    throw new Error('the evaluation was given up');
  };

  /** Gives up a rule that searches a long text for a long pattern. @throws always */
  readonly rejectPattern = (): never => {
    this.givenUp ??= 'pattern';
    throw new Error('the evaluation was given up');
  };

  /** Creates the function that counting expressions call. Its error ends a macro. */
  createStepFunction(cel: typeof Cel): CelFunc {
    const { DYN } = cel.CelScalar;
    return cel.celFunc(STEP_FUNCTION, [DYN], DYN, (condition: CelValue) => {
      this.tick();
      this.charge(1);
      return condition;
    });
  }

  /** Returns an environment whose functions are charged before they run. An error there ends the entire rule. */
  meterCalls(cel: typeof Cel, env: Cel.CelEnv): Cel.CelEnv {
    const costs = createCallCosts(cel);
    const concatenate = createListConcatenation(cel, this.reserve);
    const find = (name: string) => {
      const found = env.funcs.find(name);
      const cost = costs.get(name);
      if (!found) return undefined;
      const call: typeof found.call = (id, target, args) => {
        this.tick();
        const units = cost ? cost(target === undefined ? args : [target, ...args]) : 0;
        // What costs 1 may also be a part of a macro that costs the server less.
        if (units > 1) this.charge(units);
        const [left, right] = args;
        if (name === '_+_' && cel.isCelList(left) && cel.isCelList(right)) return concatenate(left, right);
        return found.call(id, target, args);
      };
      return Object.create(found, { call: { value: call } }) as typeof found;
    };
    const funcs = Object.create(env.funcs, { find: { value: find } }) as typeof env.funcs;
    return Object.create(env, { funcs: { value: funcs } }) as Cel.CelEnv;
  }
}
