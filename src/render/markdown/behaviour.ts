import type { Behaviour, PlanChange } from '../../core/document/behaviour';
import { formatGroupLabel, groupChangesByRollout, formatRisk, formatDiffValue } from '../changes/diff-groups';
import type { ChangeGroup } from '../changes/diff-groups';
import { pluralize } from '../../core/text/text-format';
import { renderDetailsBlock } from './details';
import { formatMarkdownCode, escapeMarkdown } from './escape';

const TABLE_HEADER = ['| field | old | new | risk |', '|---|---|---|---|'];

function formatValueCell(value: unknown): string {
  return value === null || value === undefined ? 'none' : formatMarkdownCode(formatDiffValue(value));
}

function renderRow(change: PlanChange): string {
  const risk = formatRisk(change);
  const parts = [...(risk === '' ? [] : [`**${risk}**`]), ...(change.reason === undefined ? [] : [escapeMarkdown(change.reason)])];
  return `| ${[formatMarkdownCode(change.field), formatValueCell(change.old), formatValueCell(change.new), parts.join(': ')].join(' | ')} |`;
}

/** Formats the number of fields, and how many of them make a rollout riskier or safer. */
function summarizeRisks(changes: readonly PlanChange[]): string {
  const risks = (['riskier', 'safer'] as const).map((risk) => [changes.filter((change) => change.risk === risk).length, risk] as const);
  const texts = risks.filter(([count]) => count > 0).map(([count, risk]) => `${count} ${risk}`);
  return `${pluralize(changes.length, 'field')}${texts.length === 0 ? '' : `, ${texts.join(', ')}`}`;
}

function renderGroupBlock(group: ChangeGroup): string[] {
  const { changes } = group;
  return renderDetailsBlock(`${formatGroupLabel(group)}: ${summarizeRisks(changes)}`, [...TABLE_HEADER, ...changes.map(renderRow)]);
}

/** Renders a folded table for each rollout that behaves differently, each as a block of lines. */
export function renderBehaviourTables({ changed }: Behaviour): string[][] {
  return groupChangesByRollout(changed).map(renderGroupBlock);
}
