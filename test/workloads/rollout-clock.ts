import { sync } from './deployment-controller';
import type { Limits, State } from './deployment-controller';
import { updateStatefulSet } from './statefulset-controller';
import type { Settings } from './statefulset-controller';

/**
 * The controllers' loops against a clock: what the closed forms of `rolloutDuration` are held to.
 *
 * Every pod takes exactly the same seconds to become ready, and to be gone once it is deleted; the controllers act at once whenever
 * something happens. A pod holds its place until it is gone.
 */
export interface Clock {
  readonly startupSeconds: number;
  readonly minReadySeconds: number;
  readonly graceSeconds: number;
  /** Pods that have a place at once, those that are being deleted included. @default Infinity */
  readonly places?: number;
  /** Is a pod without a place created all the same, as where only a node is lacking, and not refused, as a quota does? */
  readonly createsWithoutPlace?: boolean;
  /** Does no new pod ever become ready? */
  readonly isBroken?: boolean;
}

/** What stands when nothing happens any more. */
export interface Outcome {
  /** When the last pod of the new version became available; null where some never does. */
  readonly seconds: number | null;
  /** When the controller last saw pods created, ready or available, or old ones scaled down. */
  readonly lastProgress: number;
  /** Pods of the new version that have a place. */
  readonly newPods: number;
}

function laterThan(now: number, times: readonly number[]): number | undefined {
  const later = times.filter((time) => time > now && time < Infinity);
  return later.length === 0 ? undefined : Math.min(...later);
}

/** Until the controller of a rolling update has nothing left to do. */
function rolledOn(limits: Limits, state: State): State {
  const next = sync(limits, state);
  return JSON.stringify(next) === JSON.stringify(state) ? next : rolledOn(limits, next);
}

/** `rolloutRecreate`: all old pods down; new ones once the last of them, which may be on its way still, is gone. */
function recreated({ replicas }: Limits, { oldSets: [old] }: State, leaving: number): State {
  const isGone = old!.replicas === 0 && leaving === 0;
  return { newSet: { replicas: isGone ? replicas : 0, available: 0 }, oldSets: [{ replicas: 0, available: 0 }] };
}

/** The rollout of a Deployment, event by event. */
export function runDeployment(limits: Limits, clock: Clock, type: 'RollingUpdate' | 'Recreate' = 'RollingUpdate'): Outcome {
  const { minReadySeconds, graceSeconds, places = Infinity } = clock;
  const startupSeconds = clock.isBroken ? Infinity : clock.startupSeconds;
  let state: State = { oldSets: [{ replicas: limits.replicas, available: limits.replicas }] };
  let leaving: number[] = [];
  const starts: number[] = [];
  let lastProgress = 0;
  let seen = { created: 0, started: 0, ready: 0, available: 0 };
  for (let now = 0; ;) {
    leaving = leaving.filter((gone) => gone > now);
    const ready = starts.filter((start) => start + startupSeconds <= now).length;
    const available = starts.filter((start) => start + startupSeconds + minReadySeconds <= now).length;
    const before = state.oldSets[0]!.replicas;
    const observed = state.newSet ? { ...state, newSet: { ...state.newSet, available } } : state;
    state = type === 'Recreate' ? recreated(limits, state, leaving.length) : rolledOn(limits, observed);
    const old = state.oldSets[0]!.replicas;
    if (graceSeconds > 0) for (let pod = old; pod < before; pod++) leaving.push(now + graceSeconds);
    while (starts.length < state.newSet!.replicas && starts.length + old + leaving.length < places) starts.push(now);

    if (available === limits.replicas) return { seconds: now, lastProgress: now, newPods: starts.length };
    const created = clock.createsWithoutPlace ? state.newSet!.replicas : starts.length;
    const isProgress = [created > seen.created, old < before, ready > seen.ready, available > seen.available].includes(true);
    const isStarted = starts.length > seen.started;
    seen = { created, started: starts.length, ready, available };
    if (isProgress) lastProgress = now;
    if (isProgress || isStarted) continue;
    const next = laterThan(now, [
      ...leaving,
      ...starts.flatMap((start) => [start + startupSeconds, start + startupSeconds + minReadySeconds]),
    ]);
    if (next === undefined) return { seconds: null, lastProgress, newPods: starts.length };
    now = next;
  }
}

interface TimedPod {
  readonly isUpdated: boolean;
  readonly start: number;
  readonly gone: number;
}

/**
 * The update of a StatefulSet, event by event; `seconds` is when the last pod of the new version became available.
 *
 * @param awaitsMinReady does the controller see a pod as available once it is ready for minReadySeconds, or as soon as it is ready?
 */
export function runStatefulSet(settings: Settings, clock: Clock, awaitsMinReady = true): { seconds: number; mostDown: number } {
  const { startupSeconds, minReadySeconds, graceSeconds, isBroken = false } = clock;
  const availableAt = ({ isUpdated, start }: TimedPod) => {
    if (!isUpdated) return start;
    return isBroken ? Infinity : start + startupSeconds + (awaitsMinReady ? minReadySeconds : 0);
  };
  const pods = new Map<number, TimedPod>();
  for (let index = 0; index < settings.replicas; index++) pods.set(index, { isUpdated: false, start: -Infinity, gone: Infinity });
  let mostDown = 0;
  for (let now = 0; ;) {
    for (const [index, { gone }] of pods) if (gone <= now) pods.delete(index);
    const present = [...pods].map(([index, pod]) => {
      return { index, isUpdated: pod.isUpdated, isAvailable: availableAt(pod) <= now, isTerminating: pod.gone < Infinity };
    });
    const pass = updateStatefulSet(
      settings,
      present.toSorted((a, b) => a.index - b.index),
    );
    for (const index of pass.created) pods.set(index, { isUpdated: index >= settings.partition, start: now, gone: Infinity });
    for (const index of pass.deleted) pods.set(index, { ...pods.get(index)!, gone: now + graceSeconds });
    const down = [...pods.values()].filter((pod) => pod.gone < Infinity || availableAt(pod) > now).length + settings.replicas - pods.size;
    mostDown = Math.max(mostDown, down);
    if (pass.created.length > 0 || pass.deleted.length > 0) continue;
    const next = laterThan(
      now,
      [...pods.values()].flatMap((pod) => [availableAt(pod), pod.gone]),
    );
    if (next === undefined) return { seconds: now + (awaitsMinReady ? 0 : minReadySeconds), mostDown };
    now = next;
  }
}
