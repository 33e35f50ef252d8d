import type { Behaviour, PlanChange } from '../core/behaviour';
import { groupsOf, riskText, shortValue } from './diff-groups';
import type { ChangeGroup } from './diff-groups';
import { counted } from '../core/words';
import { folded } from './markdown-folded';
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

/** How many of the fields make a rollout riskier or safer; of those that do neither, how many there are. */
function judgement(changes: readonly PlanChange[]): string {
  const risks = (['riskier', 'safer'] as const).map((risk) => [changes.filter((change) => change.risk === risk).length, risk] as const);
  const known = risks.filter(([count]) => count > 0).map(([count, risk]) => `${count} ${risk}`);
  return `${counted(changes.length, 'field')}${known.length === 0 ? '' : `, ${known.join(', ')}`}`;
}

function groupBlock({ resource, changes }: ChangeGroup): string[] {
  return folded(`${resourceText(resource)}: ${judgement(changes)}`, [...HEAD, ...changes.map(row)]);
}

/** A table for each rollout that behaves otherwise, each folded and a block of lines. */
export function behaviourTables({ changed }: Behaviour): string[][] {
  return groupsOf(changed).map(groupBlock);
}
