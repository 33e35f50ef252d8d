import type { SchemaNode } from '../schema-node';
import { itemTypeOf, inferType, isListBuilding, listVariableTypes } from './expression-type';
import type { VariableTypes } from './expression-type';
import { identifierOf, listParts } from './expression';
import type { Expression } from './expression';
import { maxItemsOf } from './list-length';
import { readPairMacro } from './macro-expander';
import type { PairMacro } from './macro-expander';

/**
 * Estimated cost above which the API server refuses a CRD because of one rule. Source: apiextensions-apiserver v0.34
 * pkg/apis/apiextensions/validation/validation.go, `StaticEstimatedCostLimit`.
 */
export const ESTIMATED_COST_LIMIT = 10_000_000;

/** Estimated cost above which it refuses a CRD because of all rules of a schema. Source: there, `StaticEstimatedCRDCostLimit`. */
export const ESTIMATED_SCHEMA_COST_LIMIT = 100_000_000;

/** Cost of one iteration without its content: of a macro that builds a list, and of any other. Source: cel-go v0.26 checker/cost.go. */
const ITERATION_COSTS = { list: 12, other: 3 } as const;

/** Returns what an expression reads a field, an item or an entry of: `o.c` for `o.c.d`. */
function getOperand({ exprKind }: Expression): Expression | undefined {
  if (exprKind.case === 'selectExpr') return exprKind.value.testOnly ? undefined : exprKind.value.operand;
  return exprKind.case === 'callExpr' && exprKind.value.function === '_[_]' ? exprKind.value.args[0] : undefined;
}

/** A variable, and what an expression reads of it. */
interface PathStart {
  readonly variable: string;
  /** Name of the field; undefined for an item or an entry. */
  readonly field?: string | undefined;
  /** Whether the expression is the variable itself. */
  readonly isVariable?: true;
}

/** Returns the variable that an expression reads something of: a field, an item, or all items by a macro. Undefined if it does not. */
function readVariablePart(expression: Expression): PathStart | undefined {
  const { exprKind } = expression;
  const pairs = exprKind.case === 'callExpr' ? readPairMacro(exprKind.value) : undefined;
  const range = exprKind.case === 'comprehensionExpr' ? exprKind.value.iterRange : pairs?.target;
  const variable = identifierOf(range ?? getOperand(expression));
  return variable === undefined ? undefined : { variable, field: exprKind.case === 'selectExpr' ? exprKind.value.field : undefined };
}

/** Returns how the path of a range begins; undefined if the range is more than fields, items and entries of a variable, so that it has no path. */
function readPathStart(range: Expression): PathStart | undefined {
  const variable = identifierOf(range);
  if (variable !== undefined) return { variable, isVariable: true };
  const operand = getOperand(range);
  return operand && (readVariablePart(range) ?? readPathStart(operand));
}

/** Variables that have a path of their own wherever they are used. */
const ROOT_VARIABLES: ReadonlySet<string> = new Set(['self', 'oldSelf']);

/** Reports whether an expression may replace a part of a path: it reads another part of a variable of a macro. */
function mayReplacePath(expression: Expression, path: PathStart): boolean {
  const part = readVariablePart(expression);
  const isSame = part?.variable === path.variable && (path.isVariable === true || part.field === path.field);
  if (part && !isSame && !ROOT_VARIABLES.has(part.variable)) return true;
  return listParts(expression).some((inner) => mayReplacePath(inner, path));
}

/**
 * Returns the least number of iterations that the API server counts for a macro over a range. cel-go looks up the length of a range by its path
 * once it knows the cost of the body, and the paths of a variable share memory: `o.a` in the body of `o.c.all(i, …)` makes the path of `o.c`
 * that of `o.a`, which may have any length. Source: cel-go v0.26 checker/cost.go, `costSelect` and `costComprehension`.
 */
function countMinIterations(range: Expression, bodies: readonly Expression[], types: VariableTypes): number {
  const path = readPathStart(range);
  const isReplaced = path && !ROOT_VARIABLES.has(path.variable) && bodies.some((body) => mayReplacePath(body, path));
  return isReplaced ? 0 : maxItemsOf(inferType(range, types));
}

/** Returns the type of the items of a range, if the API server knows it: an item of a list that a rule creates has no path. */
function pathTypeOf(range: Expression, types: VariableTypes) {
  return readPathStart(range) && itemTypeOf(inferType(range, types));
}

/** Returns a lower limit of the estimated cost of a macro with two variables. */
function estimatePairMacro({ target, key, value, bodies }: PairMacro, types: VariableTypes): number {
  const inner = new Map([...types, [key, undefined], [value, pathTypeOf(target, types)]] as const);
  const iteration = bodies.reduce<number>((cost, body) => cost + estimateMinCost(body, inner), ITERATION_COSTS.other);
  return estimateMinCost(target, types) + countMinIterations(target, bodies, types) * iteration;
}

/**
 * Returns a lower limit of the cost that the API server estimates for a rule when its CRD is created: the iterations of nested macros over
 * the longest lists that the schema allows. For example, `self.a.all(x, self.b.all(y, x != y))` over two lists of at most 1,000 integers
 * costs at least 1,000 × 1,000 × 3.
 */
function estimateMinCost(expression: Expression, types: VariableTypes): number {
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
  const inner = new Map([...types, [iterVar, pathTypeOf(iterRange!, types)]]);
  const iteration = ITERATION_COSTS[isListBuilding(loopStep) ? 'list' : 'other'] + estimateMinCost(loopStep!, inner);
  return estimateMinCost(iterRange!, types) + countMinIterations(iterRange!, [loopStep!], types) * iteration;
}

/** Reports whether the cost that the API server estimates for an expression of this schema is certain to exceed a limit. */
export function exceedsEstimate(expression: Expression, schema: SchemaNode | undefined, limit = ESTIMATED_COST_LIMIT): boolean {
  return estimateMinCost(expression, listVariableTypes(schema)) > limit;
}
