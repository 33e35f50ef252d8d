import type { PlanContext } from './context';
import { extendedResources } from './room/extended-resources';
import type { JudgedRoom, LimitedRollout, Limits } from './room/rollout-room';
import { oneNodeEach } from './room/scheduling';
import { sharesVolumeOfOneNode } from './volumes';
import type { KnownRoom, Workload } from './workload';

/** Is it known of nodes, or of a capacity that names what is scarce, how many of the pods find room? */
function isRoomKnown(workload: Workload, limits: Limits): boolean {
  if (workload.countOnly) return false;
  if (limits.nodePools.length > 0) return true;
  const named = new Set(limits.resourcesOf(workload).flatMap(({ kind, resource }) => (kind === 'capacity' ? [resource] : [])));
  return oneNodeEach(workload) === undefined && extendedResources(workload.template.spec).every((resource) => named.has(resource));
}

/** What keeps a second pod like these from running where of room nothing is known. */
function obstacleOf(workload: Workload): Pick<KnownRoom, 'obstacle'> {
  if (oneNodeEach(workload)) return { obstacle: 'one-node-each' };
  return extendedResources(workload.template.spec).length > 0 ? { obstacle: 'extended-resource' } : {};
}

/** What is known of room for a pod more of a workload that is paused, so that its room is not measured. */
export function heldRoom(workload: Workload, context: PlanContext): Pick<KnownRoom, 'obstacle'> {
  return sharesVolumeOfOneNode(workload, context) ? { obstacle: 'volume' } : obstacleOf(workload);
}

/** What is known of room for a pod more than those of a rollout: whether it is there, and what else keeps such a pod from running. */
export function surgeRoom(
  { workload, rollout }: LimitedRollout,
  room: JudgedRoom | undefined,
  atMaximum: JudgedRoom | undefined,
  limits: Limits,
  context: PlanContext,
): Pick<KnownRoom, 'isFound' | 'obstacle'> {
  if (room && room.delay.podsWithRoom <= rollout.replicas) return { obstacle: 'no-room' };
  if (atMaximum && atMaximum.delay.podsWithRoom <= workload.replicaRange!.maximum) return { obstacle: 'no-room-at-maximum' };
  if (sharesVolumeOfOneNode(workload, context)) return { obstacle: 'volume' };
  if (room?.verdict.unmodelled === undefined && room && isRoomKnown(workload, limits)) return { isFound: true };
  return obstacleOf(workload);
}
