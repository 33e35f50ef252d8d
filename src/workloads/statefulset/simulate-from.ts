import type { StatefulPodState } from '../../cluster/initial-state';

/** A StatefulSet's pods before the apply, and what it is to become. */
export interface StatefulSetInitialState {
  readonly replicas: number;
  /** Indexes below it keep, and get, the revision before. 0 where the strategy has no rollingUpdate. */
  readonly partition: number;
  /** Pods that may be down at once. */
  readonly maxUnavailable: number;
  readonly isOnDelete: boolean;
  /** Does it go on while others start, as with Parallel? */
  readonly isParallel: boolean;
  /** Do pods that are down for whatever reason use up maxUnavailable? So does the gate MaxUnavailableStatefulSet have it. */
  readonly countsUnavailable: boolean;
  /** Pods that are there; an index that has none is started. */
  readonly pods: readonly StatefulPodState[];
  /** Is a pod of this index, which is not there, made of the revision before? */
  readonly isCreatedOld: (index: number) => boolean;
}

/** What the controller does, by indexes. */
export interface StatefulSetTrace {
  /** As the pods are deleted to be replaced. */
  readonly batches: readonly (readonly number[])[];
  readonly untouched: readonly number[];
  readonly minAvailable: number;
  /** The pod that the controller waits for, and that no change of the template makes ready. */
  readonly blocked?: number;
}

interface PodsByState {
  /** Of the revision before, lowest first. */
  readonly old: readonly number[];
  /** Of these, not available and never to be. */
  readonly broken: ReadonlySet<number>;
  /** Of the new revision or new, and not available yet. */
  readonly starting: ReadonlySet<number>;
  readonly missing: readonly number[];
  /** Of the pods that are there, available. */
  readonly available: number;
  /** Beyond the replicas, highest first. */
  readonly condemned: readonly StatefulPodState[];
}

function groupPodsByState({ replicas, pods, isCreatedOld }: StatefulSetInitialState): PodsByState {
  const byIndex = new Map(pods.map((pod) => [pod.index, pod]));
  const indexes = Array.from({ length: replicas }, (_, index) => index);
  const missing = indexes.filter((index) => !byIndex.has(index));
  const isOld = (index: number) => (byIndex.has(index) ? !byIndex.get(index)!.isNew : isCreatedOld(index));
  const inRange = pods.filter(({ index }) => index >= 0 && index < replicas);
  return {
    old: indexes.filter(isOld),
    broken: new Set(inRange.filter(({ isNew, available }) => !isNew && !available).map(({ index }) => index)),
    starting: new Set(inRange.filter(({ isNew, available }) => isNew && !available).map(({ index }) => index)),
    missing,
    available: pods.filter(({ available }) => available).length,
    condemned: pods.filter(({ index }) => index >= replicas).toSorted((a, b) => b.index - a.index),
  };
}

/** Of the pods beyond the replicas the highest goes first, but one that is broken only if no lower one is. */
function findBlockingCondemned(condemned: readonly StatefulPodState[]): number | undefined {
  const [highest, ...lower] = condemned.filter(({ available, isNew }) => !available && !isNew);
  return lower.length > 0 ? highest?.index : undefined;
}

/**
 * OrderedReady: pods that are missing are started from the lowest up, each once those below it are ready; then pods beyond the replicas go,
 * and only when all are ready pods are replaced. One that is broken holds all of that up.
 *
 * 4 pods of which pod 1 is broken: nothing is replaced, and pod 1 is named.
 */
function simulateOrderedReady(initialState: StatefulSetInitialState, pods: PodsByState): StatefulSetTrace {
  const { old, broken, condemned } = pods;
  const minAvailable = Math.min(initialState.replicas, pods.available);
  const blocked = old.find((index) => broken.has(index)) ?? findBlockingCondemned(condemned);
  if (blocked !== undefined) return { batches: [], untouched: listUntouchedPods(pods, blocked), minAvailable, blocked };
  const replaced = new Set(initialState.isOnDelete ? [] : old.filter((index) => index >= initialState.partition));
  const batches = splitIntoBatches([...replaced].toReversed(), initialState.maxUnavailable);
  const maxDown = Math.min(initialState.maxUnavailable, replaced.size);
  const untouched = old.filter((index) => !replaced.has(index));
  return { batches, untouched, minAvailable: Math.min(minAvailable, initialState.replicas - maxDown) };
}

