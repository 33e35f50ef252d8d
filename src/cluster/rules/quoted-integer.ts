import { suggestManualFix, suggestAutomaticFix, setField } from '../../core/findings/suggested-fix';
import type { SuggestedFix } from '../../core/findings/suggested-fix';
import { getFieldName } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { MAX_INT32, isDigitString, isInt32 } from '../../core/values/int-or-percent';
import { getProblemFieldName } from '../../core/values/schema';
import type { ProblemOf } from '../../core/values/schema';
import { toDisplayValue, formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { toRejectionSourceData, formatRejectionSource } from '../rejections/rejection-source';
import type { RejectionSource } from '../rejections/rejection-source';
import { renderLimits } from '../pods/rules/examples';

interface QuotedData extends RejectionSource {
  readonly field: string;
  /** The digits between the quotes. */
  readonly value: DisplayValue;
}

interface TooLongData extends QuotedData {
  readonly digits: number;
  /** Whether the field also takes a percentage. */
  readonly takesPercent: boolean;
}

/** Returns the number in quotes. Returns undefined if it cannot be meant. */
function parseIntendedNumber(value: DisplayValue): number | undefined {
  const digits = typeof value === 'string' ? Number(value) : undefined;
  return isInt32(digits) && digits >= 0 ? digits : undefined;
}

/** Formats the number to write. */
function formatNumber(value: DisplayValue): string {
  return String(parseIntendedNumber(value) ?? 'a whole number of at least 0');
}

function isSingleDigit(value: DisplayValue): boolean {
  return typeof value === 'string' && value.length === 1;
}

function proposeUnquoting(value: DisplayValue, path: FieldPath, isSure: boolean): SuggestedFix | undefined {
  const intended = parseIntendedNumber(value);
  if (intended === undefined) return undefined;
  return isSure ? suggestAutomaticFix(setField(path, intended)) : suggestManualFix(setField(path, intended));
}

/** A number in quotes in a field that takes no string, or only a percentage. */
export const quotedInteger = defineRule({
  code: 'kubernetes/quoted-integer',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A field that takes a whole number, or a whole number or a percentage, has a number in quotes, ' +
    'or an unquoted number of more than 308 digits, which YAML reads as a string.',
  why:
    'The only string that maxSurge and maxUnavailable take is a percentage (`^[0-9]+%$`), ' +
    'and fields such as replicas take no string at all. The KServe and IBM guides show `"1"`. ' +
    'The API server refuses an object with such a value, and a controller ' +
    'that copies it into a Deployment fails at every reconcile.',
  fix: 'Write the number without quotes, or a percentage with a percent sign.',
  example: renderLimits('"1"', '1'),
  fixedExample: renderLimits('1', '1'),
  messages: {
    number: defineMessage<QuotedData>({
      text: ({ field, value, ...source }) =>
        `${field} is ${formatDisplayValue(value)}, a number in quotes, which ${formatRejectionSource(source)}: this field takes a whole number, not a string.`,
      help: ({ value }) => `Write ${formatNumber(value)} without quotes.`,
      suggestedFix: ({ value }, path) => proposeUnquoting(value, path, true),
      sample: { field: 'replicas', value: '2' },
      variants: [{ field: 'replicas', value: '-1', writer: 'the operator' }],
    }),
    numberOrPercent: defineMessage<QuotedData>({
      text: ({ field, value, ...source }) =>
        `${field} is ${formatDisplayValue(value)}, a number in quotes, which ${formatRejectionSource(source)}: a valid percent string must be a numeric string followed by an ending '%'.`,
      help: ({ value }) => `Write ${formatNumber(value)} without quotes, or a percentage such as "25%".`,
      // "1" is a number of pods. "25" may be a percentage without its percent sign.
      suggestedFix: ({ value }, path) => proposeUnquoting(value, path, isSingleDigit(value)),
      sample: { field: 'maxSurge', value: '1' },
      variants: [{ field: 'maxSurge', value: '-1', writer: 'the operator' }],
    }),
    tooLong: defineMessage<TooLongData>({
      text: ({ field, value, digits, ...source }) =>
        `${field} is a string of ${digits} digits, ${formatDisplayValue(value)}, which ${formatRejectionSource(source)}: no number is that long, with or without quotes.`,
      help: ({ takesPercent }) => `Write a whole number of at most ${MAX_INT32}${takesPercent ? ', or a percentage such as "25%"' : ''}.`,
      sample: { field: 'replicas', value: { described: '"999…"' }, digits: 400, takesPercent: false },
      variants: [{ field: 'maxSurge', value: { described: '"999…"' }, digits: 400, takesPercent: true }],
    }),
  },
});

/** Reports digits that exceed a 64-bit float. kubectl reads them as a string even without quotes. */
function checkTooLong(field: string, path: FieldPath, value: string, takesPercent: boolean, source: RejectionSource): Finding | undefined {
  if (Number.isFinite(Number(value))) return undefined;
  const digits = value.length - (/^[+-]/.test(value) ? 1 : 0);
  return quotedInteger.createFinding('tooLong', {
    path,
    data: { field, value: toDisplayValue(value), digits, takesPercent, ...toRejectionSourceData(source) },
  });
}

/** Reports a number in quotes in a field that takes a whole number. Returns undefined for any other value. */
export function checkQuotedInteger(problem: Omit<ProblemOf<'wrong-type'>, 'kind'>, source: RejectionSource = {}): Finding | undefined {
  const { path, value, expected } = problem;
  if ((expected !== 'int32' && expected !== 'int64') || !isDigitString(value)) return undefined;
  const field = getProblemFieldName(problem);
  return (
    checkTooLong(field, path, value, false, source) ??
    quotedInteger.createFinding('number', { path, data: { field, value: toDisplayValue(value), ...toRejectionSourceData(source) } })
  );
}

/** Builds the finding for a number in quotes in a field that takes a whole number or a percentage. */
export function buildQuotedLimitFinding(path: FieldPath, value: string, source: RejectionSource = {}): Finding {
  const field = getFieldName(path);
  return (
    checkTooLong(field, path, value, true, source) ??
    quotedInteger.createFinding('numberOrPercent', {
      path,
      data: { field, value: toDisplayValue(value), ...toRejectionSourceData(source) },
    })
  );
}
