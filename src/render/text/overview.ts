import type { Severity } from '../../core/findings/finding';
import type { PlannedRollout } from '../../core/document/rollout';
import { isAtLeastSeverity, severityRankOf, findWorstSeverity } from '../../core/findings/severity';
import { hasSingleMessage } from '../findings/finding-groups';
import type { FindingGroup } from '../findings/finding-groups';
import { describeRolloutOutcome } from '../rollout/outcome-text';
import type { Palette } from '../layout/palette';
import { alignRows, computeNameWidth } from '../layout/table';
import { renderFindingLines, formatFindingLocation, formatResourceLabel, renderFindingMessage } from '../findings/text-findings';
import { escapeForTerminal } from '../../core/text/escape-output';

/** Largest number of locations listed for one finding. */
const MAX_LOCATIONS = 5;

/** Renders a group of findings once, with its count and locations. */
function renderGroupLines(group: FindingGroup, palette: Palette, maxLocations: number): string[] {
  const { first, all } = group;
  const { finding, about } = first;
  if (all.length === 1) return renderFindingLines(finding, palette, about);
  const { severity, code } = finding;
  const locations = all
    .slice(0, maxLocations)
    .map((one) => [one.about ? formatResourceLabel(one.about) : '', formatFindingLocation(one.finding)])
    .filter((cells) => cells.some((cell) => cell !== ''));
  const omittedCount = Math.max(0, all.length - maxLocations);
  return [
    `${palette.severity[severity](severity)}  ${escapeForTerminal(code)}  ${palette.quiet(`${all.length} times`)}`,
    ...renderFindingMessage(finding, palette, hasSingleMessage(group) ? '' : 'the first: '),
    ...alignRows(locations, ['left', 'left']).map((line) => `  ${palette.quiet('at:')} ${line.trimStart()}`),
    ...(omittedCount > 0 ? [`  ${palette.quiet(`and ${omittedCount} more`)}`] : []),
  ];
}

/**
 * Renders each group of findings as a block of lines.
 *
 * @param maxLocations - locations listed for each group. @default 5
 */
export function renderFindingBlocks(groups: readonly FindingGroup[], palette: Palette, maxLocations = MAX_LOCATIONS): string[][] {
  return groups.map((group) => renderGroupLines(group, palette, maxLocations));
}

/** Returns the worst severity of a rollout's findings, or undefined if it has none. A rollout that never finishes counts as an error. */
function findWorstFindingSeverity({ findings }: PlannedRollout, isStuck: boolean): Severity | undefined {
  if (isStuck) return 'error';
  return findWorstSeverity(findings.filter(({ suppressed }) => !suppressed).map(({ severity }) => severity));
}

const SEVERITY_MARKS: Readonly<Record<Severity, string>> = { error: '✗', warning: '!', info: 'i' };

/** Columns next to the names of an overview: a mark and two gaps. */
const NAME_MARGIN = 5;

/** Renders one line per rollout with its outcome, worst first. */
export function renderOverviewLines(rollouts: readonly PlannedRollout[], palette: Palette, width?: number): string[] {
  const rows = rollouts.map((rollout) => {
    const { text, isStuck } = describeRolloutOutcome(rollout);
    const worst = findWorstFindingSeverity(rollout, isStuck);
    const unit = rollout.unit === undefined ? '' : ` (${escapeForTerminal(rollout.unit)})`;
    return { worst, cells: [worst ? SEVERITY_MARKS[worst] : ' ', `${formatResourceLabel(rollout.resource)}${unit}`, text] };
  });
  const sorted = rows.toSorted((a, b) => severityRankOf(a.worst) - severityRankOf(b.worst));
  const lines = alignRows(
    sorted.map(({ cells }) => cells),
    ['left', 'left', 'left'],
    '  ',
    computeNameWidth(
      sorted.map(({ cells }) => cells[2]!),
      NAME_MARGIN,
      width,
    ),
  );
  return lines.map((line, index) => {
    const { worst } = sorted[index]!;
    return worst && isAtLeastSeverity(worst, 'warning') ? palette.severity[worst](line) : line;
  });
}
