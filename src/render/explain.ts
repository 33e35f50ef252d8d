import type { Provenance } from '../core/provenance';
import type { Rollout } from '../core/rollout';
import { paletteOf } from './palette';
import type { Palette } from './palette';
import { alignRows } from './table';
import type { TextOptions } from './text';
import { findingLines, resourceText } from './text-findings';
import { visible, visibleValue } from './visible';

/** Levels of configuration whose order is fixed, highest first; those of other systems stand as their provenance lists them. */
const LEVELS = ['multinode-override', 'user', 'platform-config', 'kserve-default', 'kubernetes-default'];

interface Level {
  readonly layer: string;
  readonly value: unknown;
  readonly result: string;
  readonly wins: boolean;
}

/** A level above the winner had a value and did not apply; the winner's reason says why. */
function isAbove(layer: string, winner: string): boolean {
  const rank = LEVELS.indexOf(layer);
  return rank >= 0 && rank < LEVELS.indexOf(winner);
}

function levelsOf({ layer: winner, value, reason, overridden }: Provenance): Level[] {
  const losers = overridden.map(({ layer, value: lost }): Level => {
    const result = isAbove(layer, winner) ? `does not apply: ${reason}` : `loses to ${winner}, a higher level`;
    return { layer, value: lost, result, wins: false };
  });
  const above = losers.filter(({ layer }) => isAbove(layer, winner));
  const below = losers.filter(({ layer }) => !isAbove(layer, winner));
  return [...above, { layer: winner, value, result: `decides: ${reason}`, wins: true }, ...below];
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

function rolloutLines(rollout: Rollout, fields: readonly Provenance[], palette: Palette): string[] {
  const errors = rollout.findings.filter(({ severity }) => severity === 'error');
  const refused = rollout.strategy === null ? ['', 'No level decides: there is no strategy.', ...errors.flatMap((finding) => ['', ...findingLines(finding, palette)])] : [];
  const heading = `${palette.heading(resourceText(rollout.resource))} ${palette.quiet(`(${rollout.system})`)}`;
  return [heading, ...refused, ...fields.flatMap((provenance) => ['', ...fieldLines(provenance, palette)])];
}

/**
 * For every field of the rollouts the levels of configuration as a table: the winner marked and with its reason, each loser with its
 * value and why it lost.
 *
 * @param field - this field alone
 */
export function renderExplanation(rollouts: readonly Rollout[], field?: string, { colour = false }: TextOptions = {}): string {
  const palette = paletteOf(colour);
  const blocks = rollouts.map((rollout) => {
    const fields = rollout.provenance.filter((provenance) => field === undefined || provenance.field === field);
    return rolloutLines(rollout, fields, palette).join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}
