import { findMax } from '../../core/values/min-max';
import type { DisaggregatedSetSimulation } from '../../core/simulations/disaggregatedset';
import type { ParsedRole } from './disaggregated-set';
import { computeSkew } from './simulate';

/**
 * Returns a rollout that deadlocks without the groups of its last row that quotas refuse. A group whose leader is refused does not exist.
 *
 * @param admittedPods new pods in the last row, by member of each role
 */
export function withAdmittedGroups(
  simulation: DisaggregatedSetSimulation,
  roles: readonly ParsedRole[],
  admittedPods: readonly number[],
): DisaggregatedSetSimulation {
  const last = simulation.waves.at(-1);
  if (!last || simulation.elided !== undefined) return simulation;
  let member = 0;
  const admitted = roles.map(({ members }, role) => {
    const leaders = admittedPods[member]! / members[0]!.pods;
    member += members.length;
    return { ...last.roles[role]!, newGroups: Math.min(last.roles[role]!.newGroups, Math.ceil(leaders)) };
  });
  const skewPercent = computeSkew(admitted.map(({ newGroups, oldGroups }) => ({ old: oldGroups, next: newGroups })));
  const waves = [...simulation.waves.slice(0, -1), { ...last, roles: admitted, skewPercent }];
  const before = roles.reduce((pods, { replicas, size }) => pods + replicas * size, 0);
  const podsIn = ({ roles: all }: (typeof waves)[number]) =>
    all.reduce((pods, { newGroups, oldGroups }, role) => pods + (newGroups + oldGroups) * roles[role]!.size, 0);
  return {
    ...simulation,
    waves,
    peakPods: findMax(waves.map(podsIn), before),
    maxSkewPercent: findMax(
      waves.map((wave) => wave.skewPercent),
      0,
    ),
  };
}
