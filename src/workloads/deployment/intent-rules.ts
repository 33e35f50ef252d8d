import type { Finding } from '../../core/finding';
import { isIntOrPercent } from '../../core/int-or-percent';
import { isFields } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import { kubernetesFinding } from '../../cluster/catalogue';
import { isLiteralZero } from '../../cluster/numbers';

const MODES: readonly unknown[] = ['Availability', 'ResourceAware'];

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function invalid(path: string, message: string, help: string): Finding {
  return kubernetesFinding('kubernetes/invalid-strategy', { path, message, help });
}

/** A mode needs a ratio above 0: its other limit is 0, and with both at 0 no pod could be replaced. */
function ratioFindings(path: string, ratio: unknown): Finding[] {
  if (ratio !== undefined && ratio !== null && (!isIntOrPercent(ratio) || !isLiteralZero(ratio))) return [];
  const seen = `ratio is ${describeValue(ratio)}`;
  const message = `${seen}, and the other limit of a mode is 0: the API server refuses a rollout that moves no pod.`;
  return [invalid(`${path}.ratio`, message, 'Write a ratio of at least 1 or "1%".')];
}

/** The fields of each form of an intent; what else stands there would do nothing. */
const FORMS = {
  mode: { described: 'a mode', fields: ['mode', 'ratio'], help: 'Write the ratio alone: a mode sets both limits.' },
  RollingUpdate: {
    described: 'type RollingUpdate',
    fields: ['type', 'maxSurge', 'maxUnavailable'],
    help: 'Write maxSurge and maxUnavailable.',
  },
  Recreate: {
    described: 'type Recreate',
    fields: ['type'],
    help: 'Delete it, or write type RollingUpdate: Recreate takes all pods down at once.',
  },
} as const;

function strayFindings(path: string, rollout: Fields, form: keyof typeof FORMS): Finding[] {
  const { described, fields, help } = FORMS[form];
  const strays = Object.keys(rollout).filter((field) => isGiven(rollout[field]) && !fields.some((known) => known === field));
  return strays.map((field) => {
    const message = `${field} is ${describeValue(rollout[field])}, but a rollout of ${described} has no fields but ${fields.join(', ')}.`;
    return invalid(`${path}.${field}`, message, help);
  });
}

/**
 * What is wrong with the form of an intent, whose limits are judged as those of the strategy that it means.
 *
 * TypeScript refuses all of it; JavaScript and JSON bring it here: words that are no mode and no type, fields of another form, a ratio that
 * lets no pod move.
 *
 * @param path where the intent stands: `predictor.rollout`
 */
export function intentFindings(rollout: unknown, path: string): Finding[] {
  if (!isFields(rollout)) {
    const help = "Write Rollout.availability('25%') or { mode: 'Availability', ratio: '25%' }.";
    return [invalid(path, `${path.slice(path.lastIndexOf('.') + 1)} is ${describeValue(rollout)}, which is no intent.`, help)];
  }
  if ('mode' in rollout) {
    if (MODES.includes(rollout.mode)) {
      const strays = strayFindings(path, rollout, 'mode');
      return strays.length > 0 ? strays : ratioFindings(path, rollout.ratio);
    }
    const message = `mode is ${describeValue(rollout.mode)}, which is no mode of a rollout; its case counts.`;
    return [invalid(`${path}.mode`, message, 'Write Availability or ResourceAware.')];
  }
  if (rollout.type === 'RollingUpdate' || rollout.type === 'Recreate') return strayFindings(path, rollout, rollout.type);
  const message = `type is ${describeValue(rollout.type)}, which is no type of a rollout; its case counts.`;
  return [invalid(`${path}.type`, message, 'Write RollingUpdate or Recreate.')];
}
