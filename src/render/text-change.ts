import type { ObjectChange, PlannedChange } from '../core/change';
import type { PlannedRollout } from '../core/rollout';
import { greatest } from '../core/extremes';
import type { WayBack } from '../core/rollout-start';
import { MARKS, changeHeadline, happensText, keptText, resourceKey, rolloutsByObject, startTexts, worstFirst } from './change-words';
import { columnsOf } from './columns';
import type { Palette } from './palette';
import { alignRows, mostOfName } from './table';
import { resourceText } from './text-findings';
import { visible } from '../core/visible';

/** Effects that somebody has to decide about, or that stop what was meant. */
const LOUD: ReadonlySet<ObjectChange['effect']> = new Set(['refused', 'replace', 'delete']);
const MOVING: ReadonlySet<ObjectChange['effect']> = new Set(['roll', 'roll-and-scale', 'held', 'restart-needed']);

function painted(line: string, { effect }: ObjectChange, palette: Palette): string {
  if (LOUD.has(effect)) return palette.severity.error(line);
  return MOVING.has(effect) ? palette.severity.warning(line) : line;
}

/** Between columns, and between what happens to one object. */
const GAP = '   ';

/** One line an object that differs, worst first. */
function objectLines(
  change: PlannedChange,
  rollouts: ReadonlyMap<string, readonly PlannedRollout[]>,
  palette: Palette,
  width?: number,
): string[] {
  const differing = worstFirst(change.objects);
  const rows = differing.map((one) => {
    const happens = happensText(one, rollouts.get(resourceKey(one.resource)) ?? []);
    return [`${MARKS[one.effect]} ${one.effect}`, resourceText(one.resource), happens.join(GAP)];
  });
  const lead = greatest(
    rows.map(([effect]) => columnsOf(effect!)),
    0,
  );
  const most = mostOfName(
    rows.map(([, , happens]) => happens!),
    lead + 2 * GAP.length,
    width,
  );
  return alignRows(rows, ['left', 'left', 'left'], GAP, most).map((line, index) => painted(line, differing[index]!, palette));
}

/** The change as a person reads it first: a headline, what was not well before, one line an object. */
export function changeLines(change: PlannedChange, rollouts: readonly PlannedRollout[], palette: Palette, width?: number): string[] {
  const kept = keptText(change);
  return [
    palette.heading(changeHeadline(change, rollouts)),
    ...startTexts(rollouts).map(palette.severity.warning),
    ...objectLines(change, rolloutsByObject(rollouts), palette, width),
    ...(kept === undefined ? [] : [palette.quiet(kept)]),
  ];
}

/** Is a rollout one whose details a change is read for: does it replace pods, or is there something to decide about? */
export function isOfChange({ simulation, findings }: PlannedRollout): boolean {
  return simulation !== null || findings.some(({ severity }) => severity !== 'info');
}

/** What undoes a rollout that went wrong. */
export function wayBackText({ works, message, command }: WayBack): string {
  return visible(`${works ? 'the way back' : 'no way back by itself'}: ${message}${command === undefined ? '' : ` (${command})`}`);
}
