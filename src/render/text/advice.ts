import { formatGoal, formatUnmetLimit } from '../../core/document/goal-text';
import type { AdviceDocument, AdvisedRollout, RolloutWithoutAdvice } from '../../core/document/advice';
import { escapeForTerminal } from '../../core/text/escape-output';
import { pluralize } from '../../core/text/text-format';
import {
  formatGpus,
  formatScaledFigures,
  formatStrategy,
  formatTime,
  formatVerdict,
  listAdviceRows,
  listAssumptions,
  listUnmetReasons,
} from './advice-words';
import type { AdviceRow } from './advice-words';
import type { OutputTarget } from '../layout/output-target';
import { createPalette } from '../layout/palette';
import type { Palette } from '../layout/palette';
import { alignRows } from '../layout/table';
import type { ColumnAlign } from '../layout/table';
import { formatResourceLabel } from '../findings/text-findings';
import { wrapLineToWidth } from '../layout/wrap-text';

/** Width of the text if no terminal limits it. */
const TEXT_WIDTH = 100;

/** A column of the table. */
interface Column {
  readonly name: string;
  readonly align: ColumnAlign;
  readonly cell: (row: AdviceRow) => string;
}

const COLUMNS: readonly Column[] = [
  { name: '', align: 'left', cell: ({ mark }) => mark },
  { name: 'strategy', align: 'left', cell: ({ candidate }) => formatStrategy(candidate.strategy) },
  { name: 'time', align: 'right', cell: ({ candidate }) => formatTime(candidate) },
  { name: 'extra pods', align: 'right', cell: ({ candidate }) => String(candidate.extraPods) },
  { name: 'extra GPUs', align: 'right', cell: ({ candidate }) => formatGpus(candidate) },
  { name: 'available', align: 'right', cell: ({ candidate }) => String(candidate.leastAvailable) },
  { name: 'broken', align: 'right', cell: ({ candidate }) => String(candidate.brokenByBadVersion) },
  { name: 'capacity', align: 'left', cell: ({ candidate }) => candidate.verdict },
];

/** Renders the table of a rollout, without columns that are empty. */
function renderTable({ rows }: { readonly rows: readonly AdviceRow[] }, palette: Palette): string[] {
  const columns = COLUMNS.filter(({ cell }) => rows.some((row) => cell(row) !== ''));
  const cells = [columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ cell }) => escapeForTerminal(cell(row))))];
  const [head = '', ...lines] = alignRows(
    cells,
    columns.map(({ align }) => align),
  );
  return [`  ${palette.quiet(head)}`, ...lines.map((line, index) => `  ${rows[index]!.mark === '' ? line : palette.winner(line)}`)];
}

function renderRollout(rollout: AdvisedRollout, palette: Palette, width: number): string[] {
  const { resource, unit, replicas, goal, best, unmet = [] } = rollout;
  const wrap = (text: string, indent = '  ') => wrapLineToWidth(`${indent}${escapeForTerminal(text)}`, width);
  const goalText = formatGoal(goal);
  const { rows, omitted } = listAdviceRows(rollout);
  const name = `${formatResourceLabel(resource)}${unit === undefined ? '' : ` (${escapeForTerminal(unit)})`}`;
  return [
    `${palette.heading(name)}  ${palette.quiet(pluralize(replicas, resource.kind === 'DaemonSet' ? 'node' : 'replica'))}`,
    ...(goalText === undefined ? [] : wrap(`goal: ${goalText}${goal.prefer === undefined ? '' : `; prefer ${goal.prefer}`}`)),
    ...wrap(formatVerdict(rollout)),
    ...unmet.flatMap((limit) => wrap(formatUnmetLimit(limit), '    ')),
    ...listUnmetReasons(unmet).flatMap((reason) => wrap(reason, '    ')),
    ...(best ? formatScaledFigures(best).flatMap((line) => wrap(line, '    ')) : []),
    ...renderTable({ rows }, palette),
    ...(omitted > 0 ? [`  ${palette.quiet(`and ${omitted} more with --format json`)}`] : []),
    ...listAssumptions(rollout).flatMap((line) => wrap(line).map(palette.quiet)),
  ];
}

function renderNotAdvised({ resource, reason }: RolloutWithoutAdvice, width: number): string[] {
  return wrapLineToWidth(`no advice: ${formatResourceLabel(resource)}: ${escapeForTerminal(reason)}`, width);
}

/** Renders advice as text of at most 100 columns. */
export function renderAdviceText({ rollouts, notAdvised }: AdviceDocument, { colour, width = TEXT_WIDTH }: OutputTarget): string {
  const palette = createPalette(colour);
  const columns = Math.min(width, TEXT_WIDTH);
  const blocks = [
    ...rollouts.map((rollout) => renderRollout(rollout, palette, columns)),
    ...(notAdvised.length > 0 ? [notAdvised.flatMap((rollout) => renderNotAdvised(rollout, columns))] : []),
  ];
  return blocks.length === 0 ? 'no rollouts\n' : `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}
