import type { PlanChange, PlanDiff } from '../core/plan-diff';
import type { ResourceRef } from '../core/rollout';
import { diffSummary, effectText, groupsOf, shortValue, triggerSummary } from './diff-groups';
import type { ChangeGroup } from './diff-groups';
import { markdownCode, markdownText } from './markdown-escape';
import { resourceText } from './text-findings';

const HEAD = ['| field | old | new | effect |', '|---|---|---|---|'];

function valueCell(value: unknown): string {
  return value === null || value === undefined ? 'none' : markdownCode(shortValue(value));
}

function row(change: PlanChange): string {
  const effect = effectText(change);
  const words = [...(effect === '' ? [] : [`**${effect}**`]), ...(change.reason === undefined ? [] : [markdownText(change.reason)])];
  return `| ${[markdownCode(change.field), valueCell(change.old), valueCell(change.new), words.join(': ')].join(' | ')} |`;
}

function groupLines(group: ChangeGroup): string[] {
  const { resource, changes } = group;
  const triggered = triggerSummary(group);
  return [
    '',
    `### ${resource ? markdownCode(resourceText(resource)) : 'About no rollout'}`,
    '',
    ...(triggered === undefined ? [] : [triggered, '']),
    ...HEAD,
    ...changes.map(row),
  ];
}

function listedLines(word: string, resources: readonly ResourceRef[]): string[] {
  return resources.length === 0 ? [] : ['', ...resources.map((resource) => `- ${word} ${markdownCode(resourceText(resource))}`)];
}

/** The difference as a comment on a change request: a summary, what came and went, then a table for each rollout. */
export function renderDiffMarkdown(diff: PlanDiff): string {
  const lines = [
    `## Rollouts: ${diffSummary(diff)}`,
    ...listedLines('added', diff.added),
    ...listedLines('removed', diff.removed),
    ...groupsOf(diff.changed).flatMap(groupLines),
  ];
  return `${lines.join('\n')}\n`;
}
