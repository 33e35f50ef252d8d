import { addToGroup } from '../../../core/collections/group-by';
import type { PodSet } from '../../rollout/pod-set';
import { listGroups } from '../nodes/placement';
import type { Demand } from '../nodes/placement';
import type { PlanLimits } from '../plan-limits';
import { assumePlaces, assumePlacesOfOthers } from '../surroundings/assumed-places';
import type { RowNodes } from '../surroundings/node-inventory';
import type { RunningPod } from '../surroundings/running-pods';
import { addBack } from '../surroundings/surroundings';
import type { Surroundings } from '../surroundings/surroundings';
import { canPlaceOld, decideSets } from './decide-sets';
import type { PlacementOutcome } from './decide-sets';
import type { SetRow, SetRows } from './set-rollout';

/** Returns a set with the template of its old pods. */
export function withOldShape(podSet: PodSet): PodSet {
  return podSet.oldTemplate ? { ...podSet, template: podSet.oldTemplate } : podSet;
}

/** The nodes of a rollout of several sets, by what is left at each row. */
export class SetNodes {
  private readonly live: readonly (readonly RunningPod[])[];
  private readonly isLive: boolean;
  /** The nodes without old pods, if their nodes are not known. */
  private withoutOwn: RowNodes | undefined;
  /** Whether these have places for all old pods. */
  private hasPlacesForOld: boolean | undefined;

  constructor(
    private readonly rollout: SetRows,
    private readonly surroundings: Surroundings,
  ) {
    const { podSets, positionOf } = rollout;
    const all = podSets.map((podSet) => surroundings.allOwnPods.get(podSet) ?? []);
    this.isLive = all.some((pods) => pods.length > 0);
    this.live = positionOf ? all.map((pods) => pods.toSorted((a, b) => positionOf(a.labels) - positionOf(b.labels))) : all;
  }

  /** Whether the old pods are those of the first row, all on known nodes, or none of them is known. */
  isSteady(): boolean {
    const { podSets, rows } = this.rollout;
    if (!this.isLive) return true;
    return podSets.every((podSet, index) => {
      const pods = this.live[index]!;
      const located = this.surroundings.ownPods.get(podSet) ?? [];
      return pods.length === rows[0]!.old[index] && located.length === pods.length && pods.every(({ isTerminating }) => !isTerminating);
    });
  }

  /** Decides whether the new pods of a row find a node, wherever the old pods are. */
  decide(row: SetRow, limits: PlanLimits): PlacementOutcome {
    const { podSets, rows } = this.rollout;
    const next = { podSets, counts: row.next };
    if (this.isLive) {
      const { fullest, emptiest } = this.nodesAt(row);
      const atWorst = decideSets(fullest, next, limits);
      if (atWorst === 'every') return 'every';
      return decideSets(emptiest, next, limits) === 'none' ? 'none' : 'some';
    }
    const oldPodSets = podSets.map(withOldShape);
    const nodes = (this.withoutOwn ??= this.assumed ?? this.surroundings.inventory().nodes);
    this.hasPlacesForOld ??= canPlaceOld(nodes, { podSets: oldPodSets, counts: rows[0]!.old }, limits);
    return this.hasPlacesForOld
      ? decideSets(nodes, next, limits, { podSets: oldPodSets, counts: row.old })
      : decideSets(this.assume(row.old), next, limits);
  }

  /** Returns the nodes with the most and with the fewest old pods that a row may leave there. */
  private nodesAt(row: SetRow): { readonly fullest: RowNodes; readonly emptiest: RowNodes } {
    const goneAtMost = this.live.flatMap((pods, index) => this.listGone(pods, row.old[index]!, true));
    const goneAtLeast = this.live.flatMap((pods, index) => this.listGone(pods, row.old[index]!, false));
    return { fullest: this.without(goneAtLeast), emptiest: this.without(goneAtMost) };
  }

  /** Lists the pods that are deleted if a number of them is left. If that may be any, it lists all or none. */
  private listGone(pods: readonly RunningPod[], left: number, isMost: boolean): readonly RunningPod[] {
    if (left >= pods.length) return [];
    if (left === 0) return pods;
    if (this.rollout.positionOf) return pods.slice(left);
    return isMost ? pods : [];
  }

  private without(gone: readonly RunningPod[]): RowNodes {
    const base = this.assumed ?? this.surroundings.inventory().nodes;
    if (gone.length === 0) return base;
    const byNode = new Map<string, RunningPod[]>();
    for (const pod of gone) addToGroup(byNode, pod.nodeName!, pod);
    return base.map((node) => {
      const pods = byNode.get(node.pool.nodeName ?? '');
      return pods ? { ...node, free: addBack(node.free, pods, this.surroundings.devices) } : node;
    });
  }

  /** The nodes with pods of other sets on unknown nodes. Undefined if there are none. */
  private get assumed(): RowNodes | undefined {
    if (this.surroundings.placesOfOthers) return this.surroundings.placesOfOthers;
    const own = new Set(this.rollout.podSets);
    const hasOthers = this.surroundings.demands.some(({ podSet }) => !own.has(podSet));
    return hasOthers ? assumePlacesOfOthers(this.rollout.podSets, this.surroundings) : undefined;
  }

  /** Places the pods of other sets on unknown nodes, and a number of old pods of each own set. */
  private assume(old: readonly number[]): RowNodes {
    const { demands } = this.surroundings;
    const { podSets } = this.rollout;
    const own = new Set(podSets);
    const ownDemands: Demand[] = podSets.map((podSet, index) => ({ podSet: withOldShape(podSet), pods: old[index]! }));
    const all = [...demands.filter(({ podSet }) => !own.has(podSet)), ...ownDemands].filter(({ pods }) => pods > 0);
    return listGroups(assumePlaces(this.surroundings, all).nodes);
  }
}
