import type { RollingSyncSimulation, RollingSyncStep } from '../core/simulations/rolling-sync';
import { countedOrNo } from '../core/words';
import type { Palette } from './palette';
import { rowTable } from './text-rows';
import { visible } from '../core/visible';

const HALTS: Readonly<Record<NonNullable<RollingSyncSimulation['halted']>['reason'], string>> = {
  'zero-max-update': 'its maxUpdate lets nothing sync',
  'overlapping-steps': 'Applications of it are of a later step too, which waits for them',
};

/** Names that a row spells out. */
const NAMED = 3;

function namesText(names: readonly string[] = []): string {
  const shown = names.slice(0, NAMED).map(visible).join(', ');
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}

function stepText({ step, count, maxUpdate }: RollingSyncStep): string {
  const limit = maxUpdate === undefined ? '' : `, at most ${maxUpdate} at once`;
  return `step ${step}: ${countedOrNo(count, 'Application')}${limit}`;
}

/** An ApplicationSet: its steps, the Applications that sync at once, and where it ends. */
export function rollingSyncLines(simulation: RollingSyncSimulation, palette: Palette): string[] {
  const { applications, isStepwise, steps, waves, done, halted, unmatchedCount, unmatched, elided } = simulation;
  const size = countedOrNo(applications, 'Application');
  if (!isStepwise) return [`${size}: all sync at once`];
  const rows = waves.map(({ wave, count, applications: names }) => [String(wave), String(count), namesText(names)]);
  return [
    `${size} in ${countedOrNo(steps.length, 'step')}: ${countedOrNo(waves.length + (elided ?? 0), 'wave')}${done ? ', done' : ''}`,
    ...steps.map(stepText),
    ...(halted ? [`stands still at step ${halted.step} for good: ${HALTS[halted.reason]}`] : []),
    ...(unmatchedCount > 0
      ? [`never synced: ${countedOrNo(unmatchedCount, 'Application')}${unmatched ? ` (${namesText(unmatched)})` : ''}`]
      : []),
    ...(rows.length === 0
      ? []
      : ['', ...rowTable(['wave', 'count', 'Applications'], rows, ['right', 'right', 'left'], palette, { elided, noun: 'wave' })]),
  ];
}
