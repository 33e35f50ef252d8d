import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import { formatAmounts } from '../amounts';
import type { Amounts } from '../../../core/values/quantity';
import { computePodFootprint } from '../pod-requests';
import { nodeRulesOf } from './node-affinity';
import type { Revision } from './node-affinity';
import { buildNodeMarks } from './scheduling';
import type { NodeMarks } from './scheduling';

/** What one pod of a set requires of its node. */
export interface PodNeeds {
  readonly footprint: Amounts;
  readonly marks: Readonly<Record<Revision, NodeMarks>>;
  /** A key shared by sets whose pods request the same, and accept the same nodes by their rules. */
  readonly requestsKey: string;
  /** A key shared by sets with interchangeable pods. It is the set itself if its pods avoid each other's nodes. */
  readonly shape: unknown;
}

function computePodNeeds(podSet: PodSet, cache: PlanCache): PodNeeds {
  const footprint = computePodFootprint(podSet.template.spec);
  const marks = buildNodeMarks(podSet);
  const requestsKey = JSON.stringify([formatAmounts(footprint), nodeRulesOf(podSet, cache).key]);
  return { footprint, marks, requestsKey, shape: marks.areOwn ? podSet : JSON.stringify([requestsKey, marks.new.leaves]) };
}

/** Returns the requirements of a set's pods. Memoized, because every node reads them. */
export function podNeedsOf(podSet: PodSet, cache: PlanCache): PodNeeds {
  return cache.derive(podSet, computePodNeeds);
}

/** Reports whether the old pods of a set request the same as new ones, and accept the same nodes. */
export function hasOldPodsLikeNew(podSet: PodSet, cache: PlanCache): boolean {
  const { oldTemplate, template } = podSet;
  if (oldTemplate === undefined || oldTemplate === template) return true;
  return podNeedsOf({ ...podSet, template: oldTemplate }, cache).requestsKey === podNeedsOf(podSet, cache).requestsKey;
}
