import type { Behaviour, PlanChange } from '../core/behaviour';
import { diffSummary, groupsOf, riskText, shortValue } from './diff-groups';
import type { ChangeGroup } from './diff-groups';
import type { Palette } from './palette';
import { alignRows } from './table';
import { resourceText } from './text-findings';
import { visible } from '../core/visible';

function cells(change: PlanChange): string[] {
  const words = [riskText(change), visible(change.reason ?? '')].filter((part) => part !== '').join(': ');
  return [visible(change.field), shortValue(change.old), '->', shortValue(change.new), words];
}

function painted(line: string, { risk }: PlanChange, palette: Palette): string {
  if (risk === 'riskier') return palette.severity.error(line);
  return risk === 'safer' ? palette.winner(line) : line;
}

function groupLines({ resource, changes }: ChangeGroup, palette: Palette): string[] {
  const lines = alignRows(changes.map(cells), ['left', 'left', 'left', 'left', 'left']);
  return ['', palette.heading(resourceText(resource)), ...lines.map((line, index) => `  ${painted(line, changes[index]!, palette)}`)];
}

/** One line of summary, then each rollout that behaves otherwise, with what it leads to. */
export function behaviourLines(behaviour: Behaviour, palette: Palette): string[] {
  return [palette.heading(diffSummary(behaviour)), ...groupsOf(behaviour.changed).flatMap((group) => groupLines(group, palette))];
}
