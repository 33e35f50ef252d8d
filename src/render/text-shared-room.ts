import type { SharedRoom } from '../core/plan-document';
import type { Palette } from './palette';
import { alignRows } from './table';
import { visible } from '../core/visible';

/** Whether the rollouts find room in what they share, and a row for each limit. */
export function sharedRoomLines({ message, limits }: SharedRoom, palette: Palette): string[] {
  const verdict = `room in what they share: ${visible(message)}`;
  if (limits.length === 0) return [verdict];
  const head = ['there is', 'steady', 'one after another', 'all at once', 'of', 'limit'];
  const rows = limits.map(({ available, steady, oneAfterAnother, together, resource, limit }) => {
    return [available, steady, oneAfterAnother, together, visible(resource), visible(limit)];
  });
  const [headLine, ...lines] = alignRows([head, ...rows], ['right', 'right', 'right', 'right', 'left', 'left']);
  return [verdict, '', palette.quiet(headLine ?? ''), ...lines].map((line, index) => (index < 2 ? line : `  ${line}`));
}
