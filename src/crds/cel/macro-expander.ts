import type * as Cel from '@bufbuild/cel';
import {
  bindVariable,
  createCall,
  fillTemplate,
  createList,
  identifierOf,
  listParts,
  createString,
  createVariable,
  mapParts,
} from './expression';
import type { Expression, ExpressionKind } from './expression';
import { itemTypeOf, inferType, formatZero } from './expression-type';
import type { VariableTypes } from './expression-type';
import { OPTIONAL_CALLS } from './simplify-syntax';
import { getOwnValue } from '../../core/manifest/manifest';

/*
 * Macros that the evaluator lacks, rewritten with those that it has. An optional value is a list with one item or none, so `optMap` becomes
 * `map`.
 */

/** Macros with two variables, rewritten as macros with one variable over pairs. Source: cel-go v0.26 ext/comprehensions.go. */
const PAIR_MACROS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  all: { 3: 'pairs__.all(pair__, last__)' },
  exists: { 3: 'pairs__.exists(pair__, last__)' },
  exists_one: { 3: 'pairs__.exists_one(pair__, last__)' },
  existsOne: { 3: 'pairs__.exists_one(pair__, last__)' },
  transformList: { 3: 'pairs__.map(pair__, last__)', 4: 'pairs__.map(pair__, filter__, last__)' },
  transformMap: { 3: 'map_of__(pairs__.map(pair__, [key__, last__]))', 4: 'map_of__(pairs__.map(pair__, filter__, [key__, last__]))' },
  transformMapEntry: { 3: 'merged__(pairs__.map(pair__, last__))', 4: 'merged__(pairs__.map(pair__, filter__, last__))' },
};

/** A macro with two variables: the index or key, and the item or value. */
export interface PairMacro {
  readonly target: Expression;
  readonly key: string;
  readonly value: string;
  /** The parts that are evaluated for each pair. */
  readonly bodies: readonly Expression[];
}

/** Reads a call as a macro with two variables; undefined if it is none. */
export function readPairMacro({ function: name, target, args }: ExpressionKind<'callExpr'>): PairMacro | undefined {
  const [key, value] = args.slice(0, 2).map(identifierOf);
  if (target === undefined || key === undefined || value === undefined) return undefined;
  return getOwnValue(PAIR_MACROS, name)?.[args.length] === undefined ? undefined : { target, key, value, bodies: args.slice(2) };
}

/**
 * Macros that bind a value to a name, and functions whose second argument is evaluated only if it is needed. Source: cel-go v0.26
 * cel/library.go, ext/lists.go.
 */
const BINDING_MACROS = {
  orValue: 'size(target__) > 0 ? target__[0] : second__',
  or: 'size(target__) > 0 ? target__ : second__',
  sortBy: 'sorted__(target__, target__.map(item__, second__))',
} as const;

function isBindingMacro(name: string): name is keyof typeof BINDING_MACROS {
  return Object.hasOwn(BINDING_MACROS, name);
}

/** Reports whether a call with a target is a macro that is rewritten here. */
function isMacro(name: string, args: readonly Expression[]): boolean {
  const [key, value] = args.map(identifierOf);
  const hasOneVariable = args.length === 2 && key !== undefined;
  if (name === 'sum') return args.length === 0;
  if (name === 'optMap' || name === 'optFlatMap' || name === 'sortBy') return hasOneVariable;
  if (isBindingMacro(name)) return args.length === 1;
  return key !== undefined && value !== undefined && getOwnValue(PAIR_MACROS, name)?.[args.length] !== undefined;
}

/** Functions that return an optional value. */
const OPTIONAL_RESULT_FUNCTIONS: ReadonlySet<string> = new Set(['or', 'optMap', 'optFlatMap', 'validate', 'named', 'first', 'last']);
const OPTIONAL_CONSTRUCTORS: ReadonlySet<string> = new Set(['of', 'none', 'ofNonZeroValue']);

/** Known facts about the variables in scope. */
export interface Scope {
  /** Variables with optional values. */
  readonly optionals: ReadonlySet<string>;
  readonly types: VariableTypes;
}

/** Adds variables to a scope. They hide outer variables with the same name. */
function addToScope({ optionals, types }: Scope, variablesInScope: VariableTypes): Scope {
  return {
    optionals: new Set([...optionals].filter((name) => !variablesInScope.has(name))),
    types: new Map([...types, ...variablesInScope]),
  };
}

interface Expanded {
  readonly expression: Expression;
  readonly isOptional: boolean;
}

