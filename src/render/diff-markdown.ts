import type { PlanChange, PlanDiff } from '../core/plan-diff';
import { changeTable, withinComment, MARK } from './change-markdown';
import { diffSummary, groupsOf, riskText, shortValue } from './diff-groups';
import type { ChangeGroup } from './diff-groups';
import { markdownCode, markdownText } from './markdown-escape';
import { resourceText } from './text-findings';

const HEAD = ['| field | old | new | risk |', '|---|---|---|---|'];

function valueCell(value: unknown): string {
  return value === null || value === undefined ? 'none' : markdownCode(shortValue(value));
}

function row(change: PlanChange): string {
  const risk = riskText(change);
  const words = [...(risk === '' ? [] : [`**${risk}**`]), ...(change.reason === undefined ? [] : [markdownText(change.reason)])];
  return `| ${[markdownCode(change.field), valueCell(change.old), valueCell(change.new), words.join(': ')].join(' | ')} |`;
}

function groupBlock({ resource, changes }: ChangeGroup): string[] {
  return ['', `#### ${markdownCode(resourceText(resource))}`, '', ...HEAD, ...changes.map(row)];
}

/** The difference as a comment on a change request: what applying NEW does, then what gets riskier or safer, a table for each rollout. */
export function renderDiffMarkdown(diff: PlanDiff): string {
  const summary = diffSummary(diff);
  const head = diff.change ? [...changeTable(diff.change, []), ['', `### ${summary}`]] : [[MARK, `## ${summary}`]];
  return withinComment([...head, ...groupsOf(diff.changed).map(groupBlock)]);
}
