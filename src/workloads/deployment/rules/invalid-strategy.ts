import { refusedBy, refuser } from '../../../cluster/refuser';
import type { Refused } from '../../../cluster/refuser';
import { invalidStrategy, refusedText } from '../../../cluster/rules/invalid-strategy';
import type { JudgedValue, ValueData } from '../../../cluster/rules/invalid-strategy';
import type { StrategyNames } from '../../../cluster/strategy-terms';
import { at } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isInt32, isIntOrPercent, isLiteralZero } from '../../../core/int-or-percent';
import type { Fields } from '../../../core/manifest';
import { pathOf } from '../../../core/place';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { DEPLOYMENT_DEFAULTS } from '../strategy';

interface BothZeroData extends Refused {
  readonly maxSurge: Seen;
  readonly maxUnavailable: Seen;
  /** What the object calls the two. */
  readonly names: { readonly maxSurge: string; readonly maxUnavailable: string };
}

interface DeadlineData extends ValueData {
  readonly minReadySeconds: number;
}

/** What the API server refuses in a Deployment beside single values. */
export const invalidDeployment = partOf(invalidStrategy, {
  bothZero: message<BothZeroData>({
    text: ({ maxSurge, maxUnavailable, names, ...refused }) =>
      `${names.maxUnavailable} is ${show(maxUnavailable)} and ${names.maxSurge} is ${show(maxSurge)}, which ${refuser(refused)}: ` +
      `${names.maxUnavailable} may not be 0 when \`${names.maxSurge}\` is 0.`,
    help: ({ names }) =>
      `Write ${names.maxUnavailable}: 1 to replace pods in place, or ${names.maxSurge}: 1 to keep every replica available.`,
    sample: { maxSurge: 0, maxUnavailable: 0, names: { maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' } },
    variants: [
      {
        maxSurge: '0',
        maxUnavailable: '0%',
        names: { maxSurge: 'max_surge', maxUnavailable: 'max_unavailable' },
        writer: 'the operator',
      },
    ],
  }),
  deadline: message<DeadlineData>({
    text: (data) => refusedText(data, `must be greater than minReadySeconds (it is ${data.minReadySeconds})`),
    help: ({ minReadySeconds }) => `Write a number above ${minReadySeconds} plus the seconds that a pod takes to become ready.`,
    sample: { field: 'progressDeadlineSeconds', value: 10, minReadySeconds: 30 },
  }),
});

/** Both limits at 0, with which no pod could be replaced. @param names what the object calls them */
export function bothZeroFindings(maxSurge: JudgedValue, maxUnavailable: JudgedValue, names: StrategyNames): Finding[] {
  const limits = [maxSurge, maxUnavailable];
  if (!limits.every(({ value }) => isIntOrPercent(value) && isLiteralZero(value))) return [];
  const [surge, unavailable] = limits.map(({ value, written = value }) => seen(written)) as [Seen, Seen];
  const data = { maxSurge: surge, maxUnavailable: unavailable, names, ...refusedBy(maxUnavailable) };
  return [invalidDeployment.finding('bothZero', { path: pathOf(maxUnavailable.path), data })];
}

/** A deadline that ends before any pod can count as available. */
export function deadlineBelowMinReadyFindings(spec: Fields): Finding[] {
  const deadline = spec.progressDeadlineSeconds ?? DEPLOYMENT_DEFAULTS.progressDeadlineSeconds;
  const minReadySeconds = spec.minReadySeconds ?? DEPLOYMENT_DEFAULTS.minReadySeconds;
  if (!isInt32(deadline) || !isInt32(minReadySeconds) || deadline < 0 || deadline > minReadySeconds) return [];
  const data = { field: 'progressDeadlineSeconds', value: deadline, minReadySeconds };
  return [invalidDeployment.finding('deadline', { path: at`spec.progressDeadlineSeconds`, data })];
}
