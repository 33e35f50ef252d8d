import type * as Cel from '@bufbuild/cel';

/** A part of a parsed expression. */
export type Expression = NonNullable<ReturnType<typeof Cel.parse>['expr']>;

/** What a part of one kind is made of. */
export type Kind<Case extends Expression['exprKind']['case']> = Extract<Expression['exprKind'], { readonly case: Case }>['value'];

function made(exprKind: Expression['exprKind']): Expression {
  return { $typeName: 'cel.expr.Expr', id: 0n, exprKind };
}

export function call(name: string, args: Expression[], target?: Expression): Expression {
  return made({ case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args, target } });
}

export function list(elements: Expression[]): Expression {
  return made({ case: 'listExpr', value: { $typeName: 'cel.expr.Expr.CreateList', elements, optionalIndices: [] } });
}

export function text(value: string): Expression {
  return made({
    case: 'constExpr',
    value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'stringValue', value } },
  });
}

export function variable(name: string): Expression {
  return made({ case: 'identExpr', value: { $typeName: 'cel.expr.Expr.Ident', name } });
}

const NEVER = made({
  case: 'constExpr',
  value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'boolValue', value: false } },
});

/** A value under a name, for one expression. */
export function bound(name: string, value: Expression, within: Expression): Expression {
  return made({
    case: 'comprehensionExpr',
    value: {
      $typeName: 'cel.expr.Expr.Comprehension',
      iterVar: 'unused__',
      iterVar2: '',
      iterRange: list([]),
      accuVar: name,
      accuInit: value,
      loopCondition: NEVER,
      loopStep: variable(name),
      result: within,
    },
  });
}

/** An expression whose parts are changed each by itself. */
export function withParts(expression: Expression, change: (part: Expression) => Expression): Expression {
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

/** An expression in which other expressions stand for names. */
export function filled(template: Expression, values: Readonly<Record<string, Expression>>): Expression {
  const { exprKind } = template;
  if (exprKind.case === 'identExpr' && Object.hasOwn(values, exprKind.value.name)) return values[exprKind.value.name]!;
  return withParts(template, (part) => filled(part, values));
}

/** `sets.contains`: the name that a call goes by, with its namespace. */
export function namespaceOf(expression: Expression | undefined): string | undefined {
  return expression?.exprKind.case === 'identExpr' ? expression.exprKind.value.name : undefined;
}

/** The parts that an expression is made of. */
export function partsOf(expression: Expression): readonly Expression[] {
  const parts: Expression[] = [];
  withParts(expression, (part) => {
    parts.push(part);
    return part;
  });
  return parts;
}
