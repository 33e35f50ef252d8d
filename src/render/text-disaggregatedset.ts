import type { DisaggregatedSetSimulation } from '../core/simulations/disaggregatedset';
import { countedOrNo, listed } from '../core/words';
import type { Palette } from './palette';
import { rowTable } from './text-rows';
import { visible } from '../core/visible';

/** Where all roles stop, and why; of no room the surroundings speak. */
export function rolesHaltText({ halted }: Pick<DisaggregatedSetSimulation, 'halted'>): string | undefined {
  if (!halted || halted.reason === 'no-room') return undefined;
  const { wave, reason } = halted;
  const why = reason === 'no-step' ? 'the limits leave no next step' : 'what the controller writes is refused';
  return wave === 0 ? `halts before anything moves: ${why}` : `halts after wave ${wave}: ${why}`;
}

/** A DisaggregatedSet's rollout: its roles, then the new and the old groups of each, wave by wave. */
export function disaggregatedSetLines(simulation: DisaggregatedSetSimulation, palette: Palette, standsAt?: number): string[] {
  const { roles, waves, peakPods, minAvailable, maxSkewPercent, elided } = simulation;
  const halt = rolesHaltText(simulation);
  if (roles.every(({ replicas }) => replicas === 0)) return ['no groups: nothing to replace'];
  const sizes = roles.map(
    ({ name, replicas, size, surge, unavailable }) =>
      `${visible(name)} ${countedOrNo(replicas, 'group')} of ${countedOrNo(size, 'pod')} (surge ${surge}, ${unavailable} unavailable)`,
  );
  const shown = standsAt === undefined ? waves : waves.filter(({ wave }) => wave <= standsAt);
  const rows = shown.map(({ wave, roles: all, skewPercent }) => [
    `${wave}`,
    ...all.flatMap(({ newGroups, oldGroups }) => [`${newGroups}`, `${oldGroups}`]),
    `${skewPercent}%`,
  ]);
  const head = ['wave', ...roles.flatMap(({ name }) => [`${visible(name)} new`, 'old']), 'apart'];
  const figures =
    standsAt === undefined
      ? `${countedOrNo(waves.length + (elided ?? 0), 'wave')} of all roles together, peak ${countedOrNo(peakPods, 'pod')}, ` +
        `at least ${minAvailable} available of each role, roles at most ${maxSkewPercent}% apart`
      : `stands still at wave ${standsAt}, for its pods find no room`;
  return [
    listed(sizes),
    figures,
    ...(rows.length === 0
      ? []
      : [
          '',
          ...rowTable(
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
