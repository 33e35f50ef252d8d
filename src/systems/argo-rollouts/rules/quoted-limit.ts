import { at, childPath } from '../../../core/field-path';
import { byChoice, set } from '../../../core/advice';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isDigitString } from '../../../core/int-or-percent';
import { fieldsAt } from '../../../core/manifest';
import type { Manifest } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { counted } from '../../../core/words';
import { limitNumber } from '../strategy';
import type { Canary } from '../strategy';
import { rolloutWith } from './examples';

interface QuotedData {
  readonly field: string;
  readonly value: string;
  readonly replicas: number;
  /** What it comes to. */
  readonly pods: number;
}

interface NotANumberData {
  readonly field: string;
  readonly value: Seen;
}

/** A limit in quotes and without a percent sign, which is a percentage all the same. */
export const quotedLimit = rule({
  code: 'argo-rollouts/quoted-limit',
  since: '0.1.0',
  severity: 'warning',
  fires: 'maxSurge or maxUnavailable of a canary is a number in quotes, or a text that the controller cannot read as a number.',
  why:
    'Argo Rollouts reads every text as a percentage, with or without its sign: `maxSurge: "5"` is 5 %, and `maxUnavailable: "1"` of 10 pods is none. ' +
    'A Deployment with such a value is refused; here the API server and the controller take it.',
  fix: 'Write the number without quotes, or with a percent sign.',
  example: rolloutWith('canary:\n  maxSurge: "2"\n  maxUnavailable: 0'),
  fixed: rolloutWith('canary:\n  maxSurge: 2\n  maxUnavailable: 0'),
  messages: {
    percentage: message<QuotedData>({
      text: ({ field, value, replicas, pods }) =>
        `${field} is "${value}" in quotes, which Argo Rollouts reads as ${value} %: ${counted(pods, 'pod')} of ${replicas}.`,
      help: ({ value }) => `Write ${value} without quotes for as many pods, or "${value}%" for a share of them.`,
      advice: ({ value }, path) => byChoice(set(path, `${value}%`)),
      sample: { field: 'maxSurge', value: '2', replicas: 4, pods: 1 },
    }),
    notANumber: message<NotANumberData>({
      text: ({ field, value }) =>
        `${field} is ${show(value)}, which Argo Rollouts cannot read as a number: it takes maxSurge and maxUnavailable both to be 0, and no pod is replaced.`,
      help: () => 'Write a whole number without quotes, or a percentage such as "25%".',
      sample: { field: 'maxSurge', value: 'a quarter' },
    }),
  },
});

/** The limits of a canary that are numbers in quotes, with what they come to. */
export function quotedLimitFindings(rollout: Manifest, canary: Canary, replicas: number): Finding[] {
  const written = fieldsAt(rollout, 'spec', 'strategy', 'canary');
  return (['maxSurge', 'maxUnavailable'] as const).flatMap((field) => {
    const value = written[field];
    if (typeof value !== 'string' || canary.isRouted) return [];
    const path = childPath(at`spec.strategy.canary`, field);
    if (limitNumber(value) === undefined) return [quotedLimit.finding('notANumber', { path, data: { field, value: seen(value) } })];
    if (!isDigitString(value)) return [];
    const share = (Number(value) * replicas) / 100;
    const pods = field === 'maxSurge' ? Math.ceil(share) : Math.floor(share);
    return [quotedLimit.finding('percentage', { path, data: { field, value, replicas, pods } })];
  });
}
