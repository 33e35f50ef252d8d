import type { PlanDiff } from '../core/plan-diff';
import { wrapTextToWidth } from './wrap-text';
import { createPalette } from './palette';
import type { TextOptions } from './text';
import { renderBehaviourLines } from './text-behaviour';
import { renderChangeLines } from './text-change';
import { renderNotComparedLines, renderUnreadLines } from './text-not-planned';

/** The difference as a person reads it: what applying NEW does, then each rollout that behaves otherwise, with what it leads to. */
export function renderDiffText(
  { change, notPlanned, unread, ...behaviour }: PlanDiff,
  { colour = false, width }: TextOptions = {},
): string {
  const palette = createPalette(colour);
  const lines = [
    ...(change ? [...renderChangeLines(change, [], palette), ''] : []),
    ...renderBehaviourLines(behaviour, palette),
    ...renderNotComparedLines({ notPlanned }).flatMap((line) => ['', line]),
    ...renderUnreadLines(unread).flatMap((line) => ['', line]),
  ];
  return wrapTextToWidth(`${lines.join('\n')}\n`, width);
}
