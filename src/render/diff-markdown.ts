import type { PlanDiff } from '../core/plan-diff';
import { changeTable, withinComment, MARK } from './change-markdown';
import { diffSummary } from './diff-groups';
import { behaviourTables } from './markdown-behaviour';
import { markdownText } from './markdown-escape';
import { notComparedLines, unreadLines } from './text-not-planned';

/** The difference as a comment on a change request: what applying NEW does, then what gets riskier or safer, a table for each rollout. */
export function renderDiffMarkdown({ change, notPlanned, unread, ...behaviour }: PlanDiff): string {
  const summary = diffSummary(behaviour);
  const head = change ? [...changeTable(change, []), ['', `### ${summary}`]] : [[MARK, `## ${summary}`]];
  const left = [...notComparedLines({ notPlanned }), ...unreadLines(unread)].map((line) => ['', markdownText(line)]);
  return withinComment([...head, ...left, ...behaviourTables(behaviour)]);
}
