import type { PodSet } from '../../rollout/pod-set';
import { toPodShape } from '../nodes/pod-shape';
import { EXCLUSIVE_VOLUMES, findUnmodelledConstraints, hasClaim } from '../nodes/unmodelled-constraints';
import { ATTACH_LIMITS, mayExceedAttachLimits } from './attach-limits';
import { isKeptApartFromUnlocated } from './exclusive-others';
import { PodIndex } from './pod-index';
import { maySplitVolumes } from './shared-volumes';
import type { Surroundings } from './surroundings';
import { listExclusiveUsers, withVolumeNodes } from './volume-nodes';

/** Lists what of running pods of others may keep off new pods of some sets: their anti-affinity, and their host ports. */
function listExclusions(podSets: readonly PodSet[], { allOwnPods, podIndex }: Surroundings): string[] {
  const shapes = podSets.map(toPodShape);
  if (!shapes.some((shape) => podIndex().mayExclude(shape))) return [];
  const own = new Set(podSets.flatMap((podSet) => allOwnPods.get(podSet) ?? []));
  const others = new PodIndex(podIndex().pods.filter((pod) => !own.has(pod)));
  return [
    ...(shapes.some((shape) => others.isKeptOff(shape)) ? ['podAntiAffinity'] : []),
    ...(shapes.some(({ spec }) => others.hasPortOf(spec)) ? ['hostPort'] : []),
  ];
}

/** Reports whether the volumes of new pods exclude nodes. */
function isLimitedByVolumes(podSet: PodSet, { context, inventory }: Surroundings): boolean {
  const onVolumes = withVolumeNodes(podSet, context);
  const countNodes = (pods: PodSet) => inventory().eligibleNodes(pods, 'new').indexes.size;
  return onVolumes !== podSet && countNodes(onVolumes) < countNodes(podSet);
}

/** Reports whether old or new pods of a set mount a claim of its namespace. */
function mountsClaim({ template, oldTemplate, replicas, running = replicas }: PodSet, claim: string): boolean {
  return Math.max(replicas, running) > 0 && [template, oldTemplate].some((each) => hasClaim(each?.spec, claim));
}

/** Reports whether pods of others use, or will use, a volume that new pods of some sets mount, and that only one pod of the cluster may use. */
export function areVolumesInUse(podSets: readonly PodSet[], { allOwnPods, sets, context }: Surroundings): boolean {
  return podSets.some((podSet) => {
    const own = podSets.flatMap((each) => allOwnPods.get(each) ?? []);
    if (listExclusiveUsers(podSet, context).some((pod) => !own.includes(pod))) return true;
    return (podSet.exclusiveClaims ?? []).some((claim) =>
      sets.some((other) => !podSets.includes(other) && other.namespace === podSet.namespace && mountsClaim(other, claim)),
    );
  });
}

/** Lists what may keep new pods of some sets off nodes, and is not part of numbers of pods: pods of others, and volumes. */
export function listUncountedConstraints(podSets: readonly PodSet[], surroundings: Surroundings): string[] {
  return [
    ...listExclusions(podSets, surroundings),
    ...(isKeptApartFromUnlocated(podSets, surroundings) ? ['podAntiAffinity'] : []),
    ...(podSets.some((podSet) => isLimitedByVolumes(podSet, surroundings)) || maySplitVolumes(podSets, surroundings) ? ['volumes'] : []),
    ...(areVolumesInUse(podSets, surroundings) ? [EXCLUSIVE_VOLUMES] : []),
    ...(podSets.some((podSet) => mayExceedAttachLimits(podSet, surroundings)) ? [ATTACH_LIMITS] : []),
  ];
}

/** Lists the constraints of the new pods of some sets with which numbers of pods never say that they fit. */
export function listConstraintsBeyondNumbers(podSets: readonly PodSet[], surroundings: Surroundings | undefined): string[] {
  const uncounted = surroundings ? listUncountedConstraints(podSets, surroundings) : [];
  return [...new Set([...findUnmodelledConstraints(podSets), ...uncounted])];
}
