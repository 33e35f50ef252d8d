import type { PlanDiff } from '../../core/document/plan-diff';
import { wrapTextToWidth } from '../layout/wrap-text';
import { toHeadlineInput } from '../changes/diff-groups';
import { formatAssumedVersions } from '../changes/headline';
import { createPalette } from '../layout/palette';
import type { TextOptions } from './plan';
import { renderBehaviourLines } from './behaviour';
import { renderChangeLines } from './change';
import { renderNotComparedLines, renderSetAsideLines, renderUnreadLines } from '../findings/not-planned';

/** Renders a diff as text: the effects of applying NEW, then each rollout that behaves differently, with the consequences. */
export function renderDiffText(diff: PlanDiff, { colour = false, width }: TextOptions = {}): string {
  const { notPlanned, unread, setAside, ...behaviour } = diff;
  const palette = createPalette(colour);
  const headlineInput = toHeadlineInput(diff);
  const lines = [
    ...(headlineInput ? [...renderChangeLines(headlineInput, palette), ''] : []),
    ...renderBehaviourLines(behaviour, palette, headlineInput ? '' : formatAssumedVersions(diff)),
    ...renderNotComparedLines({ notPlanned }).flatMap((line) => ['', line]),
    ...[...renderUnreadLines(unread), ...renderSetAsideLines(setAside)].flatMap((line) => ['', line]),
  ];
  return wrapTextToWidth(`${lines.join('\n')}\n`, width);
}
