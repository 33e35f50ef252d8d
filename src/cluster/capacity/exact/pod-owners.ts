import { pluralize } from '../../../core/text-format';
import type { RunningPod } from './running-pods';
import type { Surroundings } from './surroundings';

/** Names the owners of running pods, with the number of pods, most pods first. */
export function listOwners(pods: readonly RunningPod[]): string[] {
  const counts = new Map<string, number>();
  for (const { workloadName } of pods) counts.set(workloadName, (counts.get(workloadName) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, 3).map(([name, count]) => (name.startsWith('Pod ') ? name : `${pluralize(count, 'pod')} of ${name}`));
  return sorted.length > 3 ? [...shown, `${sorted.length - 3} more`] : shown;
}

function listUnplannedOwners({ unplanned, inventory }: Surroundings): string[] {
  return listOwners(unplanned.filter(({ nodeName }) => nodeName !== undefined && inventory().indexOf(nodeName) !== undefined));
}

const ownersBySurroundings = () => new WeakMap<Surroundings, readonly string[]>();

/** Names the owners of running pods that are not planned, once per plan. */
export function getUnplannedOwners(surroundings: Surroundings): readonly string[] {
  const known = surroundings.cache.getOrCreate(ownersBySurroundings);
  const owners = known.get(surroundings) ?? listUnplannedOwners(surroundings);
  known.set(surroundings, owners);
  return owners;
}
