import type { PlanDiff } from '../../core/document/plan-diff';
import { renderChangeTable, limitCommentLength, PLAN_COMMENT_MARKER } from './plan';
import { formatDiffSummary, toHeadlineInput } from '../changes/diff-groups';
import { formatAssumedVersions } from '../changes/headline';
import { renderBehaviourTables } from './behaviour';
import { escapeMarkdown } from './escape';
import { renderNotComparedLines, renderSetAsideLines, renderUnreadLines } from '../findings/not-planned';

/** Renders a diff as a comment on a change request: the effects of applying NEW, then a table of risks for each rollout. */
export function renderDiffMarkdown(diff: PlanDiff): string {
  const { notPlanned, unread, setAside, ...behaviour } = diff;
  const headlineInput = toHeadlineInput(diff);
  const summary = formatDiffSummary(behaviour);
  const head = headlineInput
    ? [...renderChangeTable(headlineInput), ['', `### ${summary}`]]
    : [[PLAN_COMMENT_MARKER, `## ${summary}${formatAssumedVersions(diff)}`]];
  const lines = [...renderNotComparedLines({ notPlanned }), ...renderUnreadLines(unread), ...renderSetAsideLines(setAside)];
  const remaining = lines.map((line) => ['', escapeMarkdown(line)]);
  return limitCommentLength([...head, ...remaining, ...renderBehaviourTables(behaviour)]);
}
