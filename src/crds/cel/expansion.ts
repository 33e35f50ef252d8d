import type * as Cel from '@bufbuild/cel';
import { bound, call, filled, list, namespaceOf, partsOf, text, variable, withParts } from './expression';
import type { Expression, Kind } from './expression';
import { itemType, typeOf, zeroOf } from './expression-type';
import type { Types } from './expression-type';
import { OPTIONAL_CALLS } from './optional-syntax';
import { ownValue } from '../../core/manifest';

/* Macros that the evaluator lacks, written with those that it has. An optional value is a list of one, or of none: `optMap` is `map` then. */

/** Macros of two variables, as macros of one over pairs. Source: cel-go v0.26 ext/comprehensions.go. */
const OVER_PAIRS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  all: { 3: 'pairs__.all(pair__, last__)' },
  exists: { 3: 'pairs__.exists(pair__, last__)' },
  exists_one: { 3: 'pairs__.exists_one(pair__, last__)' },
  existsOne: { 3: 'pairs__.exists_one(pair__, last__)' },
  transformList: { 3: 'pairs__.map(pair__, last__)', 4: 'pairs__.map(pair__, filter__, last__)' },
  transformMap: { 3: 'map_of__(pairs__.map(pair__, [key__, last__]))', 4: 'map_of__(pairs__.map(pair__, filter__, [key__, last__]))' },
  transformMapEntry: { 3: 'merged__(pairs__.map(pair__, last__))', 4: 'merged__(pairs__.map(pair__, filter__, last__))' },
};

/** Macros with a value under a name, and functions whose second argument is evaluated only where it is needed. Source: cel-go v0.26 cel/library.go, ext/lists.go. */
const OVER_HELD = {
  orValue: 'size(held__) > 0 ? held__[0] : second__',
  or: 'size(held__) > 0 ? held__ : second__',
  sortBy: 'sorted__(held__, held__.map(item__, second__))',
} as const;

function isOverHeld(name: string): name is keyof typeof OVER_HELD {
  return Object.hasOwn(OVER_HELD, name);
}

/** What gives an optional value. */
const GIVES_OPTIONAL: ReadonlySet<string> = new Set(['or', 'optMap', 'optFlatMap', 'validate', 'named', 'first', 'last']);
const OPTIONAL_OF: ReadonlySet<string> = new Set(['of', 'none', 'ofNonZeroValue']);

/** What is known of the variables in sight. */
export interface Scope {
  /** Those that hold optional values. */
  readonly optionals: ReadonlySet<string>;
  readonly types: Types;
}

/** A variable hides what goes by its name outside. */
function scoped({ optionals, types }: Scope, added: Types): Scope {
  return { optionals: new Set([...optionals].filter((name) => !added.has(name))), types: new Map([...types, ...added]) };
}

interface Expanded {
  readonly expression: Expression;
  readonly isOptional: boolean;
}

function isMarked(expression: Expression | undefined): boolean {
  return expression?.exprKind.case === 'callExpr' && expression.exprKind.value.function === OPTIONAL_CALLS.entry;
}

/** What an entry holds that is marked as optional. */
function unmarked(expression: Expression): Expression {
  return expression.exprKind.case === 'callExpr' ? expression.exprKind.value.args[0]! : expression;
}

/** Expands the macros of one expression. */
export class Expansion {
  private readonly templates = new Map<string, Expression>();

  constructor(private readonly parse: typeof Cel.parse) {}

  expanded(expression: Expression, scope: Scope): Expression {
    return this.expand(expression, scope).expression;
  }

  private template(written: string): Expression {
    const known = this.templates.get(written) ?? this.parse(written).expr;
    this.templates.set(written, known);
    return known;
  }

  private expand(expression: Expression, scope: Scope): Expanded {
    const inner = (part: Expression) => this.expand(part, scope).expression;
    const { exprKind } = expression;
    switch (exprKind.case) {
      case 'identExpr':
        return { expression, isOptional: scope.optionals.has(exprKind.value.name) };
      case 'selectExpr':
        return this.selected(expression, exprKind.value, scope);
      case 'listExpr': {
        const { elements } = exprKind.value;
        if (!elements.some(isMarked)) return { expression: withParts(expression, inner), isOptional: false };
        const parts = elements.map((each) => (isMarked(each) ? inner(unmarked(each)) : list([inner(each)])));
        return { expression: call('joined__', [list(parts)]), isOptional: false };
      }
      case 'structExpr': {
        const entries = exprKind.value.entries.map(({ keyKind, value }) => ({ key: keyKind.value as Expression, value: value! }));
        if (!entries.some(({ key }) => isMarked(key))) return { expression: withParts(expression, inner), isOptional: false };
        const parts = entries.map(({ key, value }) =>
          isMarked(key) ? list([inner(unmarked(key)), inner(value)]) : list([inner(key), list([inner(value)])]),
        );
        return { expression: call('map_of_optional__', [list(parts)]), isOptional: false };
      }
      case 'callExpr':
        return this.called(expression, exprKind.value, scope);
      case 'comprehensionExpr':
        return { expression: this.comprehended(expression, exprKind.value, scope), isOptional: false };
      default:
        return { expression: withParts(expression, inner), isOptional: false };
    }
  }

