import type { Behaviour, PlanChange } from '../../core/document/behaviour';
import { formatDiffSummary, formatGroupLabel, groupChangesByRollout, formatRisk, formatDiffValue } from '../changes/diff-groups';
import type { ChangeGroup } from '../changes/diff-groups';
import type { Palette } from '../layout/palette';
import { alignRows } from '../layout/table';
import { escapeForTerminal } from '../../core/text/escape-output';

function buildCells(change: PlanChange): string[] {
  const note = [formatRisk(change), escapeForTerminal(change.reason ?? '')].filter((part) => part !== '').join(': ');
  return [escapeForTerminal(change.field), formatDiffValue(change.old), '->', formatDiffValue(change.new), note];
}

function applyRiskColour(line: string, { risk }: PlanChange, palette: Palette): string {
  if (risk === 'riskier') return palette.severity.error(line);
  return risk === 'safer' ? palette.winner(line) : line;
}

function renderGroupLines(group: ChangeGroup, palette: Palette): string[] {
  const { changes } = group;
  const lines = alignRows(changes.map(buildCells), ['left', 'left', 'left', 'left', 'left']);
  return [
    '',
    palette.heading(formatGroupLabel(group)),
    ...lines.map((line, index) => `  ${applyRiskColour(line, changes[index]!, palette)}`),
  ];
}

/**
 * Renders a one-line summary, then each rollout whose behaviour differs, with the consequences.
 *
 * @param suffix - text after the summary. @default - none
 */
export function renderBehaviourLines(behaviour: Behaviour, palette: Palette, suffix = ''): string[] {
  return [
    palette.heading(`${formatDiffSummary(behaviour)}${suffix}`),
    ...groupChangesByRollout(behaviour.changed).flatMap((group) => renderGroupLines(group, palette)),
  ];
}
