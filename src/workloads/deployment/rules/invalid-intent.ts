import { invalidStrategy } from '../../../cluster/rules/invalid-strategy';
import { childPath, fieldName } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/int-or-percent';
import { isFields } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { listed } from '../../../core/words';

/** The forms of an intent: what they are called, their fields, beside which others would do nothing, and what to do with such. */
const FORMS = {
  mode: { described: 'a mode', fields: ['mode', 'ratio'], advice: 'Write the ratio alone: a mode sets both limits.' },
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
  readonly value: Seen;
  readonly form: keyof typeof FORMS;
  readonly known: readonly string[];
}

interface WordData {
  readonly value: Seen;
}

interface FieldValueData {
  readonly field: string;
  readonly value: Seen;
}

/** What is wrong with the form of an intent. */
export const invalidIntent = partOf(invalidStrategy, {
  ratio: message<WordData>({
    text: ({ value }) => `ratio is ${show(value)}, and the other limit of a mode is 0: the API server refuses a rollout that moves no pod.`,
    help: () => 'Write a ratio of at least 1 or "1%".',
    sample: { value: 0 },
  }),
  stray: message<StrayData>({
    text: ({ field, value, form, known }) =>
      `${field} is ${show(value)}, but a rollout of ${FORMS[form].described} has no fields but ${listed(known)}.`,
    help: ({ form }) => FORMS[form].advice,
    sample: { field: 'maxSurge', value: 1, form: 'mode', known: ['mode', 'ratio'] },
    variants: [
      { field: 'ratio', value: '25%', form: 'RollingUpdate', known: ['type', 'maxSurge', 'maxUnavailable'] },
      { field: 'maxSurge', value: 1, form: 'Recreate', known: ['type'] },
    ],
  }),
  notAnIntent: message<FieldValueData>({
    text: ({ field, value }) => `${field} is ${show(value)}, which is not an intent.`,
    help: () => "Write Rollout.availability('25%') or { mode: 'Availability', ratio: '25%' }.",
    sample: { field: 'rollout', value: '25%' },
  }),
  unknownMode: message<WordData>({
    text: ({ value }) => `mode is ${show(value)}, which is not a mode of a rollout; its case counts.`,
    help: () => 'Write Availability or ResourceAware.',
    sample: { value: 'availability' },
  }),
  unknownIntentType: message<WordData>({
    text: ({ value }) => `type is ${show(value)}, which is not a type of a rollout; its case counts.`,
    help: () => 'Write RollingUpdate or Recreate.',
    sample: { value: 'recreate' },
  }),
});

const MODES: readonly unknown[] = ['Availability', 'ResourceAware'];

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A mode needs a ratio above 0: its other limit is 0, and with both at 0 no pod could be replaced. */
function ratioFindings(path: FieldPath, ratio: unknown): Finding[] {
  if (isGiven(ratio) && (!isIntOrPercent(ratio) || !isLiteralZero(ratio))) return [];
  return [invalidIntent.finding('ratio', { path: childPath(path, 'ratio'), data: { value: seen(ratio) } })];
}

function strayFindings(path: FieldPath, rollout: Fields, form: keyof typeof FORMS): Finding[] {
  const known: readonly string[] = FORMS[form].fields;
  const strays = Object.keys(rollout).filter((field) => isGiven(rollout[field]) && !known.includes(field));
  return strays.map((field) => {
    const data = { field, value: seen(rollout[field]), form, known };
    return invalidIntent.finding('stray', { path: childPath(path, field), data });
  });
}

/**
 * What is wrong with the form of an intent, whose limits are judged as those of the strategy that it means.
 *
 * TypeScript refuses all of it; JavaScript and JSON bring it here: words that are no mode and no type, fields of another form,
 * a ratio that lets no pod move.
 *
 * @param path where the intent stands: `predictor.rollout`
 */
export function intentFindings(rollout: unknown, path: FieldPath): Finding[] {
  if (!isFields(rollout)) {
    return [invalidIntent.finding('notAnIntent', { path, data: { field: fieldName(path), value: seen(rollout) } })];
  }
  if ('mode' in rollout) {
    if (!MODES.includes(rollout.mode)) {
      return [invalidIntent.finding('unknownMode', { path: childPath(path, 'mode'), data: { value: seen(rollout.mode) } })];
    }
    const strays = strayFindings(path, rollout, 'mode');
    return strays.length > 0 ? strays : ratioFindings(path, rollout.ratio);
  }
  if (rollout.type === 'RollingUpdate' || rollout.type === 'Recreate') return strayFindings(path, rollout, rollout.type);
  return [invalidIntent.finding('unknownIntentType', { path: childPath(path, 'type'), data: { value: seen(rollout.type) } })];
}