  private comprehended(expression: Expression, { iterRange, iterVar }: Kind<'comprehensionExpr'>, scope: Scope): Expression {
    const range = this.expand(iterRange!, scope).expression;
    const inner = scoped(scope, new Map([[iterVar, itemType(typeOf(range, scope.types))]]));
    return withParts(expression, (part) => (part === iterRange ? range : this.expand(part, inner).expression));
  }

  /** After an optional selection every further one is optional. */
  private selected(expression: Expression, { operand, field, testOnly }: Kind<'selectExpr'>, scope: Scope): Expanded {
    const of = this.expand(operand!, scope);
    if (!of.isOptional) return { expression: withParts(expression, () => of.expression), isOptional: false };
    const chosen = call('chosen__', [of.expression, text(field)]);
    return testOnly ? { expression: call('hasValue', [], chosen), isOptional: false } : { expression: chosen, isOptional: true };
  }

  private called(expression: Expression, { function: name, target, args }: Kind<'callExpr'>, scope: Scope): Expanded {
    const inner = (part: Expression) => this.expand(part, scope);
    if (namespaceOf(target) === 'optional' && OPTIONAL_OF.has(name)) return { expression: this.made(name, args, scope), isOptional: true };
    if (name === OPTIONAL_CALLS.field || name === OPTIONAL_CALLS.index) {
      return { expression: this.chosen(inner(target!), inner(args[0]!).expression), isOptional: true };
    }
    if (name === '_[_]') {
      const [of, key] = [inner(args[0]!), inner(args[1]!).expression];
      if (of.isOptional) return { expression: this.chosen(of, key), isOptional: true };
      return { expression: withParts(expression, (part) => (part === args[0] ? of.expression : key)), isOptional: false };
    }
    const macro = target && this.macro(name, target, args, scope);
    if (macro) return { expression: macro, isOptional: GIVES_OPTIONAL.has(name) };
    let isOptional = GIVES_OPTIONAL.has(name);
    const whole = withParts(expression, (part) => {
      const expanded = inner(part);
      if (name === '_?_:_' && part !== args[0] && expanded.isOptional) isOptional = true;
      return expanded.expression;
    });
    return { expression: whole, isOptional };
  }

  private made(name: string, args: readonly Expression[], scope: Scope): Expression {
    const parts = args.map((arg) => this.expand(arg, scope).expression);
    return name === 'ofNonZeroValue' ? call('of_non_zero__', parts) : list(parts);
  }

  private chosen({ expression, isOptional }: Expanded, key: Expression): Expression {
    return call('chosen__', [isOptional ? expression : list([expression]), key]);
  }

  private macro(name: string, target: Expression, args: readonly Expression[], scope: Scope): Expression | undefined {
    const of = this.expand(target, scope).expression;
    const variables = args.map(namespaceOf);
    const within = (part: Expression, added: Types) => this.expand(part, scoped(scope, added)).expression;
    const [first, second] = args;
    const [key, value] = variables;
    const ofTarget = typeOf(of, scope.types);
    if (name === 'sum' && args.length === 0) return call('sum__', [of, this.template(zeroOf(itemType(ofTarget)))]);
    const isOfOne = args.length === 2 && key !== undefined;
    const ofItem = () => bound(key!, variable('item__'), within(second!, new Map([[key!, itemType(ofTarget)]])));
    if (isOfOne && (name === 'optMap' || name === 'optFlatMap')) {
      const mapped = filled(this.template('held__.map(item__, second__)'), { held__: of, second__: ofItem() });
      return name === 'optMap' ? mapped : call('joined__', [mapped]);
    }
    if (isOverHeld(name) && (name === 'sortBy' ? isOfOne : args.length === 1)) {
      const body = name === 'sortBy' ? ofItem() : within(first!, new Map());
      return bound('held__', of, filled(this.template(OVER_HELD[name]), { second__: body }));
    }
    const overPairs = ownValue(OVER_PAIRS, name)?.[args.length];
    if (overPairs === undefined || key === undefined || value === undefined) return undefined;
    const added = new Map([
      [key, undefined],
      [value, itemType(ofTarget)],
    ] as const);
    const ofPair = (part: Expression) =>
      bound(key, this.template('pair__[0]'), bound(value, this.template('pair__[1]'), within(part, added)));
    return filled(this.template(overPairs), {
      pairs__: call('pairs__', [of]),
      key__: this.template('pair__[0]'),
      last__: ofPair(args.at(-1)!),
      ...(args.length === 4 && { filter__: ofPair(args[2]!) }),
    });
  }
}

/** The functions that an expression calls, those of a namespace with it: `size`, `sets.contains`. */
export function calledIn(expression: Expression, names: Set<string> = new Set()): Set<string> {
  const { exprKind } = expression;
  if (exprKind.case === 'callExpr') {
    const { function: name, target } = exprKind.value;
    const namespace = namespaceOf(target);
    names.add(namespace !== undefined && NAMESPACES.has(namespace) ? `${namespace}.${name}` : name);
  }
  for (const part of partsOf(expression)) calledIn(part, names);
  return names;
}

const NAMESPACES: ReadonlySet<string> = new Set(['optional', 'sets', 'ip', 'format', 'lists', 'strings', 'math', 'cel', 'base64', 'regex']);

/** The variables that an expression names. */
export function namesIn(expression: Expression, names: Set<string> = new Set()): Set<string> {
  const name = namespaceOf(expression);
  if (name !== undefined) names.add(name);
  for (const part of partsOf(expression)) namesIn(part, names);
  return names;
}
