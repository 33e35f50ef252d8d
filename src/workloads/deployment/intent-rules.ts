import { isLiteralZero } from '../../cluster/refusals';
import { invalidStrategy } from '../../cluster/rules/invalid-strategy';
import { childPath, fieldName } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isIntOrPercent } from '../../core/int-or-percent';
import { isFields } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { seen } from '../../core/seen';

const MODES: readonly unknown[] = ['Availability', 'ResourceAware'];

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A mode needs a ratio above 0: its other limit is 0, and with both at 0 no pod could be replaced. */
function ratioFindings(path: FieldPath, ratio: unknown): Finding[] {
  if (isGiven(ratio) && (!isIntOrPercent(ratio) || !isLiteralZero(ratio))) return [];
  return [invalidStrategy.finding('ratio', { path: childPath(path, 'ratio'), data: { value: seen(ratio) } })];
}

/** The fields of each form of an intent; what else stands there would do nothing. */
const FORMS = {
  mode: ['mode', 'ratio'],
  RollingUpdate: ['type', 'maxSurge', 'maxUnavailable'],
  Recreate: ['type'],
} as const;

function strayFindings(path: FieldPath, rollout: Fields, form: keyof typeof FORMS): Finding[] {
  const known: readonly string[] = FORMS[form];
  const strays = Object.keys(rollout).filter((field) => isGiven(rollout[field]) && !known.includes(field));
  return strays.map((field) => {
    const data = { field, value: seen(rollout[field]), form, known };
    return invalidStrategy.finding('stray', { path: childPath(path, field), data });
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
    return [invalidStrategy.finding('notAnIntent', { path, data: { field: fieldName(path), value: seen(rollout) } })];
  }
  if ('mode' in rollout) {
    if (!MODES.includes(rollout.mode)) {
      return [invalidStrategy.finding('unknownMode', { path: childPath(path, 'mode'), data: { value: seen(rollout.mode) } })];
    }
    const strays = strayFindings(path, rollout, 'mode');
    return strays.length > 0 ? strays : ratioFindings(path, rollout.ratio);
  }
  if (rollout.type === 'RollingUpdate' || rollout.type === 'Recreate') return strayFindings(path, rollout, rollout.type);
  return [invalidStrategy.finding('unknownIntentType', { path: childPath(path, 'type'), data: { value: seen(rollout.type) } })];
}