/** Pods of the revision before that run on while the controller waits for one: none above it is started, none beyond the replicas below it goes. */
function listUntouchedPods({ old, missing, condemned }: PodsByState, blocked: number): number[] {
  const unstarted = new Set(missing.filter((index) => index > blocked));
  const isInRange = old.includes(blocked);
  const remainingCondemned = condemned.filter(({ index, isNew }) => !isNew && (isInRange || index <= blocked)).map(({ index }) => index);
  return [...old.filter((index) => !unstarted.has(index)), ...remainingCondemned.toReversed()];
}

function splitIntoBatches(indexes: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(indexes.length / size) }, (_, batch) => indexes.slice(batch * size, (batch + 1) * size));
}

/**
 * Parallel: what is missing is started and what is beyond the replicas goes at once.
 * With the gate as many pods are replaced as maxUnavailable leaves, those that are down counted, and none while they use it up;
 * without it one after another, the broken ones like all.
 */
function simulateParallel(initialState: StatefulSetInitialState, pods: PodsByState): StatefulSetTrace {
  const { replicas, partition, maxUnavailable, isOnDelete, countsUnavailable } = initialState;
  const candidates = isOnDelete ? [] : pods.old.filter((index) => index >= partition).toReversed();
  const batches: number[][] = [];
  const broken = new Set(pods.broken);
  const starting = new Set([...pods.starting, ...pods.missing]);
  let minAvailable = replicas;
  let next = 0;
  for (;;) {
    const batch: number[] = [];
    const headroom = () =>
      countsUnavailable
        ? maxUnavailable - broken.size - starting.size
        : countReplaceableWithoutGate(candidates[next]!, starting) - batch.length;
    // A broken pod that goes makes as much room as it takes, so another one may go at once.
    while (next < candidates.length && headroom() > 0) {
      const index = candidates[next++]!;
      broken.delete(index);
      starting.add(index);
      batch.push(index);
    }
    if (batch.length > 0) batches.push(batch);
    minAvailable = Math.min(minAvailable, replicas - broken.size - starting.size);
    if (starting.size === 0) break;
    starting.clear();
  }
  const replaced = new Set(candidates.slice(0, next));
  const untouched = pods.old.filter((index) => !replaced.has(index));
  const blocked = next < candidates.length ? pods.old.find((index) => broken.has(index)) : undefined;
  return { batches, untouched, minAvailable, ...(blocked !== undefined && { blocked }) };
}

/** Without the gate the next pod is replaced once all above it are available. */
function countReplaceableWithoutGate(next: number, starting: ReadonlySet<number>): number {
  return [...starting].some((index) => index > next) ? 0 : 1;
}

/**
 * How the StatefulSet controller replaces pods, wherever the set stands: some of the new revision already, some not ready, some missing,
 * some beyond the replicas. What becomes ready does so between two steps: all pods but those of another revision that were not.
 *
 * Source: k/k v1.34.4 pkg/controller/statefulset/stateful_set_control.go (`updateStatefulSet`, `processReplica`, `processCondemned`,
 * `updateStatefulSetAfterInvariantEstablished`), stateful_set_utils.go (`newVersionedStatefulSetPod`).
 * Held to recordings of the real controller (`test/upstream/statefulset-changes.test.ts`).
 */
export function simulateStatefulSetFrom(initialState: StatefulSetInitialState): StatefulSetTrace {
  const pods = groupPodsByState(initialState);
  return initialState.isParallel ? simulateParallel(initialState, pods) : simulateOrderedReady(initialState, pods);
}
