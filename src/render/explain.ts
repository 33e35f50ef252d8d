import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { Provenance } from '../core/provenance';
import type { PlannedRollout } from '../core/rollout';
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

/** Codes besides errors that say why a rollout has no strategy. */
const NOTHING_ROLLS_OUT: readonly string[] = ['kserve/no-deployment'];

/** Why a rollout has no strategy: by its own findings, else by those of what its system reads besides it, such as a ConfigMap. */
function reasonsFor({ system, findings }: PlannedRollout, planFindings: readonly Finding[]): readonly Finding[] {
  const own = findings.filter(({ severity, code }) => severity === 'error' || NOTHING_ROLLS_OUT.includes(code));
  if (own.length > 0) return own;
  const isOfSystem = ({ code }: Finding) => code.startsWith(`${system}/`) || code === 'input/wrong-type';
  return planFindings.filter((finding) => finding.severity === 'error' && isOfSystem(finding));
}

function refusalLines(rollout: PlannedRollout, planFindings: readonly Finding[], palette: Palette): string[] {
  if (rollout.strategy !== null) return [];
  const reasons = reasonsFor(rollout, planFindings);
  return ['', 'No level decides: there is no strategy.', ...reasons.flatMap((finding) => ['', ...findingLines(finding, palette)])];
}

/**
 * For every field of the rollouts the levels of configuration as a table: the winner marked and with its reason, each loser with its
 * value and why it lost. For a rollout without a strategy, why it has none.
 *
 * @param plan - the rollouts to explain, and the findings that are about no rollout
 * @param field - this field alone
 */
export function renderExplanation(
  { rollouts, findings }: Pick<PlanDocument, 'rollouts' | 'findings'>,
  field?: string,
  { colour = false }: TextOptions = {},
): string {
  const palette = paletteOf(colour);
  const blocks = rollouts.map((rollout) => {
    const heading = `${palette.heading(resourceText(rollout.resource))} ${palette.quiet(`(${rollout.system})`)}`;
    const fields = rollout.provenance.filter((provenance) => field === undefined || provenance.field === field);
    const tables = fields.flatMap((provenance) => ['', ...fieldLines(provenance, palette)]);
    return [heading, ...refusalLines(rollout, findings, palette), ...tables].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}
