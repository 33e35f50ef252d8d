import { escapeFieldName } from '../cel-value';
import { fieldSchemaOf, valueSchemaOf } from '../schema-node';
import type { SchemaNode } from '../schema-node';
import type { Expression, ExpressionKind } from './expression';
import { maxItemsOf } from './list-length';

/** Known types of variables. */
export type VariableTypes = ReadonlyMap<string, SchemaNode | undefined>;

/** Returns the types of the variables of a rule: the value that its schema describes, and the old one. */
export function listVariableTypes(schema: SchemaNode | undefined): VariableTypes {
  return new Map([
    ['self', schema],
    ['oldSelf', schema],
  ]);
}

const INTEGER: SchemaNode = { type: 'integer' };
const NUMBER: SchemaNode = { type: 'number' };
const DURATION: SchemaNode = { type: 'string', format: 'duration' };
/** No schema has this type, but the language does. */
const UNSIGNED: SchemaNode = { type: 'uint' };

const CONSTANT_TYPES: Readonly<Record<string, SchemaNode>> = { int64Value: INTEGER, uint64Value: UNSIGNED, doubleValue: NUMBER };

const CALL_TYPES: Readonly<Record<string, SchemaNode>> = {
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

function findPropertyType(schema: SchemaNode | undefined, field: string): SchemaNode | undefined {
  if (!schema) return undefined;
  const name = Object.keys(schema.properties ?? {}).find((each) => escapeFieldName(each) === field);
  return fieldSchemaOf(schema, name ?? field);
}

/** Returns the type of the items of a list or the values of a map. */
export function itemTypeOf(schema: SchemaNode | undefined): SchemaNode | undefined {
  return schema && (schema.items ?? valueSchemaOf(schema));
}

/** Returns the type of a sum. That of two lists has the items of both. */
function joinTypes(one: SchemaNode | undefined, other: SchemaNode | undefined): SchemaNode | undefined {
  if (one?.maxItems === undefined || other?.maxItems === undefined) return one ?? other;
  return { items: one.items ?? other.items, maxItems: one.maxItems + other.maxItems };
}

function inferCallType({ function: name, args, target }: ExpressionKind<'callExpr'>, types: VariableTypes): SchemaNode | undefined {
  if (Object.hasOwn(CALL_TYPES, name)) return CALL_TYPES[name];
  if (ARITHMETIC.has(name)) return joinTypes(inferType(args[0], types), inferType(args[1], types));
  if (name === '_?_:_') return inferType(args[1], types) ?? inferType(args[2], types);
  if (name === '_[_]' || name === 'sum__') return itemTypeOf(inferType(args[0], types));
  return target && (name === 'min' || name === 'max') ? itemTypeOf(inferType(target, types)) : undefined;
}

/** Returns the item that a loop step adds to a list; `map` and `filter` expand to such steps. */
function findAddedItem(step: Expression | undefined): Expression | undefined {
  if (step?.exprKind.case !== 'callExpr') return undefined;
  const { function: name, args } = step.exprKind.value;
  if (name === '_?_:_') return findAddedItem(args[1]);
  const last = args[1]?.exprKind;
  return name === '_+_' && last?.case === 'listExpr' ? last.value.elements[0] : undefined;
}

/** Reports whether a loop step builds a list, as those of `map` and `filter` do. */
export function isListBuilding(step: Expression | undefined): boolean {
  return findAddedItem(step) !== undefined;
}

function inferComprehensionType(
  { iterRange, iterVar, accuVar, accuInit, loopStep, result }: ExpressionKind<'comprehensionExpr'>,
  types: VariableTypes,
) {
  const item = findAddedItem(loopStep);
  if (!item) return inferType(result, new Map([...types, [accuVar, inferType(accuInit, types)]]));
  const range = inferType(iterRange, types);
  // The list has at most as many items as the one that the macro reads.
  return { items: inferType(item, new Map([...types, [iterVar, itemTypeOf(range)]])), maxItems: maxItemsOf(range) };
}

/** Infers the type of an expression if it is a number or a duration, or contains one; undefined if it is not known. */
export function inferType(expression: Expression | undefined, types: VariableTypes): SchemaNode | undefined {
  const exprKind = expression?.exprKind;
  switch (exprKind?.case) {
    case 'constExpr':
      return CONSTANT_TYPES[exprKind.value.constantKind.case ?? ''];
    case 'identExpr':
      return types.get(exprKind.value.name);
    case 'selectExpr':
      return findPropertyType(inferType(exprKind.value.operand, types), exprKind.value.field);
    case 'listExpr':
      return { items: inferType(exprKind.value.elements[0], types), maxItems: exprKind.value.elements.length };
    case 'callExpr':
      return inferCallType(exprKind.value, types);
    case 'comprehensionExpr':
      return inferComprehensionType(exprKind.value, types);
    default:
      return undefined;
  }
}

/** Formats the zero of a type as an expression; the zero of integers if the type is not known. */
export function formatZero(type: SchemaNode | undefined): string {
  if (type?.type === 'number') return '0.0';
  if (type?.type === 'uint') return '0u';
  return type?.format === 'duration' ? "duration('0s')" : '0';
}
