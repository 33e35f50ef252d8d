import type { DisaggregatedSetSimulation } from '../../core/simulations/disaggregatedset';
import { pluralizeOrNo, joinWords } from '../../core/text/text-format';
import type { Palette } from '../layout/palette';
import { renderRowTable } from '../layout/row-table';
import { escapeForTerminal } from '../../core/text/escape-output';

/** Formats where and why all roles stop. A lack of capacity is reported by the constraints instead. */
export function formatRolesHalt({ halted }: Pick<DisaggregatedSetSimulation, 'halted'>): string | undefined {
  if (!halted || halted.reason === 'insufficient-capacity') return undefined;
  const { wave, reason } = halted;
  const why = reason === 'no-step' ? 'the limits allow no next step' : 'the API server refuses what the controller writes';
  return wave === 0 ? `halts before the first wave: ${why}` : `halts after wave ${wave}: ${why}`;
}

/** Renders the rollout of a DisaggregatedSet: its roles, then the new and old groups of each role per wave. */
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
  const head = ['wave', ...roles.flatMap(({ name }) => [`${escapeForTerminal(name)} new`, 'old']), 'skew'];
  const figures =
    deadlockRow === undefined
      ? `${pluralizeOrNo(waves.length + (elided ?? 0), 'wave')} across all roles, peak ${pluralizeOrNo(peakPods, 'pod')}, ` +
        `at least ${minAvailable} available in each role, skew between roles at most ${maxSkewPercent}%`
      : `deadlocks at wave ${deadlockRow}: its pods do not fit`;
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
