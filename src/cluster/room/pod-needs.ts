import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { rulesOf } from './node-affinity';
import { podFootprint } from './pod-requests';
import type { Amounts } from './pod-requests';
import { nodeMarks } from './scheduling';
import type { Revision } from './node-affinity';
import type { NodeMarks } from './scheduling';

/** What one pod of a set needs of its node. */
export interface PodNeeds {
  readonly footprint: Amounts;
  readonly marks: Readonly<Record<Revision, NodeMarks>>;
  /** The same for sets whose pods can stand for each other; for a set that shares no node with itself the set. */
  readonly shape: unknown;
}

const needsBySet = () => new WeakMap<PodSet, PodNeeds>();

/** Worked out once a set, since every node is asked. */
export function needsOf(podSet: PodSet, memory: Memory): PodNeeds {
  const bySet = memory.of(needsBySet);
  const known = bySet.get(podSet);
  if (known) return known;
  const footprint = podFootprint(podSet.template.spec);
  const marks = nodeMarks(podSet);
  const amounts = [...footprint].map(([resource, amount]) => `${resource}=${amount}`).toSorted();
  const shape = marks.areOwn ? podSet : JSON.stringify([amounts, rulesOf(podSet, memory).key, marks.new.leaves]);
  const needs = { footprint, marks, shape };
  bySet.set(podSet, needs);
  return needs;
}
