import type { DisaggregatedSetSimulation } from '../core/simulations/disaggregatedset';
import { pluralizeOrNo, joinWords } from '../core/text-format';
import type { Palette } from './palette';
import { renderRowTable } from './row-table';
import { escapeForTerminal } from '../core/escape-output';

/** Where all roles stop, and why; of no room the surroundings speak. */
export function formatRolesHalt({ halted }: Pick<DisaggregatedSetSimulation, 'halted'>): string | undefined {
  if (!halted || halted.reason === 'insufficient-capacity') return undefined;
  const { wave, reason } = halted;
  const why = reason === 'no-step' ? 'the limits leave no next step' : 'what the controller writes is refused';
  return wave === 0 ? `halts before anything moves: ${why}` : `halts after wave ${wave}: ${why}`;
}

/** A DisaggregatedSet's rollout: its roles, then the new and the old groups of each, wave by wave. */
export function renderDisaggregatedSetLines(simulation: DisaggregatedSetSimulation, palette: Palette, deadlockRow?: number): string[] {
  const { roles, waves, peakPods, minAvailable, maxSkewPercent, elided } = simulation;
  const halt = formatRolesHalt(simulation);
  if (roles.every(({ replicas }) => replicas === 0)) return ['no groups: nothing to replace'];
  const sizes = roles.map(
    ({ name, replicas, size, surge, unavailable }) =>
      `${escapeForTerminal(name)} ${pluralizeOrNo(replicas, 'group')} of ${pluralizeOrNo(size, 'pod')} (surge ${surge}, ${unavailable} unavailable)`,
  );
  const shown = deadlockRow === undefined ? waves : waves.filter(({ wave }) => wave <= deadlockRow);
  const rows = shown.map(({ wave, roles: all, skewPercent }) => [
    `${wave}`,
    ...all.flatMap(({ newGroups, oldGroups }) => [`${newGroups}`, `${oldGroups}`]),
    `${skewPercent}%`,
  ]);
  const head = ['wave', ...roles.flatMap(({ name }) => [`${escapeForTerminal(name)} new`, 'old']), 'apart'];
  const figures =
    deadlockRow === undefined
      ? `${pluralizeOrNo(waves.length + (elided ?? 0), 'wave')} of all roles together, peak ${pluralizeOrNo(peakPods, 'pod')}, ` +
        `at least ${minAvailable} available of each role, roles at most ${maxSkewPercent}% apart`
      : `stands still at wave ${deadlockRow}, for its pods find no room`;
  return [
    joinWords(sizes),
    figures,
    ...(rows.length === 0
      ? []
      : [
          '',
          ...renderRowTable(
            head,
            rows,
            head.map(() => 'right' as const),
            palette,
            { elided, noun: 'wave' },
          ),
        ]),
    ...(halt === undefined ? [] : [halt]),
  ];
}
