import type { StatefulPodState } from '../../cluster/rollout/initial-state';

/** A StatefulSet's pods before the apply, and its desired state. */
export interface StatefulSetInitialState {
  readonly replicas: number;
  /** The index below which pods keep, and are created with, the previous revision. 0 if the strategy has no rollingUpdate. */
  readonly partition: number;
  /** Pods that may be down at once. */
  readonly maxUnavailable: number;
  readonly isOnDelete: boolean;
  /** Whether the controller continues while other pods start, as with Parallel. */
  readonly isParallel: boolean;
  /** Whether all unavailable pods count against maxUnavailable, as under the gate MaxUnavailableStatefulSet. */
  readonly countsUnavailable: boolean;
  /** Existing pods. An index without a pod is started, and a pod below 0 is deleted like one beyond the replicas. */
  readonly pods: readonly StatefulPodState[];
  /** Whether a missing pod of this index is created with the previous revision. */
  readonly isCreatedOld: (index: number) => boolean;
}

/** The steps of the controller, as pod indexes. */
export interface StatefulSetTrace {
  /** The pods that are replaced, in the order of their deletion. */
  readonly batches: readonly (readonly number[])[];
  readonly untouched: readonly number[];
  readonly minAvailable: number;
  /** The pod that the controller waits for and that no change of the template makes ready. */
  readonly blocked?: number;
}

interface PodsByState {
  /** Pods of the previous revision, lowest first. */
  readonly old: readonly number[];
  /** Pods of the previous revision that are unavailable and never become available. */
  readonly broken: ReadonlySet<number>;
  /** Pods of the new revision that are not available yet. */
  readonly starting: ReadonlySet<number>;
  readonly missing: readonly number[];
  /** The number of existing pods that are available. */
  readonly available: number;
  /** Pods beyond the replicas, highest first. */
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
    condemned: pods.filter(({ index }) => index < 0 || index >= replicas).toSorted((a, b) => b.index - a.index),
  };
}

/**
 * Finds the broken pod beyond the replicas that blocks the scale-down. The highest pod is deleted first, but a broken one only if no
 * lower one is broken.
 */
function findBlockingCondemned(condemned: readonly StatefulPodState[]): number | undefined {
  const [highest, ...lower] = condemned.filter(({ available, isNew }) => !available && !isNew);
  return lower.length > 0 ? highest?.index : undefined;
}

/**
 * Simulates OrderedReady. Missing pods are started from the lowest up, each once the pods below it are ready. Then pods beyond the replicas
 * are deleted. Pods are replaced only when all are ready. A broken pod blocks all of these steps.
 *
 * 4 pods with pod 1 broken: nothing is replaced, and pod 1 is reported as blocked.
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

/**
 * Lists the pods of the previous revision that keep running while the controller waits for the blocked one.
 * No pod above it is started, and no pod beyond the replicas and below it is deleted.
 */
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
 * Simulates Parallel: missing pods are started and pods beyond the replicas are deleted at once.
 * With the gate, unavailable pods count against maxUnavailable, and only as many pods are replaced as it leaves.
 * Without the gate, pods are replaced one after another, including broken ones.
 *
 * 5 pods, maxUnavailable 2 with the gate: batches of 2, 2 and 1. If 2 pods below the partition are broken, nothing is replaced.
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
    // Replacing a broken pod does not change the number of unavailable pods, so another one may be replaced at once.
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

/** Returns 1 if the next pod may be replaced without the gate: all pods above it must be available. */
function countReplaceableWithoutGate(next: number, starting: ReadonlySet<number>): number {
  return [...starting].some((index) => index > next) ? 0 : 1;
}

/**
 * Simulates how the StatefulSet controller replaces pods from any state: some pods may have the new revision, be unready, be missing
 * or be beyond the replicas. Between two steps all pods become ready, except pods of another revision that were unready.
 *
 * Source: k/k v1.34.4 pkg/controller/statefulset/stateful_set_control.go (`updateStatefulSet`, `processReplica`, `processCondemned`,
 * `updateStatefulSetAfterInvariantEstablished`), stateful_set_utils.go (`newVersionedStatefulSetPod`).
 * Verified against recordings of the real controller (`test/upstream/statefulset-changes.test.ts`).
 */
export function simulateStatefulSetFrom(initialState: StatefulSetInitialState): StatefulSetTrace {
  const pods = groupPodsByState(initialState);
  return initialState.isParallel ? simulateParallel(initialState, pods) : simulateOrderedReady(initialState, pods);
}