function isOptionalEntry(expression: Expression | undefined): boolean {
  return expression?.exprKind.case === 'callExpr' && expression.exprKind.value.function === OPTIONAL_CALLS.entry;
}

/** Returns the content of an optional entry. */
function unwrapOptionalEntry(expression: Expression): Expression {
  return expression.exprKind.case === 'callExpr' ? expression.exprKind.value.args[0]! : expression;
}

/** Expands the macros of one expression. */
export class MacroExpander {
  private readonly templates = new Map<string, Expression>();

  constructor(private readonly parse: typeof Cel.parse) {}

  expandExpression(expression: Expression, scope: Scope): Expression {
    return this.expand(expression, scope).expression;
  }

  private parseTemplate(template: string): Expression {
    const parsed = this.templates.get(template) ?? this.parse(template).expr;
    this.templates.set(template, parsed);
    return parsed;
  }

  private expand(expression: Expression, scope: Scope): Expanded {
    const inner = (part: Expression) => this.expand(part, scope).expression;
    const { exprKind } = expression;
    switch (exprKind.case) {
      case 'identExpr':
        return { expression, isOptional: scope.optionals.has(exprKind.value.name) };
      case 'selectExpr':
        return this.expandSelect(expression, exprKind.value, scope);
      case 'listExpr': {
        const { elements } = exprKind.value;
        if (!elements.some(isOptionalEntry)) return { expression: mapParts(expression, inner), isOptional: false };
        const parts = elements.map((each) => (isOptionalEntry(each) ? inner(unwrapOptionalEntry(each)) : createList([inner(each)])));
        return { expression: createCall('joined__', [createList(parts)]), isOptional: false };
      }
      case 'structExpr': {
        const entries = exprKind.value.entries.map(({ keyKind, value }) => ({ key: keyKind.value as Expression, value: value! }));
        if (!entries.some(({ key }) => isOptionalEntry(key))) return { expression: mapParts(expression, inner), isOptional: false };
        const parts = entries.map(({ key, value }) =>
          isOptionalEntry(key)
            ? createList([inner(unwrapOptionalEntry(key)), inner(value)])
            : createList([inner(key), createList([inner(value)])]),
        );
        return { expression: createCall('map_of_optional__', [createList(parts)]), isOptional: false };
      }
      case 'callExpr':
        return this.expandCall(expression, exprKind.value, scope);
      case 'comprehensionExpr':
        return { expression: this.expandComprehension(expression, exprKind.value, scope), isOptional: false };
      default:
        return { expression: mapParts(expression, inner), isOptional: false };
    }
  }

  private expandComprehension(
    expression: Expression,
    { iterRange, iterVar }: ExpressionKind<'comprehensionExpr'>,
    scope: Scope,
  ): Expression {
    const range = this.expand(iterRange!, scope).expression;
    const inner = addToScope(scope, new Map([[iterVar, itemTypeOf(inferType(range, scope.types))]]));
    return mapParts(expression, (part) => (part === iterRange ? range : this.expand(part, inner).expression));
  }

  /** Expands a selection. A selection from an optional value is optional. */
  private expandSelect(expression: Expression, { operand, field, testOnly }: ExpressionKind<'selectExpr'>, scope: Scope): Expanded {
    const expandedOperand = this.expand(operand!, scope);
    if (!expandedOperand.isOptional) return { expression: mapParts(expression, () => expandedOperand.expression), isOptional: false };
    const lookup = createCall('chosen__', [expandedOperand.expression, createString(field)]);
    return testOnly ? { expression: createCall('hasValue', [], lookup), isOptional: false } : { expression: lookup, isOptional: true };
  }

  private expandCall(expression: Expression, { function: name, target, args }: ExpressionKind<'callExpr'>, scope: Scope): Expanded {
    const inner = (part: Expression) => this.expand(part, scope);
    if (identifierOf(target) === 'optional' && OPTIONAL_CONSTRUCTORS.has(name))
      return { expression: this.buildOptional(name, args, scope), isOptional: true };
    if (name === OPTIONAL_CALLS.field || name === OPTIONAL_CALLS.index) {
      return { expression: this.buildOptionalLookup(inner(target!), inner(args[0]!).expression), isOptional: true };
    }
    if (name === '_[_]') {
      const [expandedOperand, key] = [inner(args[0]!), inner(args[1]!).expression];
      if (expandedOperand.isOptional) return { expression: this.buildOptionalLookup(expandedOperand, key), isOptional: true };
      return { expression: mapParts(expression, (part) => (part === args[0] ? expandedOperand.expression : key)), isOptional: false };
    }
    const macro = target && this.expandMacro(name, target, args, scope);
    if (macro) return { expression: macro, isOptional: OPTIONAL_RESULT_FUNCTIONS.has(name) };
    let isOptional = OPTIONAL_RESULT_FUNCTIONS.has(name);
    const result = mapParts(expression, (part) => {
      const expanded = inner(part);
      if (name === '_?_:_' && part !== args[0] && expanded.isOptional) isOptional = true;
      return expanded.expression;
    });
    return { expression: result, isOptional };
  }

