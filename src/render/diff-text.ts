import type { PlanChange, PlanDiff } from '../core/plan-diff';
import type { ResourceRef } from '../core/rollout';
import { diffSummary, effectText, groupsOf, shortValue, triggerSummary } from './diff-groups';
import type { ChangeGroup } from './diff-groups';
import { paletteOf } from './palette';
import type { Palette } from './palette';
import { alignRows } from './table';
import type { TextOptions } from './text';
import { resourceText } from './text-findings';
import { visible } from './visible';

function cells(change: PlanChange): string[] {
  const words = [effectText(change), visible(change.reason ?? '')].filter((part) => part !== '').join(': ');
  return [visible(change.field), shortValue(change.old), '->', shortValue(change.new), words];
}

function painted(line: string, { effect }: PlanChange, palette: Palette): string {
  if (effect === 'riskier') return palette.severity.error(line);
  return effect === 'safer' ? palette.winner(line) : line;
}

function groupLines(group: ChangeGroup, palette: Palette): string[] {
  const { resource, changes } = group;
  const triggered = triggerSummary(group);
  const lines = alignRows(changes.map(cells), ['left', 'left', 'left', 'left', 'left']);
  return [
    '',
    palette.heading(resource ? resourceText(resource) : 'about no rollout'),
    ...(triggered === undefined ? [] : [`  ${triggered}`]),
    ...lines.map((line, index) => `  ${painted(line, changes[index]!, palette)}`),
  ];
}

function listedLines(word: string, resources: readonly ResourceRef[]): string[] {
  return resources.length === 0 ? [] : ['', ...resources.map((resource) => `${word} ${resourceText(resource)}`)];
}

/** The difference as a person reads it: a summary, what came and went, then each rollout with old and new values and what they lead to. */
export function renderDiffText(diff: PlanDiff, { colour = false }: TextOptions = {}): string {
  const palette = paletteOf(colour);
  const lines = [
    palette.heading(diffSummary(diff)),
    ...listedLines('added', diff.added),
    ...listedLines('removed', diff.removed),
    ...groupsOf(diff.changed).flatMap((group) => groupLines(group, palette)),
  ];
  return `${lines.join('\n')}\n`;
}
