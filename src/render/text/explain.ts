import { formatSystem } from '../rollout/outcome-text';
import type { RolloutExplanation, Explanation } from '../../core/document/explanation';
import type { Finding } from '../../core/findings/finding';
import type { Provenance } from '../../core/document/provenance';
import { wrapTextToWidth } from '../layout/wrap-text';
import { createPalette } from '../layout/palette';
import type { Palette } from '../layout/palette';
import { alignRows } from '../layout/table';
import type { TextOptions } from './plan';
import { renderFindingLines, formatResourceLabel } from '../findings/text-findings';
import { renderNotPlannedLines } from '../findings/not-planned';
import { escapeForTerminal, formatValueForTerminal } from '../../core/text/escape-output';

interface LevelRow {
  readonly layer: string;
  readonly value: unknown;
  readonly result: string;
  readonly wins: boolean;
}

/** Lists the level that decides, then the overridden levels in the order of the provenance, each with the reason. */
function listLevels({ layer, value, reason, overridden }: Provenance): LevelRow[] {
  const losers = overridden.map((level): LevelRow => ({ layer: level.layer, value: level.value, result: level.reason, wins: false }));
  return [{ layer, value, result: `decides: ${reason}`, wins: true }, ...losers];
}

function renderFieldLines(provenance: Provenance, palette: Palette): string[] {
  const levels = listLevels(provenance);
  const rows = levels.map(({ layer, value, result, wins }) => [
    wins ? '>' : '',
    escapeForTerminal(layer),
    formatValueForTerminal(value),
    escapeForTerminal(result),
  ]);
  const [head, ...lines] = alignRows([['', 'LEVEL', 'VALUE', 'RESULT'], ...rows], ['left', 'left', 'left', 'left']);
  return [
    palette.heading(escapeForTerminal(provenance.field)),
    palette.quiet(head!),
    ...lines.map((line, index) => (levels[index]!.wins ? palette.winner(line) : line)),
  ];
}

/** Renders why no level decides, or no line if the rollout has a strategy. */
function renderNoStrategyLines({ noStrategy }: RolloutExplanation, palette: Palette): string[] {
  if (!noStrategy) return [];
  if (noStrategy.because === 'revision') return ['', 'No level decides: Knative has no strategy. It replaces the entire Revision.'];
  return [
    '',
    'No level decides: there is no strategy.',
    ...noStrategy.findings.flatMap((finding) => ['', ...renderFindingLines(finding, palette)]),
  ];
}

function renderRolloutBlock(rollout: RolloutExplanation, palette: Palette): string {
  const { system, resource, unit, provenance } = rollout;
  const from = [formatSystem(system), ...(unit === undefined ? [] : [escapeForTerminal(unit)])].join(', ');
  const heading = `${palette.heading(formatResourceLabel(resource))} ${palette.quiet(`(${from})`)}`;
  const tables = provenance.flatMap((field) => ['', ...renderFieldLines(field, palette)]);
  return [heading, ...renderNoStrategyLines(rollout, palette), ...tables].join('\n');
}

/** Returns the findings about no rollout that no rollout lists as the reason for its missing strategy. */
function collectUnattributedFindings({ rollouts, findings = [] }: Explanation): readonly Finding[] {
  const attributed = new Set(rollouts.flatMap(({ noStrategy }) => noStrategy?.findings ?? []));
  return findings.filter((finding) => !attributed.has(finding));
}

/**
 * Renders a table of configuration levels for every field of the rollouts. The level that decides is marked.
 * Each level has its value and the reason why it does or does not decide. A rollout without a strategy has the reason instead.
 * If the entire input is explained, unplanned kinds and findings about no rollout come last.
 */
export function renderExplanation(explanation: Explanation, { colour = false, width }: TextOptions = {}): string {
  const palette = createPalette(colour);
  const { rollouts, notPlanned = [] } = explanation;
  const blocks = [
    ...(rollouts.length === 0 ? ['no rollouts'] : rollouts.map((rollout) => renderRolloutBlock(rollout, palette))),
    ...renderNotPlannedLines({ notPlanned }),
    ...collectUnattributedFindings(explanation).map((finding) => renderFindingLines(finding, palette).join('\n')),
  ];
  return wrapTextToWidth(`${blocks.join('\n\n')}\n`, width);
}
