import { invalidStrategy } from '../../../cluster/rules/invalid-strategy';
import { appendToPath, getFieldName } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/values/int-or-percent';
import { isFields } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { joinWords } from '../../../core/text/text-format';

/** The forms of an intent: their description, the fields that each reads, and the advice for any other field. */
const INTENT_FORMS = {
  mode: { described: 'a mode', fields: ['mode', 'ratio'], advice: 'Write only the ratio: a mode sets both limits.' },
  goal: { described: 'a goal', fields: ['goal'], advice: 'Write only the goal: it is resolved to both limits.' },
  RollingUpdate: {
    described: 'type RollingUpdate',
    fields: ['type', 'maxSurge', 'maxUnavailable'],
    advice: 'Write maxSurge and maxUnavailable.',
  },
  Recreate: {
    described: 'type Recreate',
    fields: ['type'],
    advice: 'Delete it, or write type RollingUpdate: Recreate takes all pods down at once.',
  },
} as const;

interface StrayData {
  readonly field: string;
  readonly value: DisplayValue;
  readonly form: keyof typeof INTENT_FORMS;
  readonly known: readonly string[];
}

interface ValueOnlyData {
  readonly value: DisplayValue;
}

interface FieldValueData {
  readonly field: string;
  readonly value: DisplayValue;
}

/** Reports intents whose form is not valid. */
export const invalidIntent = extendRule(invalidStrategy, {
  ratio: defineMessage<ValueOnlyData>({
    text: ({ value }) =>
      `ratio is ${formatDisplayValue(value)}, and a mode sets the other limit to 0: the API server refuses a rollout that can't replace any pod.`,
    help: () => 'Write a ratio of at least 1 or "1%".',
    sample: { value: 0 },
  }),
  unexpectedField: defineMessage<StrayData>({
    text: ({ field, value, form, known: allowed }) =>
      `${field} is ${formatDisplayValue(value)}, but a rollout of ${INTENT_FORMS[form].described} has no fields other than ${joinWords(allowed)}.`,
    help: ({ form }) => INTENT_FORMS[form].advice,
    sample: { field: 'maxSurge', value: 1, form: 'mode', known: ['mode', 'ratio'] },
    variants: [
      { field: 'ratio', value: '25%', form: 'RollingUpdate', known: ['type', 'maxSurge', 'maxUnavailable'] },
      { field: 'maxSurge', value: 1, form: 'Recreate', known: ['type'] },
    ],
  }),
  notAnIntent: defineMessage<FieldValueData>({
    text: ({ field, value }) => `${field} is ${formatDisplayValue(value)}, which is not an intent.`,
    help: () => "Write Rollout.availability('25%') or { mode: 'Availability', ratio: '25%' }.",
    sample: { field: 'rollout', value: '25%' },
  }),
  bareGoal: defineMessage<{ readonly field: string }>({
    text: ({ field }) => `${field} is a limit of a goal, which is not an intent by itself.`,
    help: () => "Write Rollout.goal({ available: 6, within: '15m' }).",
    sample: { field: 'available' },
  }),
  unknownMode: defineMessage<ValueOnlyData>({
    text: ({ value }) => `mode is ${formatDisplayValue(value)}, which is not a mode of a rollout. Modes are case-sensitive.`,
    help: () => 'Write Availability or ResourceAware.',
    sample: { value: 'availability' },
  }),
  unknownIntentType: defineMessage<ValueOnlyData>({
    text: ({ value }) => `type is ${formatDisplayValue(value)}, which is not a type of a rollout. Types are case-sensitive.`,
    help: () => 'Write RollingUpdate or Recreate.',
    sample: { value: 'recreate' },
  }),
});

/** Limits of a goal, which have to be inside of one. */
const GOAL_FIELDS = ['available', 'extraPods', 'extraGpus', 'within'] as const;

const INTENT_MODES: readonly unknown[] = ['Availability', 'ResourceAware'];

function isNonNull(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Validates that the ratio of a mode is above 0. The mode's other limit is 0, and with both at 0 no pod could be replaced. */
function validateRatio(path: FieldPath, ratio: unknown): Finding[] {
  if (isNonNull(ratio) && (!isIntOrPercent(ratio) || !isLiteralZero(ratio))) return [];
  return [invalidIntent.createFinding('ratio', { path: appendToPath(path, 'ratio'), data: { value: toDisplayValue(ratio) } })];
}

function reportMissingGoal(goal: unknown, path: FieldPath): Finding[] {
  const data = { field: 'goal', value: toDisplayValue(goal) };
  return [invalidIntent.createFinding('notAnIntent', { path: appendToPath(path, 'goal'), data })];
}

function reportStrayFields(path: FieldPath, rollout: Fields, form: keyof typeof INTENT_FORMS): Finding[] {
  const allowed: readonly string[] = INTENT_FORMS[form].fields;
  const strays = Object.keys(rollout).filter((field) => isNonNull(rollout[field]) && !allowed.includes(field));
  return strays.map((field) => {
    const data = { field, value: toDisplayValue(rollout[field]), form, known: allowed };
    return invalidIntent.createFinding('unexpectedField', { path: appendToPath(path, field), data });
  });
}

/**
 * Validates the form of an intent. Its limits are validated with the strategy that it resolves to.
 *
 * TypeScript refuses these values, so they come from JavaScript and JSON: unknown modes and types, fields of another form,
 * and a ratio of 0.
 *
 * @param path field path of the intent: `predictor.rollout`
 */
export function validateIntent(rollout: unknown, path: FieldPath): Finding[] {
  if (!isFields(rollout)) {
    return [invalidIntent.createFinding('notAnIntent', { path, data: { field: getFieldName(path), value: toDisplayValue(rollout) } })];
  }
  if ('goal' in rollout) return isFields(rollout.goal) ? reportStrayFields(path, rollout, 'goal') : reportMissingGoal(rollout.goal, path);
  if ('mode' in rollout) {
    if (!INTENT_MODES.includes(rollout.mode)) {
      return [
        invalidIntent.createFinding('unknownMode', { path: appendToPath(path, 'mode'), data: { value: toDisplayValue(rollout.mode) } }),
      ];
    }
    const strays = reportStrayFields(path, rollout, 'mode');
    return strays.length > 0 ? strays : validateRatio(path, rollout.ratio);
  }
  const goalField = GOAL_FIELDS.find((field) => field in rollout);
  if (goalField !== undefined && !('type' in rollout)) {
    return [invalidIntent.createFinding('bareGoal', { path: appendToPath(path, goalField), data: { field: goalField } })];
  }
  if (rollout.type === 'RollingUpdate' || rollout.type === 'Recreate') return reportStrayFields(path, rollout, rollout.type);
  return [
    invalidIntent.createFinding('unknownIntentType', { path: appendToPath(path, 'type'), data: { value: toDisplayValue(rollout.type) } }),
  ];
}
