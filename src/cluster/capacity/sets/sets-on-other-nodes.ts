import { findMax } from '../../../core/values/min-max';
import { pluralize } from '../../../core/text/text-format';
import { buildUncertainEvaluation } from '../capacity-evaluation';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { PLACEMENT } from '../exact/format-uncertainty';
import { listGroups, schedulePods } from '../nodes/placement';
import type { Demand, Nodes } from '../nodes/placement';
import { podNeedsOf } from '../nodes/pod-needs';
import type { PlanLimits } from '../plan-limits';
import { assumeOthersLeaving, countPlacesTaken } from '../surroundings/places-of-others';
import type { PlacesLeft } from '../nodes/placement-around';
import { withVolumeNodes } from '../surroundings/volume-nodes';
import { canPlaceOld } from './decide-sets';
import { withOldShape } from './set-nodes';
import type { SetRows } from './set-rollout';

/** Returns the limits with other places of the pods of others. Returns undefined if these leave none for the old pods of the rollout. */
function withPlaces(nodes: Nodes, { podSets, rows }: SetRows, limits: PlanLimits): PlanLimits | undefined {
  const { steady, cache } = limits;
  const surroundings = limits.surroundings!;
  const groups = listGroups(nodes);
  const isLive = podSets.some((podSet) => surroundings.allOwnPods.has(podSet));
  const old = { podSets: podSets.map(withOldShape), counts: rows[0]!.old };
  if (!isLive && !canPlaceOld(groups, old, limits)) return undefined;
  const own = podSets.map((podSet) => ({
    podSet,
    pods: Math.max(0, podSet.replicas - (surroundings.ownPods.get(podSet)?.length ?? 0)),
  }));
  const placed = schedulePods(nodes, own, cache, 'old');
  const unplacedBySet = new Map(placed.unplaced.map(({ podSet, pods }) => [podSet, pods]));
  return {
    ...limits,
    surroundings: { ...surroundings, placesOfOthers: groups },
    ...(steady && { steady: { ...steady, nodes: placed.nodes, unplacedBySet } }),
  };
}

/** Returns limits by the places of others, which are computed once for each. */
const createPlacesCache = (_podSets: SetRows['podSets']) => new Map<string, PlanLimits | undefined>();

/** Lists the most old and the most new pods of each set. */
function listPeakPods({ podSets, rows }: SetRows): Demand[] {
  const countMost = (index: number, which: 'old' | 'next') => findMax(rows.map((row) => row[which][index]!));
  return podSets.flatMap((podSet, index) => [
    { podSet: withOldShape(podSet), pods: countMost(index, 'old') },
    { podSet, pods: countMost(index, 'next') },
  ]);
}

/** Lists the limits with places of the pods of others, on unknown nodes, that may change the outcome. */
function listOtherPlaces(rollout: SetRows, places: PlacesLeft, limits: PlanLimits): readonly PlanLimits[] {
  const { surroundings, cache } = limits;
  if (!surroundings) return [];
  const { podSets } = rollout;
  const known = cache.derive(podSets, createPlacesCache);
  return podSets.flatMap((podSet, index) => {
    const key = `${places} ${index} ${limits.withOtherUnits === undefined} ${rollout.rows[0]!.old.join(',')}`;
    if (!known.has(key)) {
      const enough = countPlacesTaken(podNeedsOf(podSet, cache).footprint, listPeakPods(rollout), cache);
      const nodes = assumeOthersLeaving(places, withVolumeNodes(podSet, surroundings.context), podSets, surroundings, enough);
      known.set(key, nodes && withPlaces(nodes, rollout, limits));
    }
    return known.get(key) ?? [];
  });
}

/** Leaves a verdict open that is another one if the pods of others on unknown nodes are on other nodes than assumed. */
export function withOthersOnUnknownNodes<Rollout extends SetRows>(
  rollout: Rollout,
  evaluation: CapacityEvaluation,
  limits: PlanLimits,
  evaluate: (rollout: Rollout, limits: PlanLimits) => CapacityEvaluation | undefined,
): CapacityEvaluation {
  const { verdict, peakPods, podsThatFit } = evaluation.verdict;
  if (verdict === 'may-not-fit' || evaluation.rejection) return evaluation;
  const differs = listOtherPlaces(rollout, verdict === 'deadlocks' ? 'most' : 'fewest', limits).some(
    (elsewhere) => (evaluate(rollout, elsewhere)?.verdict.verdict ?? verdict) !== verdict,
  );
  if (!differs) return evaluation;
  const message = `May not fit: its peak is ${pluralize(peakPods, 'pod')}. This depends on ${PLACEMENT}.`;
  return buildUncertainEvaluation({ peakPods, podsThatFit, because: [PLACEMENT], message });
}
