import type { ObjectChange, PlannedChange } from '../core/change';
import type { PlannedRollout } from '../core/rollout';
import { findMax } from '../core/min-max';
import type { RolloutRollback } from '../core/initial-state';
import {
  EFFECT_MARKS,
  formatChangeHeadline,
  formatEffect,
  formatRetainedObjects,
  rolloutResourceKeyOf,
  groupRolloutsByObject,
  formatInitialStates,
  sortByEffectUrgency,
} from './format-change';
import { measureColumns } from './text-columns';
import type { Palette } from './palette';
import { alignRows, computeNameWidth } from './table';
import { formatResourceLabel } from './text-findings';
import { escapeForTerminal } from '../core/escape-output';

/** Effects that somebody has to decide about, or that stop what was meant. */
const CRITICAL_EFFECTS: ReadonlySet<ObjectChange['effect']> = new Set(['refused', 'replace', 'delete']);
const DISRUPTIVE_EFFECTS: ReadonlySet<ObjectChange['effect']> = new Set(['roll', 'roll-and-scale', 'held', 'restart-needed']);

function applyEffectColour(line: string, { effect }: ObjectChange, palette: Palette): string {
  if (CRITICAL_EFFECTS.has(effect)) return palette.severity.error(line);
  return DISRUPTIVE_EFFECTS.has(effect) ? palette.severity.warning(line) : line;
}

/** Between columns, and between what happens to one object. */
const COLUMN_GAP = '   ';

/** One line an object that differs, worst first. */
function renderObjectLines(
  change: PlannedChange,
  rollouts: ReadonlyMap<string, readonly PlannedRollout[]>,
  palette: Palette,
  width?: number,
): string[] {
  const differing = sortByEffectUrgency(change.objects);
  const rows = differing.map((one) => {
    const outcome = formatEffect(one, rollouts.get(rolloutResourceKeyOf(one.resource)) ?? []);
    return [`${EFFECT_MARKS[one.effect]} ${one.effect}`, formatResourceLabel(one.resource), outcome.join(COLUMN_GAP)];
  });
  const lead = findMax(
    rows.map(([effect]) => measureColumns(effect!)),
    0,
  );
  const maxNameWidth = computeNameWidth(
    rows.map(([, , outcome]) => outcome!),
    lead + 2 * COLUMN_GAP.length,
    width,
  );
  return alignRows(rows, ['left', 'left', 'left'], COLUMN_GAP, maxNameWidth).map((line, index) =>
    applyEffectColour(line, differing[index]!, palette),
  );
}

/** The change as a person reads it first: a headline, what was not well before, one line an object. */
export function renderChangeLines(change: PlannedChange, rollouts: readonly PlannedRollout[], palette: Palette, width?: number): string[] {
  const retainedText = formatRetainedObjects(change);
  return [
    palette.heading(formatChangeHeadline(change, rollouts)),
    ...formatInitialStates(rollouts).map(palette.severity.warning),
    ...renderObjectLines(change, groupRolloutsByObject(rollouts), palette, width),
    ...(retainedText === undefined ? [] : [palette.quiet(retainedText)]),
  ];
}

/** Is a rollout one whose details a change is read for: does it replace pods, or is there something to decide about? */
export function isRelevantToChange({ simulation, findings }: PlannedRollout): boolean {
  return simulation !== null || findings.some(({ severity }) => severity !== 'info');
}

/** What undoes a rollout that went wrong. */
export function formatRollback({ works, message, command }: RolloutRollback): string {
  return escapeForTerminal(
    `${works ? 'the way back' : 'no way back by itself'}: ${message}${command === undefined ? '' : ` (${command})`}`,
  );
}
