import type { Behaviour, PlanChange } from '../core/behaviour';
import { groupsOf, riskText, shortValue } from './diff-groups';
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

/** A table for each rollout that behaves otherwise, each a block of lines. */
export function behaviourTables({ changed }: Behaviour): string[][] {
  return groupsOf(changed).map(groupBlock);
}
