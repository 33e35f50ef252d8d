import { escapedName } from '../cel-value';
import { fieldOf, valuesOf } from '../schema-node';
import type { SchemaNode } from '../schema-node';
import type { Expression, Kind } from './expression';

/** What is known of the types of variables. */
export type Types = ReadonlyMap<string, SchemaNode | undefined>;

const INTEGER: SchemaNode = { type: 'integer' };
const NUMBER: SchemaNode = { type: 'number' };
const DURATION: SchemaNode = { type: 'string', format: 'duration' };
/** No schema says so; the language has it. */
const UNSIGNED: SchemaNode = { type: 'uint' };

const OF_CONSTANTS: Readonly<Record<string, SchemaNode>> = { int64Value: INTEGER, uint64Value: UNSIGNED, doubleValue: NUMBER };

const OF_CALLS: Readonly<Record<string, SchemaNode>> = {
  int: INTEGER,
  size: INTEGER,
  asInteger: INTEGER,
  indexOf: INTEGER,
  double: NUMBER,
  asApproximateFloat: NUMBER,
  uint: UNSIGNED,
  duration: DURATION,
};

const ARITHMETIC: ReadonlySet<string> = new Set(['_+_', '_-_', '_*_', '_/_', '_%_', '-_']);

function propertyOf(schema: SchemaNode | undefined, field: string): SchemaNode | undefined {
  if (!schema) return undefined;
  const name = Object.keys(schema.properties ?? {}).find((each) => escapedName(each) === field);
  return fieldOf(schema, name ?? field);
}

/** What a list or the values of a map are. */
export function itemType(schema: SchemaNode | undefined): SchemaNode | undefined {
  return schema && (schema.items ?? valuesOf(schema));
}

function ofCall({ function: name, args, target }: Kind<'callExpr'>, types: Types): SchemaNode | undefined {
  if (Object.hasOwn(OF_CALLS, name)) return OF_CALLS[name];
  if (ARITHMETIC.has(name)) return typeOf(args[0], types) ?? typeOf(args[1], types);
  if (name === '_?_:_') return typeOf(args[1], types) ?? typeOf(args[2], types);
  if (name === '_[_]' || name === 'sum__') return itemType(typeOf(args[0], types));
  return target && (name === 'min' || name === 'max') ? itemType(typeOf(target, types)) : undefined;
}

/** What a step adds to a list: what `map` and `filter` are made of. */
function addedBy(step: Expression | undefined): Expression | undefined {
  if (step?.exprKind.case !== 'callExpr') return undefined;
  const { function: name, args } = step.exprKind.value;
  if (name === '_?_:_') return addedBy(args[1]);
  const last = args[1]?.exprKind;
  return name === '_+_' && last?.case === 'listExpr' ? last.value.elements[0] : undefined;
}

function ofComprehension({ iterRange, iterVar, accuVar, accuInit, loopStep, result }: Kind<'comprehensionExpr'>, types: Types) {
  const item = addedBy(loopStep);
  if (!item) return typeOf(result, new Map([...types, [accuVar, typeOf(accuInit, types)]]));
  return { items: typeOf(item, new Map([...types, [iterVar, itemType(typeOf(iterRange, types))]])) };
}

/** What an expression gives, as far as that is a number or a duration, or holds one; undefined where it is not known. */
export function typeOf(expression: Expression | undefined, types: Types): SchemaNode | undefined {
  const exprKind = expression?.exprKind;
  switch (exprKind?.case) {
    case 'constExpr':
      return OF_CONSTANTS[exprKind.value.constantKind.case ?? ''];
    case 'identExpr':
      return types.get(exprKind.value.name);
    case 'selectExpr':
      return propertyOf(typeOf(exprKind.value.operand, types), exprKind.value.field);
    case 'listExpr':
      return { items: typeOf(exprKind.value.elements[0], types) };
    case 'callExpr':
      return ofCall(exprKind.value, types);
    case 'comprehensionExpr':
      return ofComprehension(exprKind.value, types);
    default:
      return undefined;
  }
}

/** The zero of a type, as an expression writes it; that of integers where the type is not known. */
export function zeroOf(type: SchemaNode | undefined): string {
  if (type?.type === 'number') return '0.0';
  if (type?.type === 'uint') return '0u';
  return type?.format === 'duration' ? "duration('0s')" : '0';
}
