import type { Finding } from '../core/finding';
import type { Provenance } from '../core/provenance';
import type { PlannedRollout } from '../core/rollout';
import { fitText } from './fit-width';
import { paletteOf } from './palette';
import type { Palette } from './palette';
import { alignRows } from './table';
import type { TextOptions } from './text';
import { findingLines, resourceText } from './text-findings';
import { visible, visibleValue } from './visible';

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

/** A rollout, and what is to be said where it has no strategy. */
export interface ExplainedRollout {
  readonly rollout: PlannedRollout;
  /** Why it has no strategy; nothing where it has one. */
  readonly refusals: readonly Finding[];
}

function refusalLines({ rollout, refusals }: ExplainedRollout, palette: Palette): string[] {
  if (rollout.strategy !== null) return [];
  if (rollout.simulation?.kind === 'revision')
    return ['', 'No level decides: Knative has no strategy, and replaces a Revision as a whole.'];
  return ['', 'No level decides: there is no strategy.', ...refusals.flatMap((finding) => ['', ...findingLines(finding, palette)])];
}

/**
 * For every field of the rollouts the levels of configuration as a table: the winner marked and with its reason,
 * each loser with its value and why it does not decide. For a rollout without a strategy, why it has none.
 *
 * @param field - this field alone
 */
export function renderExplanation(
  explained: readonly ExplainedRollout[],
  field?: string,
  { colour = false, width }: TextOptions = {},
): string {
  const palette = paletteOf(colour);
  const blocks = explained.map(({ rollout, refusals }) => {
    const heading = `${palette.heading(resourceText(rollout.resource))} ${palette.quiet(`(${rollout.system})`)}`;
    const fields = rollout.provenance.filter((provenance) => field === undefined || provenance.field === field);
    const tables = fields.flatMap((provenance) => ['', ...fieldLines(provenance, palette)]);
    return [heading, ...refusalLines({ rollout, refusals }, palette), ...tables].join('\n');
  });
  return fitText(`${blocks.join('\n\n')}\n`, width);
}
