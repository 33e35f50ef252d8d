import type { PlanDiff } from '../core/document/plan-diff';
import { wrapTextToWidth } from './wrap-text';
import { toHeadlineInput } from './diff-groups';
import { formatAssumedVersions } from './change-headline';
import { createPalette } from './palette';
import type { TextOptions } from './text';
import { renderBehaviourLines } from './text-behaviour';
import { renderChangeLines } from './text-change';
import { renderNotComparedLines, renderUnreadLines } from './text-not-planned';

/** Renders a diff as text: the effects of applying NEW, then each rollout that behaves differently, with the consequences. */
export function renderDiffText(diff: PlanDiff, { colour = false, width }: TextOptions = {}): string {
  const { notPlanned, unread, ...behaviour } = diff;
  const palette = createPalette(colour);
  const headlineInput = toHeadlineInput(diff);
  const lines = [
    ...(headlineInput ? [...renderChangeLines(headlineInput, palette), ''] : []),
    ...renderBehaviourLines(behaviour, palette, headlineInput ? '' : formatAssumedVersions(diff)),
    ...renderNotComparedLines({ notPlanned }).flatMap((line) => ['', line]),
    ...renderUnreadLines(unread).flatMap((line) => ['', line]),
  ];
  return wrapTextToWidth(`${lines.join('\n')}\n`, width);
}
