import type { SharedCapacityResult } from '../core/plan-document';
import type { Palette } from './palette';
import { alignRows } from './table';
import { escapeForTerminal } from '../core/escape-output';

/** Whether the rollouts find room in what they share, and a row for each limit. */
export function renderSharedCapacityLines({ message, limits }: SharedCapacityResult, palette: Palette): string[] {
  const verdict = `room in what they share: ${escapeForTerminal(message)}`;
  if (limits.length === 0) return [verdict];
  const head = ['there is', 'steady', 'one after another', 'all at once', 'of', 'limit'];
  const rows = limits.map(({ available, steady, sequential, concurrent, resource, limit }) => {
    return [available, steady, sequential, concurrent, escapeForTerminal(resource), escapeForTerminal(limit)];
  });
  const [headLine, ...lines] = alignRows([head, ...rows], ['right', 'right', 'right', 'right', 'left', 'left']);
  return [verdict, '', palette.quiet(headLine ?? ''), ...lines].map((line, index) => (index < 2 ? line : `  ${line}`));
}
