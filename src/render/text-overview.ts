import type { Severity } from '../core/finding';
import type { PlannedRollout } from '../core/rollout';
import { isAsBad, rankOf, worstOf } from '../core/severity';
import { saysOneThing } from './finding-groups';
import type { FindingGroup } from './finding-groups';
import { outcomeOf } from './outcome-words';
import type { Palette } from './palette';
import { alignRows, mostOfName } from './table';
import { findingLines, placeText, resourceText, sayingLines } from './text-findings';
import { visible } from '../core/visible';

/** Places that a finding names where it stands more than once. */
const MOST_PLACES = 5;

/** A finding once, with how often and where it stands. */
function groupLines(group: FindingGroup, palette: Palette, mostPlaces: number): string[] {
  const { first, all } = group;
  const { finding, about } = first;
  if (all.length === 1) return findingLines(finding, palette, about);
  const { severity, code } = finding;
  const places = all.slice(0, mostPlaces).map((one) => [one.about ? resourceText(one.about) : '', placeText(one.finding)]);
  const more = all.length - places.length;
  return [
    `${palette.severity[severity](severity)}  ${visible(code)}  ${palette.quiet(`${all.length} times`)}`,
    ...sayingLines(finding, palette, saysOneThing(group) ? '' : 'the first: '),
    ...alignRows(places, ['left', 'left']).map((line) => `  ${palette.quiet('at:')} ${line.trimStart()}`),
    ...(more > 0 ? [`  ${palette.quiet(`and ${more} more`)}`] : []),
  ];
}

/**
 * Findings as blocks of lines, each group once.
 *
 * @param mostPlaces - places that are named of each. @default 5
 */
export function findingBlocks(groups: readonly FindingGroup[], palette: Palette, mostPlaces = MOST_PLACES): string[][] {
  return groups.map((group) => groupLines(group, palette, mostPlaces));
}

/** The worst of what is to be said of a rollout; undefined where nothing is. One that never ends is an error, whatever its findings say. */
function worstFindingOf({ findings }: PlannedRollout, isStuck: boolean): Severity | undefined {
  if (isStuck) return 'error';
  return worstOf(findings.filter(({ suppressed }) => !suppressed).map(({ severity }) => severity));
}

const MARKS: Readonly<Record<Severity, string>> = { error: '✗', warning: '!', info: 'i' };

/** What stands left and right of the names of an overview: a mark, and two gaps. */
const BESIDE_NAMES = 5;

/** One line a rollout, the worst first: what becomes of it. */
export function overviewLines(rollouts: readonly PlannedRollout[], palette: Palette, width?: number): string[] {
  const rows = rollouts.map((rollout) => {
    const { text, isStuck } = outcomeOf(rollout);
    const worst = worstFindingOf(rollout, isStuck);
    const unit = rollout.unit === undefined ? '' : ` (${visible(rollout.unit)})`;
    return { worst, cells: [worst ? MARKS[worst] : ' ', `${resourceText(rollout.resource)}${unit}`, text] };
  });
  const sorted = rows.toSorted((a, b) => rankOf(a.worst) - rankOf(b.worst));
  const lines = alignRows(
    sorted.map(({ cells }) => cells),
    ['left', 'left', 'left'],
    '  ',
    mostOfName(
      sorted.map(({ cells }) => cells[2]!),
      BESIDE_NAMES,
      width,
    ),
  );
  return lines.map((line, index) => {
    const { worst } = sorted[index]!;
    return worst && isAsBad(worst, 'warning') ? palette.severity[worst](line) : line;
  });
}
