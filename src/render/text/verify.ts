import { findMax } from '../../core/values/min-max';
import type { ObservedCounts, VerifiedRollout, VerifiedWave, VerifyReport } from '../../core/document/verify-report';
import { escapeForTerminal } from '../../core/text/escape-output';
import { pluralize } from '../../core/text/text-format';
import { stringifySafeJson } from '../json/json';
import type { OutputTarget } from '../layout/output-target';
import { createPalette } from '../layout/palette';
import type { Palette } from '../layout/palette';
import { formatResourceLabel } from '../findings/text-findings';
import { wrapTextToWidth } from '../layout/wrap-text';

/** Largest number of waves that are shown; of more, the first and the last. */
const MAX_WAVES = 20;

const HEADINGS = ['wave', 'new', 'old', 'total', 'available', 'new', 'old', 'total', 'available', 'seconds'];

function formatCounts(counts: ObservedCounts | undefined): string[] {
  if (!counts) return ['-', '-', '-', '-'];
  return [counts.new, counts.old, counts.total, counts.available].map(String);
}

function selectWaves(waves: readonly VerifiedWave[]): readonly VerifiedWave[] {
  if (waves.length <= MAX_WAVES) return waves;
  return [...waves.slice(0, MAX_WAVES / 2), ...waves.slice(-MAX_WAVES / 2)];
}

/** Renders the waves as a table: the plan on the left, the cluster on the right. */
function renderWaves(waves: readonly VerifiedWave[]): string[] {
  if (waves.length === 0) return [];
  const rows = selectWaves(waves).map(({ wave, planned, observed, seconds }) => [
    String(wave),
    ...formatCounts(planned),
    ...formatCounts(observed),
    seconds === undefined ? '-' : String(Math.round(seconds)),
  ]);
  const widths = HEADINGS.map((heading, column) =>
    findMax(
      rows.map((row) => row[column]!.length),
      heading.length,
    ),
  );
  const formatRow = (row: readonly string[]) =>
    row.map((cell, column) => `${column === 5 || column === 9 ? '  ' : ''}${cell.padStart(widths[column]!)}`).join('  ');
  const left = widths.slice(0, 5).reduce((sum, width) => sum + width + 2, 0);
  const titles = `${' '.repeat(widths[0]! + 2)}${'planned'.padEnd(left - widths[0]!)}observed`;
  return [titles, formatRow(HEADINGS), ...rows.map(formatRow)];
}

function renderRollout(rollout: VerifiedRollout, palette: Palette): string[] {
  const { resource, follows, message, waves, leastAvailable, reasons, startup, status } = rollout;
  const others = status === 'deviating' ? [] : reasons;
  return [
    `${palette.heading(formatResourceLabel(resource))}${follows ? ` as ${formatResourceLabel(follows)}` : ''}`,
    ...[
      escapeForTerminal(message),
      ...others
        .filter(({ message: reason }) => !message.includes(reason.replace(/\.$/, '')))
        .map(({ reason, message: said }) => escapeForTerminal(`${reason}: ${said}`)),
      ...renderWaves(waves),
      ...(leastAvailable ? [`fewest ready pods: ${leastAvailable.observed}, planned ${leastAvailable.planned}`] : []),
      ...(startup
        ? [`${pluralize(startup.pods, 'new pod')} ready after ${startup.p50} s in the median, ${startup.p95} s at the 95th percentile`]
        : []),
    ].map((line) => `  ${line}`),
  ];
}

function formatHeadline({ endedAsPlanned, rollouts }: VerifyReport): string {
  const followed = rollouts.filter(({ status }) => status !== 'not-followed');
  if (followed.length === 0) return 'Nothing rolls out, as planned.';
  const ended = `${pluralize(followed.length, 'rollout')} compared with the plan`;
  return endedAsPlanned ? `${ended}: finished as planned` : `${ended}: not as planned`;
}

/** Renders the output of `verify --format text`. */
export function renderVerifyText(report: VerifyReport, { colour, width }: OutputTarget): string {
  const palette = createPalette(colour);
  const blocks = [[palette.heading(formatHeadline(report))], ...report.rollouts.map((rollout) => renderRollout(rollout, palette))];
  return wrapTextToWidth(`${blocks.map((block) => block.join('\n')).join('\n\n')}\n`, width);
}

/** Renders the output of `verify --format json`. */
export function renderVerifyJson(report: VerifyReport): string {
  return stringifySafeJson(report);
}
