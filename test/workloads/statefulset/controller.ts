/**
 * The StatefulSet controller's loop, step by step. The tests compare the closed forms of `simulateStatefulSet` with it.
 *
 * Source: k/k pkg/controller/statefulset/stateful_set_control.go. With the gate MaxUnavailableStatefulSet on, it behaves
 * as fixed for 1.37 (k/k#137666).
 */
export interface Pod {
  readonly index: number;
  readonly isUpdated: boolean;
  readonly isAvailable: boolean;
  readonly isTerminating: boolean;
}

export interface Settings {
  readonly replicas: number;
  readonly partition: number;
  readonly maxUnavailable: number;
  readonly policy: 'OrderedReady' | 'Parallel';
  /** Whether the gate MaxUnavailableStatefulSet is on. */
  readonly gate: boolean;
  readonly type?: 'RollingUpdate' | 'OnDelete';
}

export interface Pass {
  /** The remaining and the created pods, in order of their index. */
  readonly pods: readonly Pod[];
  readonly deleted: readonly number[];
  readonly created: readonly number[];
}

function isDown(pod: Pod): boolean {
  return pod.isTerminating || !pod.isAvailable;
}

/** Runs `updateStatefulSet` once. The created pods are not available yet. */
export function updateStatefulSet(settings: Settings, present: readonly Pod[]): Pass {
  const byIndex = new Map(present.map((pod) => [pod.index, pod]));
  const created: number[] = [];
  for (let index = 0; index < settings.replicas; index++) {
    const pod = byIndex.get(index);
    if (!pod) {
      // A pod below the partition is recreated with the old version.
      byIndex.set(index, { index, isUpdated: index >= settings.partition, isAvailable: false, isTerminating: false });
      created.push(index);
    }
    if (settings.policy === 'OrderedReady' && (!pod || isDown(pod))) return { pods: sortPods(byIndex), deleted: [], created };
  }
  const deleted = settings.type === 'OnDelete' ? [] : podsToDelete(settings, sortPods(byIndex));
  for (const index of deleted) byIndex.delete(index);
  return { pods: sortPods(byIndex), deleted, created };
}

function sortPods(byIndex: ReadonlyMap<number, Pod>): Pod[] {
  return [...byIndex.values()].toSorted((a, b) => a.index - b.index);
}

/** Returns the pods that the rolling update deletes in one pass, in order, after all missing pods are created. */
export function podsToDelete(settings: Settings, pods: readonly Pod[]): number[] {
  const fromTheTop = pods.filter((pod) => pod.index >= settings.partition).toReversed();
  return settings.gate ? upToMaxUnavailable(settings, pods, fromTheTop) : oneAtATime(fromTheTop);
}

function oneAtATime(fromTheTop: readonly Pod[]): number[] {
  for (const pod of fromTheTop) {
    if (!pod.isUpdated && !pod.isTerminating) return [pod.index];
    if (isDown(pod)) return [];
  }
  return [];
}

/** Implements `updateStatefulSetAfterInvariantEstablished`. Unavailable pods below the partition count against the budget too. */
function upToMaxUnavailable({ policy, maxUnavailable }: Settings, pods: readonly Pod[], fromTheTop: readonly Pod[]): number[] {
  const budget = Math.max(0, maxUnavailable - pods.filter(isDown).length);
  const old = fromTheTop.filter((pod) => !pod.isUpdated && !pod.isTerminating);
  if (policy === 'OrderedReady') return old.slice(0, budget).map((pod) => pod.index);
  const downAlready = old.filter((pod) => !pod.isAvailable);
  const available = old.filter((pod) => pod.isAvailable).slice(0, budget);
  return [...downAlready, ...available].map((pod) => pod.index);
}

/**
 * Rolls out from old, available pods. Returns the pods deleted together, in order. Pods created in a pass are available before the next
 * one.
 */
export function rollOut(settings: Settings): { batches: number[][]; minAvailable: number; untouched: number[] } {
  const batches: number[][] = [];
  let pods: readonly Pod[] = Array.from({ length: settings.replicas }, (_, index) => ({
    index,
    isUpdated: false,
    isAvailable: true,
    isTerminating: false,
  }));
  let minAvailable = settings.replicas;
  for (;;) {
    const pass = updateStatefulSet(settings, pods);
    if (pass.deleted.length === 0 && pass.created.length === 0) {
      return { batches, minAvailable, untouched: pods.filter((pod) => !pod.isUpdated).map((pod) => pod.index) };
    }
    if (pass.deleted.length > 0) batches.push([...pass.deleted]);
    minAvailable = Math.min(minAvailable, pass.pods.filter((pod) => pod.isAvailable).length);
    pods = pass.pods.map((pod) => ({ ...pod, isAvailable: true }));
  }
}
