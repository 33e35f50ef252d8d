import type * as Cel from '@bufbuild/cel';
import { isAtLeast } from '../../core/values/versions';
import type { UnevaluatedReason } from '../rules/rule-not-evaluated';
import { exceedsDepth } from './expression';
import type { Expression } from './expression';
import { FUNCTION_SINCE } from './function-versions';
import { collectFunctionNames } from './macro-expander';
import { UNWORDED_FORMAT } from './named-formats';
import { exceedsParserDepth, simplifySyntax } from './simplify-syntax';

/** Functions that can read the error messages in the result of `validate`, the check of a named format. */
const MESSAGE_CONSUMERS = ['value', 'or', 'orValue', 'optMap', 'optFlatMap'] as const;

/** The format whose error messages rolloutkit does not know, and `format.named`, which may return that format. */
const UNWORDED_FORMATS = [UNWORDED_FORMAT, 'format.named'] as const;

/** Maximum length of an expression in characters, as in the API server. Source: cel-go v0.26 parser/parser.go. */
const MAX_EXPRESSION_LENGTH = 100_000;

/** Maximum depth of an expression. cel-go allows 250 levels, but counts chains of `&&` and `||` differently. */
const MAX_EXPRESSION_DEPTH = 500;

/** Reports whether a function is an operator such as `_+_`. Names of operators do not begin with a letter. */
function isOperator(name: string): boolean {
  return !/^[A-Za-z]/.test(name);
}

/** Returns why an expression is not evaluated because of a function that it calls; undefined if it calls none of these. */
function findUnsupportedCall(expression: Expression, kubernetesVersion: string): UnevaluatedReason | undefined {
  const calledNames = [...collectFunctionNames(expression)].filter((name) => !isOperator(name));
  const names = calledNames.filter((name) => !FUNCTION_SINCE.has(name));
  if (names.length > 0) return { why: 'functions', names };
  const newer = calledNames.filter((name) => !isAtLeast(kubernetesVersion, FUNCTION_SINCE.get(name)!));
  if (newer.length > 0) return { why: 'newer', names: newer, since: FUNCTION_SINCE.get(newer[0]!)!, version: kubernetesVersion };
  const unwordedFormats = calledNames.includes('validate') ? UNWORDED_FORMATS.filter((name) => calledNames.includes(name)) : [];
  const isWorded = unwordedFormats.length === 0 || !MESSAGE_CONSUMERS.some((name) => calledNames.includes(name));
  return isWorded ? undefined : { why: 'functions', names: unwordedFormats };
}

/** Parses an expression, without the macros that the parser lacks. Returns why it is not evaluated if rolloutkit or the API server cannot do it. */
export function parseExpression(text: string, kubernetesVersion: string): Expression | UnevaluatedReason {
  if (text.length > MAX_EXPRESSION_LENGTH || exceedsParserDepth(text)) return { why: 'size' };
  const { parse } = require('@bufbuild/cel') as typeof Cel;
  let expression: Expression;
  try {
    expression = parse(simplifySyntax(text)).expr;
  } catch (error) {
    // The parser calls itself for each call in a chain of thousands, which is also deeper than an expression may be.
    return { why: error instanceof RangeError ? 'size' : 'syntax' };
  }
  if (exceedsDepth(expression, MAX_EXPRESSION_DEPTH)) return { why: 'size' };
  return findUnsupportedCall(expression, kubernetesVersion) ?? expression;
}