  private buildOptional(name: string, args: readonly Expression[], scope: Scope): Expression {
    const parts = args.map((arg) => this.expand(arg, scope).expression);
    return name === 'ofNonZeroValue' ? createCall('of_non_zero__', parts) : createList(parts);
  }

  private buildOptionalLookup({ expression, isOptional }: Expanded, key: Expression): Expression {
    return createCall('chosen__', [isOptional ? expression : createList([expression]), key]);
  }

  private expandMacro(name: string, target: Expression, args: readonly Expression[], scope: Scope): Expression | undefined {
    // A target is expanded once: in a chain of calls, each would otherwise expand the ones before it twice.
    if (!isMacro(name, args)) return undefined;
    const expandedOperand = this.expand(target, scope).expression;
    const variables = args.map(identifierOf);
    const expandBody = (part: Expression, variablesInScope: VariableTypes) =>
      this.expand(part, addToScope(scope, variablesInScope)).expression;
    const [first, second] = args;
    const [key, value] = variables;
    const targetType = inferType(expandedOperand, scope.types);
    if (name === 'sum') return createCall('sum__', [expandedOperand, this.parseTemplate(formatZero(itemTypeOf(targetType)))]);
    const expandItemBody = () =>
      bindVariable(key!, createVariable('item__'), expandBody(second!, new Map([[key!, itemTypeOf(targetType)]])));
    if (name === 'optMap' || name === 'optFlatMap') {
      const mapped = fillTemplate(this.parseTemplate('target__.map(item__, second__)'), {
        target__: expandedOperand,
        second__: expandItemBody(),
      });
      return name === 'optMap' ? mapped : createCall('joined__', [mapped]);
    }
    if (isBindingMacro(name)) {
      const body = name === 'sortBy' ? expandItemBody() : expandBody(first!, new Map());
      return bindVariable('target__', expandedOperand, fillTemplate(this.parseTemplate(BINDING_MACROS[name]), { second__: body }));
    }
    const pairTemplate = getOwnValue(PAIR_MACROS, name)?.[args.length];
    if (pairTemplate === undefined || key === undefined || value === undefined) return undefined;
    const variablesInScope = new Map([
      [key, undefined],
      [value, itemTypeOf(targetType)],
    ] as const);
    const expandPairBody = (part: Expression) =>
      bindVariable(
        key,
        this.parseTemplate('pair__[0]'),
        bindVariable(value, this.parseTemplate('pair__[1]'), expandBody(part, variablesInScope)),
      );
    return fillTemplate(this.parseTemplate(pairTemplate), {
      pairs__: createCall('pairs__', [expandedOperand]),
      key__: this.parseTemplate('pair__[0]'),
      last__: expandPairBody(args.at(-1)!),
      ...(args.length === 4 && { filter__: expandPairBody(args[2]!) }),
    });
  }
}

/** Collects the functions that an expression calls, with their namespace: `size`, `sets.contains`. */
export function collectFunctionNames(expression: Expression, names: Set<string> = new Set()): Set<string> {
  const { exprKind } = expression;
  if (exprKind.case === 'callExpr') {
    const { function: name, target } = exprKind.value;
    const namespace = identifierOf(target);
    names.add(namespace !== undefined && NAMESPACES.has(namespace) ? `${namespace}.${name}` : name);
  }
  for (const part of listParts(expression)) collectFunctionNames(part, names);
  return names;
}

const NAMESPACES: ReadonlySet<string> = new Set(['optional', 'sets', 'ip', 'format', 'lists', 'strings', 'math', 'cel', 'base64', 'regex']);

/** Collects the variables that an expression uses. */
export function collectVariableNames(expression: Expression, names: Set<string> = new Set()): Set<string> {
  const name = identifierOf(expression);
  if (name !== undefined) names.add(name);
  for (const part of listParts(expression)) collectVariableNames(part, names);
  return names;
}
