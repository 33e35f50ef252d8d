import type { RollingSyncSimulation, RollingSyncStep } from '../../core/simulations/rolling-sync';
import { pluralizeOrNo } from '../../core/text/text-format';
import type { Palette } from '../layout/palette';
import { renderRowTable } from '../layout/row-table';
import { escapeForTerminal } from '../../core/text/escape-output';

const HALT_TEXTS: Readonly<Record<NonNullable<RollingSyncSimulation['halted']>['reason'], string>> = {
  'zero-max-update': 'its maxUpdate allows no Application to sync',
  'overlapping-steps': 'some of its Applications also match a later step, which waits for them',
};

/** Largest number of names in a row. */
const MAX_LISTED_NAMES = 3;

function formatNames(names: readonly string[] = []): string {
  const shown = names.slice(0, MAX_LISTED_NAMES).map(escapeForTerminal).join(', ');
  return names.length > MAX_LISTED_NAMES ? `${shown} and ${names.length - MAX_LISTED_NAMES} more` : shown;
}

function formatStep({ step, count, maxUpdate }: RollingSyncStep): string {
  const limit = maxUpdate === undefined ? '' : `, at most ${maxUpdate} at once`;
  return `step ${step}: ${pluralizeOrNo(count, 'Application')}${limit}`;
}

/** Renders an ApplicationSet: its steps, the Applications that sync at once, and where it stops. */
export function renderRollingSyncLines(simulation: RollingSyncSimulation, palette: Palette): string[] {
  const { applications, isStepwise, steps, waves, done, halted, unmatchedCount, unmatched, elided } = simulation;
  const size = pluralizeOrNo(applications, 'Application');
  if (!isStepwise) return [`${size}: all sync at once`];
  const rows = waves.map(({ wave, count, applications: names }) => [String(wave), String(count), formatNames(names)]);
  return [
    `${size} in ${pluralizeOrNo(steps.length, 'step')}: ${pluralizeOrNo(waves.length + (elided ?? 0), 'wave')}${done ? ', done' : ''}`,
    ...steps.map(formatStep),
    ...(halted ? [`deadlocks at step ${halted.step}: ${HALT_TEXTS[halted.reason]}`] : []),
    ...(unmatchedCount > 0
      ? [`never synced: ${pluralizeOrNo(unmatchedCount, 'Application')}${unmatched ? ` (${formatNames(unmatched)})` : ''}`]
      : []),
    ...(rows.length === 0
      ? []
      : ['', ...renderRowTable(['wave', 'count', 'Applications'], rows, ['right', 'right', 'left'], palette, { elided, noun: 'wave' })]),
  ];
}
