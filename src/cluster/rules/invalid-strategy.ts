import { getFieldName, appendLazily, resolveLazyPath } from '../../core/manifest/field-path';
import type { FieldPath, LazyFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding, RuleMessage } from '../../core/findings/finding';
import { MAX_INT32, isDigitString, isInt32, isPercentString, parsePercent } from '../../core/values/int-or-percent';
import { describeType } from '../../core/values/field-type';
import { getProblemFieldName } from '../../core/values/schema';
import type { ProblemOf } from '../../core/values/schema';
import { toDisplayValue, formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { collectFromEach } from '../../core/text/join-lists';
import { toRejectionSourceData, formatRejectionSource } from '../rejections/rejection-source';
import type { RejectionSource } from '../rejections/rejection-source';
import { renderLimits } from '../pods/rules/examples';

/** A field and its refused value. */
export interface ValueData extends RejectionSource {
  readonly field: string;
  readonly value: DisplayValue;
}

const NOT_A_PERCENT = "a valid percent string must be a numeric string followed by an ending '%'";
const TOO_LARGE = `it does not fit into 32 bits (at most ${MAX_INT32})`;

/** Formats why a value is refused: `replicas is -1, which the API server refuses: …` */
export function formatRejectedValue({ field, value, ...source }: ValueData, reason: string): string {
  return `${field} is ${formatDisplayValue(value)}, which ${formatRejectionSource(source)}: ${reason}.`;
}

/** Defines the message for a value that is always refused for the same reason. */
export function defineRejectedValueMessage(reason: string, help: string, sample: ValueData): RuleMessage<ValueData> {
  return defineMessage({ text: (data) => formatRejectedValue(data, reason), help: () => help, sample });
}

interface ExpectedTypeData extends ValueData {
  /** The type of the field, as a noun phrase: `a whole number`. */
  readonly expected: string;
}

interface FieldValueData {
  readonly field: string;
  readonly value: DisplayValue;
}

/** What the API server refuses in a strategy or a related number. These messages apply to any number; each kind adds its own. */
export const invalidStrategy = defineRule({
  code: 'kubernetes/invalid-strategy',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'The API server refuses a value of the strategy, or of a related field such as replicas.',
  why:
    'maxSurge and maxUnavailable must be whole numbers of at least 0 or percentages. They must not both be 0, and maxUnavailable must be at most 100%. ' +
    'In a DaemonSet exactly one of them must be above 0, and maxUnavailable defaults to 1. ' +
    'Recreate takes no `rollingUpdate`, and neither does OnDelete in a StatefulSet. The type must be a supported one. ' +
    'progressDeadlineSeconds must be above minReadySeconds. Replicas and other counts must be at least 0. Numbers are int32: ' +
    'no fractions, and at most 2147483647. A HorizontalPodAutoscaler needs a maxReplicas of at least 1 and at least minReplicas. ' +
    'A budget can only have one of minAvailable and maxUnavailable. ' +
    'It is a warning for minReplicas: 0 before Kubernetes 1.37, if only an alpha gate allows it. ' +
    'Source: validation.go of pkg/apis/apps, autoscaling and policy of Kubernetes.',
  fix: 'Write a value that the message allows.',
  example: renderLimits('0', '0'),
  fixedExample: renderLimits('1', '0'),
  messages: {
    notPercent: defineRejectedValueMessage(NOT_A_PERCENT, 'Write a whole number such as 1, or a percentage such as "25%".', {
      field: 'maxSurge',
      value: 'a quarter',
    }),
    negative: defineRejectedValueMessage('must be greater than or equal to 0', 'Write a whole number of at least 0.', {
      field: 'replicas',
      value: -1,
    }),
    aboveHundredPercent: defineRejectedValueMessage('must not be greater than 100%', 'Write a percentage from "0%" to "100%".', {
      field: 'maxUnavailable',
      value: '120%',
    }),
    tooLarge: defineMessage<ExpectedTypeData>({
      text: (data) => formatRejectedValue(data, TOO_LARGE),
      help: ({ expected }) => `Write ${expected}.`,
      sample: { field: 'replicas', value: 3_000_000_000, expected: 'a whole number' },
    }),
    fraction: defineMessage<ExpectedTypeData>({
      text: (data) => formatRejectedValue(data, 'it is not a whole number'),
      help: ({ expected }) => `Write ${expected}.`,
      sample: { field: 'replicas', value: 1.5, expected: 'a whole number' },
    }),
    uncountable: defineMessage<FieldValueData>({
      text: ({ field, value }) =>
        `${field} is ${formatDisplayValue(value)}, which the API server stores, but the Deployment controller cannot count that many pods: ${TOO_LARGE}.`,
      help: () => 'Write a percentage such as "25%".',
      sample: { field: 'maxSurge', value: '99999999999%' },
    }),
  },
});

/** A value to check, its path, and who refuses it. */
export interface CheckedValue extends RejectionSource {
  readonly path: LazyFieldPath;
  /** The parsed value. An operator reads a number in quotes as a number. */
  readonly value: unknown;
  /** The value as written in the object. @default - `value` */
  readonly rawValue?: unknown;
}

function toValueData({ path, value, rawValue = value, ...source }: CheckedValue): ValueData {
  return { field: getFieldName(resolveLazyPath(path)), value: toDisplayValue(rawValue), ...toRejectionSourceData(source) };
}

/**
 * Reports a number that is not an int32 although one is required. Returns undefined for any other value.
 *
 * @param rawValue the value as written in the object
 */
export function checkInt32(
  problem: Omit<ProblemOf<'wrong-type'>, 'kind'>,
  rawValue: unknown = problem.value,
  source: RejectionSource = {},
): Finding | undefined {
  const { path, value, expected } = problem;
  if ((expected !== 'int32' && expected !== 'int-or-percent') || typeof value !== 'number') return undefined;
  const data = {
    field: getProblemFieldName(problem),
    value: toDisplayValue(rawValue),
    expected: describeType(expected),
    ...toRejectionSourceData(source),
  };
  const isWhole = Number.isInteger(value) || isDigitString(rawValue);
  return invalidStrategy.createFinding(isWhole ? 'tooLarge' : 'fraction', { path, data });
}

/** Reports a negative count. Ignores a value that is not an int32, because its type is a separate finding. */
export function checkNonNegative(checkedValue: CheckedValue): Finding[] {
  const { path, value } = checkedValue;
  return isInt32(value) && value < 0
    ? [invalidStrategy.createFinding('negative', { path: resolveLazyPath(path), data: toValueData(checkedValue) })]
    : [];
}

/** Reports fields of one map that must not be negative. */
export function checkNonNegativeFields(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
  path: FieldPath,
): readonly Finding[] {
  return collectFromEach(names, (name) => checkNonNegative({ path: appendLazily(path, name), value: fields[name] }));
}

/** Reports what is refused in a string that should be a percentage. */
export function checkPercent(value: string, checkedValue: CheckedValue, range?: 'at most 100%'): Finding[] {
  const found = (messageId: 'notPercent' | 'aboveHundredPercent' | 'uncountable') => [
    invalidStrategy.createFinding(messageId, { path: resolveLazyPath(checkedValue.path), data: toValueData(checkedValue) }),
  ];
  if (!isPercentString(value)) return found('notPercent');
  if (range && parsePercent(value) > 100) return found('aboveHundredPercent');
  return parsePercent(value) > MAX_INT32 ? found('uncountable') : [];
}
