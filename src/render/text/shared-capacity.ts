import type { SharedCapacityResult } from '../../core/document/plan-document';
import type { Palette } from '../layout/palette';
import { alignRows } from '../layout/table';
import { escapeForTerminal } from '../../core/text/escape-output';

/** Renders whether the rollouts fit into their shared capacity, and a row for each limit. */
export function renderSharedCapacityLines({ message, limits }: SharedCapacityResult, palette: Palette): string[] {
  const verdict = `shared capacity: ${escapeForTerminal(message)}`;
  if (limits.length === 0) return [verdict];
  const head = ['available', 'steady', 'one after another', 'all at once', 'resource', 'limit'];
  const rows = limits.map(({ available, steady, sequential, concurrent, resource, limit }) => {
    return [available, steady, sequential, concurrent, escapeForTerminal(resource), escapeForTerminal(limit)];
  });
  const [headLine, ...lines] = alignRows([head, ...rows], ['right', 'right', 'right', 'right', 'left', 'left']);
  return [verdict, '', palette.quiet(headLine ?? ''), ...lines].map((line, index) => (index < 2 ? line : `  ${line}`));
}
