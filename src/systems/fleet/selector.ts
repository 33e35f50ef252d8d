import { isLabelKey, isLabelValue } from '../../core/label';
import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { seen } from '../../core/seen';
import type { Seen } from '../../core/seen';
import type { LabelSelector, LabelSelectorRequirement } from './types';

/** An object's labels. */
export type Labels = Readonly<Record<string, string>>;

const NO_LABELS: Labels = {};

/** A label that must have one of some values: what a selector can be looked up by. */
export interface LabelEquality {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

/** A selector made ready for many objects. */
export interface CompiledSelector {
  /** Absent labels are none. */
  matches(labels: Labels | undefined): boolean;
  /** Holds for every object that matches; absent where the selector asks for no particular value. */
  readonly equality?: LabelEquality;
}

interface Requirement {
  readonly key: string;
  readonly operator: LabelSelectorRequirement['operator'];
  readonly values: ReadonlySet<string>;
}

/** A null among the labels is the empty string once it is decoded. */
function labelValue(value: string | null): string {
  return value ?? '';
}

function requirementsOf(selector: LabelSelector): Requirement[] {
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]): Requirement => ({
    key,
    operator: 'In',
    values: new Set([labelValue(value)]),
  }));
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values }): Requirement => ({
    key,
    operator,
    values: new Set(values ?? []),
  }));
  return [...labels, ...expressions];
}

type LabelTest = (value: string | undefined, values: ReadonlySet<string>) => boolean;

/** A missing key satisfies NotIn and DoesNotExist. */
const OPERATORS: Readonly<Record<Requirement['operator'], LabelTest>> = {
  In: (value, values) => value !== undefined && values.has(value),
  NotIn: (value, values) => value === undefined || !values.has(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

function holds({ key, operator, values }: Requirement, labels: Labels): boolean {
  return OPERATORS[operator](Object.hasOwn(labels, key) ? labels[key] : undefined, values);
}

/**
 * Makes a label selector ready: matchLabels and matchExpressions are ANDed, `{}` matches everything.
 *
 * Source: apimachinery `LabelSelectorAsSelector`. The selector must be free of `selectorErrors`.
 */
export function compileSelector(selector: LabelSelector): CompiledSelector {
  const requirements = requirementsOf(selector);
  const equality = requirements.find(({ operator }) => operator === 'In');
  return {
    matches: (labels = NO_LABELS) => requirements.every((requirement) => holds(requirement, labels)),
    ...(equality && { equality: { key: equality.key, values: equality.values } }),
  };
}

/** Why a selector is refused, and where. */
export type SelectorError = { readonly path: FieldPath } & (
  | { readonly kind: 'labelKey'; readonly key: Seen }
  | { readonly kind: 'labelValue'; readonly value: Seen }
  | { readonly kind: 'noValues'; readonly operator: 'In' | 'NotIn' }
  | { readonly kind: 'needlessValues'; readonly operator: 'Exists' | 'DoesNotExist' }
  | { readonly kind: 'operator'; readonly operator: Seen }
);

export type SelectorErrorKind = SelectorError['kind'];

export type SelectorErrorOf<K extends SelectorErrorKind> = Extract<SelectorError, { readonly kind: K }>;

function keyErrors(key: string, path: FieldPath): SelectorError[] {
  return isLabelKey(key) ? [] : [{ path, kind: 'labelKey', key: seen(key) }];
}

function valueErrors(values: readonly string[], path: FieldPath): SelectorError[] {
  return values.filter((value) => !isLabelValue(value)).map((value) => ({ path, kind: 'labelValue', value: seen(value) }));
}

/** As Go decodes an expression: a key or an operator that is missing is the empty string. */
function expressionErrors(expression: Partial<LabelSelectorRequirement>, path: FieldPath): SelectorError[] {
  const key = expression.key ?? '';
  const operator = expression.operator ?? '';
  const values = expression.values ?? [];
  const keyPath = at`${path}.key`;
  const valuesPath = at`${path}.values`;
  if (operator === 'In' || operator === 'NotIn') {
    const empty: SelectorError[] = values.length === 0 ? [{ path: valuesPath, kind: 'noValues', operator }] : [];
    return [...keyErrors(key, keyPath), ...empty, ...valueErrors(values, valuesPath)];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const extra: SelectorError[] = values.length > 0 ? [{ path: valuesPath, kind: 'needlessValues', operator }] : [];
    return [...keyErrors(key, keyPath), ...extra];
  }
  return [{ path: at`${path}.operator`, kind: 'operator', operator: seen(operator) }];
}

/** What apimachinery's `LabelSelectorAsSelector` refuses in a selector whose types are right. */
export function selectorErrors(selector: LabelSelector, path: FieldPath): SelectorError[] {
  const labels = Object.entries(selector.matchLabels ?? {}).flatMap(([key, value]) => [
    ...keyErrors(key, at`${path}.matchLabels`),
    ...valueErrors([labelValue(value)], at`${path}.matchLabels[${key}]`),
  ]);
  const expressions = (selector.matchExpressions ?? []).flatMap((expression, index) =>
    expressionErrors(expression, at`${path}.matchExpressions[${index}]`),
  );
  return [...labels, ...expressions];
}
