import { isLabelKey, isLabelValue } from '../../core/values/label';
import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { toDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import type { LabelSelector, LabelSelectorRequirement } from './types';

/** An object's labels. */
export type Labels = Readonly<Record<string, string>>;

const NO_LABELS: Labels = {};

/** A label that must have one of these values. A selector can be indexed by it. */
export interface LabelEquality {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

/** A compiled selector for many objects. */
export interface CompiledSelector {
  /** Reports whether the selector matches these labels. Undefined means no labels. */
  matches(labels: Labels | undefined): boolean;
  /** A condition that every matching object meets; unset if the selector requires no particular value. */
  readonly equality?: LabelEquality;
}

interface Requirement {
  readonly key: string;
  readonly operator: LabelSelectorRequirement['operator'];
  readonly values: ReadonlySet<string>;
}

/** Decodes a label value as Go does: null becomes the empty string. */
function decodeLabelValue(value: string | null): string {
  return value ?? '';
}

function requirementsOf(selector: LabelSelector): Requirement[] {
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]): Requirement => ({
    key,
    operator: 'In',
    values: new Set([decodeLabelValue(value)]),
  }));
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values }): Requirement => ({
    key,
    operator,
    values: new Set(values ?? []),
  }));
  return [...labels, ...expressions];
}

type LabelTest = (value: string | undefined, values: ReadonlySet<string>) => boolean;

/** The operators. A missing key matches NotIn and DoesNotExist. */
const OPERATORS: Readonly<Record<Requirement['operator'], LabelTest>> = {
  In: (value, values) => value !== undefined && values.has(value),
  NotIn: (value, values) => value === undefined || !values.has(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

function matchesRequirement({ key, operator, values }: Requirement, labels: Labels): boolean {
  return OPERATORS[operator](Object.hasOwn(labels, key) ? labels[key] : undefined, values);
}

/**
 * Compiles a label selector: matchLabels and matchExpressions are ANDed, and `{}` matches everything.
 *
 * Source: apimachinery `LabelSelectorAsSelector`. `findSelectorErrors` must find no error in the selector.
 */
export function compileSelector(selector: LabelSelector): CompiledSelector {
  const requirements = requirementsOf(selector);
  const equality = requirements.find(({ operator }) => operator === 'In');
  return {
    matches: (labels = NO_LABELS) => requirements.every((requirement) => matchesRequirement(requirement, labels)),
    ...(equality && { equality: { key: equality.key, values: equality.values } }),
  };
}

/** The reason why a selector is refused, with its path. */
export type SelectorError = { readonly path: FieldPath } & (
  | { readonly kind: 'labelKey'; readonly key: DisplayValue }
  | { readonly kind: 'labelValue'; readonly value: DisplayValue }
  | { readonly kind: 'noValues'; readonly operator: 'In' | 'NotIn' }
  | { readonly kind: 'needlessValues'; readonly operator: 'Exists' | 'DoesNotExist' }
  | { readonly kind: 'operator'; readonly operator: DisplayValue }
);

export type SelectorErrorKind = SelectorError['kind'];

export type SelectorErrorOf<K extends SelectorErrorKind> = Extract<SelectorError, { readonly kind: K }>;

function findKeyErrors(key: string, path: FieldPath): SelectorError[] {
  return isLabelKey(key) ? [] : [{ path, kind: 'labelKey', key: toDisplayValue(key) }];
}

function findValueErrors(values: readonly string[], path: FieldPath): SelectorError[] {
  return values.filter((value) => !isLabelValue(value)).map((value) => ({ path, kind: 'labelValue', value: toDisplayValue(value) }));
}

/** Finds the errors of an expression. As in Go, a missing key or operator is the empty string. */
function findExpressionErrors(expression: Partial<LabelSelectorRequirement>, path: FieldPath): SelectorError[] {
  const key = expression.key ?? '';
  const operator = expression.operator ?? '';
  const values = expression.values ?? [];
  const keyPath = toFieldPath`${path}.key`;
  const valuesPath = toFieldPath`${path}.values`;
  if (operator === 'In' || operator === 'NotIn') {
    const empty: SelectorError[] = values.length === 0 ? [{ path: valuesPath, kind: 'noValues', operator }] : [];
    return [...findKeyErrors(key, keyPath), ...empty, ...findValueErrors(values, valuesPath)];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const extra: SelectorError[] = values.length > 0 ? [{ path: valuesPath, kind: 'needlessValues', operator }] : [];
    return [...findKeyErrors(key, keyPath), ...extra];
  }
  return [{ path: toFieldPath`${path}.operator`, kind: 'operator', operator: toDisplayValue(operator) }];
}

/** Finds what apimachinery's `LabelSelectorAsSelector` refuses in a selector with valid types. */
export function findSelectorErrors(selector: LabelSelector, path: FieldPath): SelectorError[] {
  const labels = Object.entries(selector.matchLabels ?? {}).flatMap(([key, value]) => [
    ...findKeyErrors(key, toFieldPath`${path}.matchLabels`),
    ...findValueErrors([decodeLabelValue(value)], toFieldPath`${path}.matchLabels[${key}]`),
  ]);
  const expressions = (selector.matchExpressions ?? []).flatMap((expression, index) =>
    findExpressionErrors(expression, toFieldPath`${path}.matchExpressions[${index}]`),
  );
  return [...labels, ...expressions];
}
