import type { ExplainedRollout, Explanation } from '../core/explanation';
import type { Finding } from '../core/finding';
import type { Provenance } from '../core/provenance';
import { fitText } from './fit-width';
import { paletteOf } from './palette';
import type { Palette } from './palette';
import { alignRows } from './table';
import type { TextOptions } from './text';
import { findingLines, resourceText } from './text-findings';
import { notPlannedLines } from './text-not-planned';
import { visible, visibleValue } from '../core/visible';

interface Level {
  readonly layer: string;
  readonly value: unknown;
  readonly result: string;
  readonly wins: boolean;
}

/** The level that decides, then those that had a value too, as their provenance lists them, each with why it does not. */
function levelsOf({ layer, value, reason, overridden }: Provenance): Level[] {
  const losers = overridden.map((level): Level => ({ layer: level.layer, value: level.value, result: level.reason, wins: false }));
  return [{ layer, value, result: `decides: ${reason}`, wins: true }, ...losers];
}

function fieldLines(provenance: Provenance, palette: Palette): string[] {
  const levels = levelsOf(provenance);
  const rows = levels.map(({ layer, value, result, wins }) => [wins ? '>' : '', visible(layer), visibleValue(value), visible(result)]);
  const [head, ...lines] = alignRows([['', 'LEVEL', 'VALUE', 'RESULT'], ...rows], ['left', 'left', 'left', 'left']);
  return [
    palette.heading(visible(provenance.field)),
    palette.quiet(head!),
    ...lines.map((line, index) => (levels[index]!.wins ? palette.winner(line) : line)),
  ];
}

/** Why nothing decides; no line for a rollout that has a strategy. */
function noStrategyLines({ noStrategy }: ExplainedRollout, palette: Palette): string[] {
  if (!noStrategy) return [];
  if (noStrategy.because === 'revision') return ['', 'No level decides: Knative has no strategy, and replaces a Revision as a whole.'];
  return [
    '',
    'No level decides: there is no strategy.',
    ...noStrategy.findings.flatMap((finding) => ['', ...findingLines(finding, palette)]),
  ];
}

function rolloutBlock(rollout: ExplainedRollout, palette: Palette): string {
  const { system, resource, unit, provenance } = rollout;
  const from = unit === undefined ? system : `${system}, ${visible(unit)}`;
  const heading = `${palette.heading(resourceText(resource))} ${palette.quiet(`(${from})`)}`;
  const tables = provenance.flatMap((field) => ['', ...fieldLines(field, palette)]);
  return [heading, ...noStrategyLines(rollout, palette), ...tables].join('\n');
}

/** Findings about no rollout that no rollout above has named as its reason. */
function leftFindings({ rollouts, findings = [] }: Explanation): readonly Finding[] {
  const named = new Set(rollouts.flatMap(({ noStrategy }) => noStrategy?.findings ?? []));
  return findings.filter((finding) => !named.has(finding));
}

/**
 * For every field of the rollouts the levels of configuration as a table: the winner marked and with its reason,
 * each loser with its value and why it does not decide. For a rollout without a strategy, why it has none.
 * Where the whole input is explained, what is not planned and what was found beside the rollouts stand last.
 */
export function renderExplanation(explanation: Explanation, { colour = false, width }: TextOptions = {}): string {
  const palette = paletteOf(colour);
  const { rollouts, notPlanned = [] } = explanation;
  const blocks = [
    ...(rollouts.length === 0 ? ['no rollouts'] : rollouts.map((rollout) => rolloutBlock(rollout, palette))),
    ...notPlannedLines({ notPlanned }),
    ...leftFindings(explanation).map((finding) => findingLines(finding, palette).join('\n')),
  ];
  return fitText(`${blocks.join('\n\n')}\n`, width);
}
