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
export interface SelectorError {
  readonly path: string;
  readonly message: string;
  readonly help: string;
}

const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_NAME = 63;
const MAX_PREFIX = 253;

function isLabelKey(key: string): boolean {
  const parts = key.split('/');
  const name = parts.at(-1)!;
  if (parts.length > 2 || name.length > MAX_NAME || !NAME.test(name)) return false;
  return parts.length === 1 || (parts[0]!.length <= MAX_PREFIX && PREFIX.test(parts[0]!));
}

function isLabelValue(value: string): boolean {
  return value === '' || (value.length <= MAX_NAME && NAME.test(value));
}

function keyErrors(key: string, path: string): SelectorError[] {
  if (isLabelKey(key)) return [];
  const help =
    'Write a label key: up to 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends, and a DNS prefix before a ' +
    '"/" if any.';
  return [{ path, message: `"${key}" is no label key`, help }];
}

function valueErrors(values: readonly string[], path: string): SelectorError[] {
  const help = 'Write a label value: up to 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends.';
  return values.filter((value) => !isLabelValue(value)).map((value) => ({ path, message: `"${value}" is no label value`, help }));
}

function expressionErrors(expression: LabelSelectorRequirement, path: string): SelectorError[] {
  const { key, operator } = expression;
  const values = expression.values ?? [];
  if (operator === 'In' || operator === 'NotIn') {
    const help = 'Write at least one value, or operator Exists or DoesNotExist.';
    const empty = values.length === 0 ? [{ path: `${path}.values`, message: `operator ${operator} has no values`, help }] : [];
    return [...keyErrors(key, `${path}.key`), ...empty, ...valueErrors(values, `${path}.values`)];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const help = 'Delete the values, or write operator In or NotIn.';
    const extra = values.length > 0 ? [{ path: `${path}.values`, message: `operator ${operator} takes no values`, help }] : [];
    return [...keyErrors(key, `${path}.key`), ...extra];
  }
  const help = 'Write In, NotIn, Exists or DoesNotExist, with capitals as shown.';
  return [{ path: `${path}.operator`, message: `"${String(operator)}" is no operator`, help }];
}

/** What apimachinery's `LabelSelectorAsSelector` refuses in a selector whose types are right. */
export function selectorErrors(selector: LabelSelector, path: string): SelectorError[] {
  const labels = Object.entries(selector.matchLabels ?? {}).flatMap(([key, value]) => [
    ...keyErrors(key, `${path}.matchLabels`),
    ...valueErrors([labelValue(value)], `${path}.matchLabels[${key}]`),
  ]);
  const expressions = (selector.matchExpressions ?? []).flatMap((expression, index) =>
    expressionErrors(expression, `${path}.matchExpressions[${index}]`),
  );
  return [...labels, ...expressions];
}
