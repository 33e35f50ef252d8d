import type { RolloutExplanation, Explanation } from '../core/explanation';
import type { Finding } from '../core/finding';
import type { Provenance } from '../core/provenance';
import { wrapTextToWidth } from './wrap-text';
import { createPalette } from './palette';
import type { Palette } from './palette';
import { alignRows } from './table';
import type { TextOptions } from './text';
import { renderFindingLines, formatResourceLabel } from './text-findings';
import { renderNotPlannedLines } from './text-not-planned';
import { escapeForTerminal, formatValueForTerminal } from '../core/escape-output';

interface LevelRow {
  readonly layer: string;
  readonly value: unknown;
  readonly result: string;
  readonly wins: boolean;
}

/** The level that decides, then those that had a value too, as their provenance lists them, each with why it does not. */
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

/** Why nothing decides; no line for a rollout that has a strategy. */
function renderNoStrategyLines({ noStrategy }: RolloutExplanation, palette: Palette): string[] {
  if (!noStrategy) return [];
  if (noStrategy.because === 'revision') return ['', 'No level decides: Knative has no strategy, and replaces a Revision as a whole.'];
  return [
    '',
    'No level decides: there is no strategy.',
    ...noStrategy.findings.flatMap((finding) => ['', ...renderFindingLines(finding, palette)]),
  ];
}

function renderRolloutBlock(rollout: RolloutExplanation, palette: Palette): string {
  const { system, resource, unit, provenance } = rollout;
  const from = unit === undefined ? system : `${system}, ${escapeForTerminal(unit)}`;
  const heading = `${palette.heading(formatResourceLabel(resource))} ${palette.quiet(`(${from})`)}`;
  const tables = provenance.flatMap((field) => ['', ...renderFieldLines(field, palette)]);
  return [heading, ...renderNoStrategyLines(rollout, palette), ...tables].join('\n');
}

/** Findings about no rollout that no rollout above has named as its reason. */
function collectUnattributedFindings({ rollouts, findings = [] }: Explanation): readonly Finding[] {
  const attributed = new Set(rollouts.flatMap(({ noStrategy }) => noStrategy?.findings ?? []));
  return findings.filter((finding) => !attributed.has(finding));
}

/**
 * For every field of the rollouts the levels of configuration as a table: the winner marked and with its reason,
 * each loser with its value and why it does not decide. For a rollout without a strategy, why it has none.
 * Where the whole input is explained, what is not planned and what was found beside the rollouts stand last.
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
