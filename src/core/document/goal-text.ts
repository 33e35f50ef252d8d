import type { RolloutGoal, UnmetLimit } from './advice';
import { pluralize } from '../text/text-format';

/** Formats seconds as `--within` reads them: `11m30s`, `45s`, `2h`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor((whole % 3600) / 60), 'm'],
    [whole % 60, 's'],
  ] as const;
  return (
    parts
      .filter(([amount]) => amount > 0)
      .map(([amount, unit]) => `${amount}${unit}`)
      .join('') || '0s'
  );
}

/** Formats a goal: `6 available, at most 2 extra GPUs, within 15m`. Returns undefined for one without limits. */
export function formatGoal({ available, extraPods, extraGpus, within }: RolloutGoal): string | undefined {
  const parts = [
    ...(available === undefined ? [] : [`${available} available`]),
    ...(extraPods === undefined
      ? []
      : [`at most ${typeof extraPods === 'number' ? pluralize(extraPods, 'extra pod') : `${extraPods} extra pods`}`]),
    ...(extraGpus === undefined ? [] : [`at most ${pluralize(extraGpus, 'extra GPU')}`]),
    ...(within === undefined ? [] : [`within ${within}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  available: 'available',
  extraPods: 'extra pods',
  extraGpus: 'extra GPUs',
  within: 'time',
  capacity: 'capacity',
  atMostClustersAtOnce: 'clusters at once',
  stopAfterBroken: 'broken clusters',
  waves: 'waves',
};

/** Formats a limit that no strategy meets: `available: 8 wanted, 6 is the closest possible`. */
export function formatUnmetLimit({ limit, wanted, closest, replicas }: UnmetLimit): string {
  const show = (value: number | string) => (limit === 'within' && typeof value === 'number' ? formatSeconds(value) : String(value));
  const outcome = closest === null ? 'no strategy finishes' : `${show(closest)} is the closest possible`;
  const at = replicas === undefined ? '' : ` at ${pluralize(replicas, 'replica')}`;
  return `${LIMIT_WORDS[limit] ?? limit}${at}: ${show(wanted)} wanted, ${outcome}`;
}
