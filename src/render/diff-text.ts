import type { PlanDiff } from '../core/plan-diff';
import { fitText } from './fit-width';
import { paletteOf } from './palette';
import type { TextOptions } from './text';
import { behaviourLines } from './text-behaviour';
import { changeLines } from './text-change';
import { notComparedLines, unreadLines } from './text-not-planned';

/** The difference as a person reads it: what applying NEW does, then each rollout that behaves otherwise, with what it leads to. */
export function renderDiffText(
  { change, notPlanned, unread, ...behaviour }: PlanDiff,
  { colour = false, width }: TextOptions = {},
): string {
  const palette = paletteOf(colour);
  const lines = [
    ...(change ? [...changeLines(change, [], palette), ''] : []),
    ...behaviourLines(behaviour, palette),
    ...notComparedLines({ notPlanned }).flatMap((line) => ['', line]),
    ...unreadLines(unread).flatMap((line) => ['', line]),
  ];
  return fitText(`${lines.join('\n')}\n`, width);
}
