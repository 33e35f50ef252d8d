import type { Finding, Severity } from '../../core/findings/finding';
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

/** Options of a group of findings. */
interface GroupOptions {
  /** Locations listed for each group. @default 5 */
  readonly maxLocations?: number;
  /** Whether each location of a rollout has its own fix. Any other location always has, since no rollout below shows it. @default false */
  readonly hasOwnFixes?: boolean;
}

/** Renders the fix of a finding if it is not that of the first one of its group. */
function renderOwnFix({ help }: Finding, first: Finding, palette: Palette): string[] {
  return help === undefined || help === first.help ? [] : [`    ${palette.quiet('fix:')} ${escapeForTerminal(help)}`];
}

/** Renders a group of findings once, with its count and locations. */
function renderGroupLines(
  group: FindingGroup,
  palette: Palette,
  { maxLocations = MAX_LOCATIONS, hasOwnFixes = false }: GroupOptions,
): string[] {
  const { first, all } = group;
  const { finding, about } = first;
  if (all.length === 1) return renderFindingLines(finding, palette, about);
  const { severity, code } = finding;
  const shown = all.slice(0, maxLocations).filter(({ finding: one, about: of }) => of !== undefined || formatFindingLocation(one) !== '');
  const locations = alignRows(
    shown.map((one) => [one.about ? formatResourceLabel(one.about) : '', formatFindingLocation(one.finding)]),
    ['left', 'left'],
  );
  const omittedCount = Math.max(0, all.length - maxLocations);
  return [
    `${palette.severity[severity](severity)}  ${escapeForTerminal(code)}  ${palette.quiet(`${all.length} times`)}`,
    ...renderFindingMessage(finding, palette, hasSingleMessage(group) ? '' : 'the first: '),
    ...locations.flatMap((line, index) => [
      `  ${palette.quiet('at:')} ${line.trimStart()}`,
      ...(hasOwnFixes || shown[index]!.about === undefined ? renderOwnFix(shown[index]!.finding, finding, palette) : []),
    ]),
    ...(omittedCount > 0 ? [`  ${palette.quiet(`and ${omittedCount} more`)}`] : []),
  ];
}

/** Renders each group of findings as a block of lines. */
export function renderFindingBlocks(groups: readonly FindingGroup[], palette: Palette, options: GroupOptions = {}): string[][] {
  return groups.map((group) => renderGroupLines(group, palette, options));
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
