import type * as Cel from '@bufbuild/cel';
import { getOwnValue } from '../../core/manifest/manifest';
import type { SchemaNode } from '../schema-node';
import { exceedsDepth, listParts } from './expression';
import type { Expression } from './expression';
import { inferType } from './expression-type';
import type { VariableTypes } from './expression-type';
import { exceedsParserDepth, simplifySyntax } from './simplify-syntax';

/** Types of CEL that a literal, a field or a conversion shows. */
type ScalarType = 'int' | 'uint' | 'double' | 'string' | 'bool';

const LITERAL_TYPES: Readonly<Record<string, ScalarType>> = {
  int64Value: 'int',
  uint64Value: 'uint',
  doubleValue: 'double',
  stringValue: 'string',
  boolValue: 'bool',
};

const FIELD_TYPES: Readonly<Record<string, ScalarType>> = { integer: 'int', number: 'double', string: 'string', boolean: 'bool' };

/** Formats whose text is another type in CEL. */
const CONVERTED_FORMATS: ReadonlySet<string> = new Set(['byte', 'date', 'date-time', 'duration']);

const CALL_TYPES: Readonly<Record<string, ScalarType>> = { size: 'int', int: 'int', uint: 'uint', double: 'double', string: 'string' };

/** Operators whose operands have one type, unless that of one is not known. Numbers of several types have an order, and none is equal to another. */
const EQUALITIES: ReadonlySet<string> = new Set(['_==_', '_!=_']);
const BOOLEAN_OPERATORS: ReadonlySet<string> = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_', '_&&_', '_||_', '!_', '@in', '_in_']);

/** Longest and deepest expression that is checked. */
const MAX_LENGTH = 10_000;
const MAX_DEPTH = 250;

const [MIN_INT, MAX_INT, MAX_UINT] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n];

function scalarTypeOfField(schema: SchemaNode | undefined): ScalarType | undefined {
  if (!schema || schema['x-kubernetes-int-or-string'] || CONVERTED_FORMATS.has(schema.format ?? '')) return undefined;
  return getOwnValue(FIELD_TYPES, schema.type ?? '');
}

/** Returns the type of an expression if it is certain. */
function scalarTypeOf(expression: Expression | undefined, types: VariableTypes): ScalarType | undefined {
  const exprKind = expression?.exprKind;
  switch (exprKind?.case) {
    case 'constExpr':
      return getOwnValue(LITERAL_TYPES, exprKind.value.constantKind.case ?? '');
    case 'identExpr':
    case 'selectExpr':
      if (exprKind.case === 'selectExpr' && exprKind.value.testOnly) return 'bool';
      return scalarTypeOfField(inferType(expression, types));
    case 'callExpr':
      if (exprKind.value.function === '_[_]') return scalarTypeOfField(inferType(expression, types));
      return BOOLEAN_OPERATORS.has(exprKind.value.function) ? 'bool' : getOwnValue(CALL_TYPES, exprKind.value.function);
    default:
      return undefined;
  }
}

/** Returns the types of the variables inside of an expression, whose own variables may have the same names. */
function typesInside({ exprKind }: Expression, types: VariableTypes): VariableTypes {
  if (exprKind.case !== 'comprehensionExpr') return types;
  const { iterVar, iterVar2, accuVar } = exprKind.value;
  const own = [iterVar, iterVar2, accuVar];
  return own.some((name) => types.has(name)) ? new Map([...types].filter(([name]) => !own.includes(name))) : types;
}

function findLiteralProblem({ exprKind }: Expression): string | undefined {
  if (exprKind.case !== 'constExpr') return undefined;
  const { constantKind } = exprKind.value;
  const isLarge =
    (constantKind.case === 'int64Value' && (constantKind.value < MIN_INT || constantKind.value > MAX_INT)) ||
    (constantKind.case === 'uint64Value' && constantKind.value > MAX_UINT);
  return isLarge ? `has the number ${String(constantKind.value)}, which does not fit into 64 bits` : undefined;
}

function findProblem(expression: Expression, types: VariableTypes): string | undefined {
  const literal = findLiteralProblem(expression);
  if (literal !== undefined) return literal;
  const { exprKind } = expression;
  if (exprKind.case === 'callExpr' && EQUALITIES.has(exprKind.value.function)) {
    const [left, right] = exprKind.value.args.map((operand) => scalarTypeOf(operand, types));
    if (left && right && left !== right) return `compares the types ${left} and ${right} with ${exprKind.value.function.slice(1, 3)}`;
  }
  const inside = typesInside(expression, types);
  for (const part of listParts(expression)) {
    const problem = findProblem(part, inside);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Returns why an expression of a schema does not compile on the API server, as the rest of a sentence about it: too many levels, a comparison of
 * two scalar types, a literal above 64 bits, or a result of another type. Undefined if none of these is certain.
 *
 * Source: cel-go v0.26 checker/checker.go, `_==_` of two types; parser/parser.go, literals.
 *
 * @param result type that the expression must have
 * @param hasOptionalOld whether `oldSelf` is an optional value
 */
export function findTypeMismatch(text: string, schema: SchemaNode, result: 'bool' | 'string', hasOptionalOld: boolean): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (exceedsParserDepth(text)) return 'nests its brackets and conditions 250 levels deep, and the API server reads only 249';
  const { parse } = require('@bufbuild/cel') as typeof Cel;
  let expression: Expression;
  try {
    expression = parse(simplifySyntax(text)).expr!;
  } catch {
    return undefined;
  }
  if (exceedsDepth(expression, MAX_DEPTH)) return undefined;
  const types = new Map([['self', schema], ...(hasOptionalOld ? [] : [['oldSelf', schema] as const])] as const);
  const type = scalarTypeOf(expression, types);
  return type !== undefined && type !== result ? `is of the type ${type} instead of ${result}` : findProblem(expression, types);
}
