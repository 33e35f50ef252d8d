import { formatUnknownCapacity } from '../../core/document/advice';
import type { AdviceAssumptions, AdvisedRollout, Candidate, RolloutFigures, UnmetLimit } from '../../core/document/advice';
import { isFields } from '../../core/manifest/manifest';
import { formatGoal, formatSeconds } from '../../core/document/goal-text';
import { joinWords, pluralize } from '../../core/text/text-format';
import { toSafeText } from '../../core/text/value-text';

/** Formats the time of a rollout. */
export function formatTime({ seconds }: Pick<RolloutFigures, 'seconds'>): string {
  return seconds === null ? 'never' : formatSeconds(seconds);
}

/** Formats a limit of a strategy. */
function formatLimits(limits: Readonly<Record<string, unknown>>): string {
  const { maxSurge, maxUnavailable, partition, ...others } = limits;
  const shown = { ...others, maxSurge, maxUnavailable, ...(partition !== 0 && { partition }) };
  return Object.entries(shown)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${toSafeText(value)}`)
    .join(', ');
}

/** Formats a strategy in a few words: `maxSurge 2, maxUnavailable 0`, `Recreate`. */
export function formatStrategy(strategy: unknown): string {
  if (!isFields(strategy)) return 'none';
  const limits = strategy.rollingUpdate ?? strategy.rollingUpdateConfiguration;
  if (isFields(limits)) return formatLimits(limits);
  const { type, ...options } = strategy;
  const named = formatLimits(options);
  return [typeof type === 'string' ? type : '', named].filter((part) => part !== '').join(': ') || 'defaults';
}

/** Reports whether two candidates have the same strategy and figures. */
export function isSameCandidate(a: Candidate, b: Candidate): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Reports whether two candidates have the same figures, however their strategies are written. */
export function isSameOutcome(a: Candidate, b: Candidate): boolean {
  return JSON.stringify({ ...a, strategy: null }) === JSON.stringify({ ...b, strategy: null });
}

/** Formats what the advice is, in one sentence. */
export function formatVerdict({ goal, current, best, unmet }: AdvisedRollout): string {
  const hasGoal = formatGoal(goal) !== undefined;
  if (unmet) return 'No strategy meets the goal.';
  if (!best) return 'No strategy is better in one figure without being worse in another.';
  if (isSameCandidate(best, current)) {
    const strategy = formatStrategy(best.strategy);
    return `The present strategy meets the goal best${strategy === '' ? '' : `: ${strategy}`}.`;
  }
  if (hasGoal) return `Best: ${formatStrategy(best.strategy)}.${current.meets ? '' : ' The present strategy does not meet the goal.'}`;
  if (current.verdict === 'deadlocks') return `The present strategy deadlocks; ${formatStrategy(best.strategy)} finishes.`;
  return `Strictly better: ${formatStrategy(best.strategy)}. It is worse in no figure than the present strategy.`;
}

/** Lists the distinct reasons why limits are not met. */
export function listUnmetReasons(unmet: readonly UnmetLimit[]): string[] {
  return [...new Set(unmet.flatMap(({ because }) => because ?? []))];
}

function listUnknownCapacity(assumed: AdviceAssumptions): string[] {
  const unknown = formatUnknownCapacity(assumed);
  return unknown === undefined ? [] : [unknown];
}

/** Lists what the figures assume, each as a sentence. */
export function listAssumptions({ assumed = {}, isPartial, elided }: AdvisedRollout): string[] {
  return [
    ...(assumed.startupSeconds === undefined
      ? []
      : [`The times assume that a pod is ready after ${assumed.startupSeconds} s; set --startup-seconds.`]),
    ...(assumed.unlimitedCapacity ? ['No quota, node or capacity in view limits the pods, so all of them are assumed to fit.'] : []),
    ...listUnknownCapacity(assumed),
    ...(assumed.withoutGpus ? ['The pods request no GPU, so the limit of extra GPUs has no effect.'] : []),
    ...(isPartial
      ? [
          'Not every strategy was tried, so rows are missing. The best one is exact only for a Deployment without an autoscaler or spread constraints.',
        ]
      : []),
    ...(elided === undefined ? [] : [`${pluralize(elided, 'more strategy', 'more strategies')} ${elided === 1 ? 'is' : 'are'} left out.`]),
  ];
}

/** Largest number of strategies that a table shows. */
export const MAX_TABLE_ROWS = 10;

/** One row of a table: a strategy, and whether it is the best or the present one. */
export interface AdviceRow {
  readonly candidate: Candidate;
  readonly mark: string;
}

/** Lists the rows of a table: the best strategy, the present one, and those of the front that come first. */
export function listAdviceRows({ best, current, front }: AdvisedRollout): {
  readonly rows: readonly AdviceRow[];
  readonly omitted: number;
} {
  const isKept = best !== undefined && isSameCandidate(best, current);
  const onFront = front.some((candidate) => isSameOutcome(candidate, current));
  const rows = front.map((candidate): AdviceRow => {
    const marks = [
      ...(best && isSameCandidate(candidate, best) ? [isKept ? 'keep' : 'best'] : []),
      ...(!isKept && isSameOutcome(candidate, current) ? ['now'] : []),
    ];
    // If two strategies have the same figures, the table shows the one in the manifest.
    return { candidate: marks.length === 1 && marks[0] === 'now' ? current : candidate, mark: marks.join(', ') };
  });
  const all = onFront ? rows : [...rows.slice(0, best ? 1 : 0), { candidate: current, mark: 'now' }, ...rows.slice(best ? 1 : 0)];
  const marked = all.filter(({ mark }) => mark !== '');
  const first = all.filter(({ mark }, index) => mark !== '' || index < MAX_TABLE_ROWS);
  const shown = first.filter(({ mark }, index) => mark !== '' || index < MAX_TABLE_ROWS - (marked.length > 0 ? marked.length - 1 : 0));
  return { rows: shown, omitted: all.length - shown.length };
}

/** Formats the GPUs of a rollout; empty if its pods request none. */
export function formatGpus({ extraGpus }: RolloutFigures): string {
  return extraGpus === undefined ? '' : String(Math.round(extraGpus * 100) / 100);
}

/** Formats figures at the limits of an autoscaler: `at 9 replicas: 7 available, 1 extra pod, 3m`. */
export function formatScaledFigures({ atMinimum, atMaximum }: Candidate): string[] {
  return [atMinimum, atMaximum].flatMap((figures) =>
    figures
      ? [
          `at ${pluralize(figures.replicas, 'replica')}: ${joinWords([
            `${figures.leastAvailable} available`,
            pluralize(figures.extraPods, 'extra pod'),
            formatTime(figures),
            ...(figures.verdict === 'fits' ? [] : [figures.verdict]),
          ])}`,
        ]
      : [],
  );
}
