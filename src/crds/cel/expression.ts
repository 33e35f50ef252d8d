import type * as Cel from '@bufbuild/cel';

/** A node of a parsed CEL expression: the expression itself, or a part of it. */
export type Expression = NonNullable<ReturnType<typeof Cel.parse>['expr']>;

/** Content of an expression of one kind, such as the function and arguments of a `callExpr`. */
export type ExpressionKind<Case extends Expression['exprKind']['case']> = Extract<Expression['exprKind'], { readonly case: Case }>['value'];

function createExpression(exprKind: Expression['exprKind']): Expression {
  return { $typeName: 'cel.expr.Expr', id: 0n, exprKind };
}

export function createCall(name: string, args: Expression[], target?: Expression): Expression {
  return createExpression({ case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args, target } });
}

export function createList(elements: Expression[]): Expression {
  return createExpression({ case: 'listExpr', value: { $typeName: 'cel.expr.Expr.CreateList', elements, optionalIndices: [] } });
}

export function createString(value: string): Expression {
  return createExpression({
    case: 'constExpr',
    value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'stringValue', value } },
  });
}

export function createVariable(name: string): Expression {
  return createExpression({ case: 'identExpr', value: { $typeName: 'cel.expr.Expr.Ident', name } });
}

const NEVER = createExpression({
  case: 'constExpr',
  value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'boolValue', value: false } },
});

/** Binds a value to a name for one expression. CEL has no `let`, so this is a comprehension over an empty list, as in `cel.bind`. */
export function bindVariable(name: string, value: Expression, body: Expression): Expression {
  return createExpression({
    case: 'comprehensionExpr',
    value: {
      $typeName: 'cel.expr.Expr.Comprehension',
      iterVar: 'unused__',
      iterVar2: '',
      iterRange: createList([]),
      accuVar: name,
      accuInit: value,
      loopCondition: NEVER,
      loopStep: createVariable(name),
      result: body,
    },
  });
}

/** Returns an expression with each of its direct parts changed. */
export function mapParts(expression: Expression, change: (part: Expression) => Expression): Expression {
  const { exprKind } = expression;
  const maybe = (part: Expression | undefined) => part && change(part);
  switch (exprKind.case) {
    case 'selectExpr':
      return { ...expression, exprKind: { ...exprKind, value: { ...exprKind.value, operand: maybe(exprKind.value.operand) } } };
    case 'callExpr': {
      const { args, target } = exprKind.value;
      return { ...expression, exprKind: { ...exprKind, value: { ...exprKind.value, args: args.map(change), target: maybe(target) } } };
    }
    case 'listExpr':
      return { ...expression, exprKind: { ...exprKind, value: { ...exprKind.value, elements: exprKind.value.elements.map(change) } } };
    case 'structExpr': {
      const entries = exprKind.value.entries.map((entry) => ({
        ...entry,
        keyKind: entry.keyKind.case === 'mapKey' ? { ...entry.keyKind, value: change(entry.keyKind.value) } : entry.keyKind,
        value: maybe(entry.value),
      }));
      return { ...expression, exprKind: { ...exprKind, value: { ...exprKind.value, entries } } };
    }
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value;
      const value = {
        ...exprKind.value,
        iterRange: maybe(iterRange),
        accuInit: maybe(accuInit),
        loopCondition: maybe(loopCondition),
        loopStep: maybe(loopStep),
        result: maybe(result),
      };
      return { ...expression, exprKind: { ...exprKind, value } };
    }
    default:
      return expression;
  }
}

/** Reports whether an expression is nested deeper than a limit. It does not call itself, so that any expression can be measured. */
export function exceedsDepth(expression: Expression, limit: number): boolean {
  let level: readonly Expression[] = [expression];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap(listParts);
  }
  return false;
}

/** Replaces the placeholders of a template with other expressions. */
export function fillTemplate(template: Expression, values: Readonly<Record<string, Expression>>): Expression {
  const { exprKind } = template;
  if (exprKind.case === 'identExpr' && Object.hasOwn(values, exprKind.value.name)) return values[exprKind.value.name]!;
  return mapParts(template, (part) => fillTemplate(part, values));
}

/** Returns the name of an identifier, such as `sets` in `sets.contains`; undefined for any other expression. */
export function identifierOf(expression: Expression | undefined): string | undefined {
  return expression?.exprKind.case === 'identExpr' ? expression.exprKind.value.name : undefined;
}

/** Returns the direct parts of an expression. */
export function listParts(expression: Expression): readonly Expression[] {
  const parts: Expression[] = [];
  mapParts(expression, (part) => {
    parts.push(part);
    return part;
  });
  return parts;
}
