import { laterThan } from '../clock';
import type { Clock } from '../clock';
import { sync } from './controller';
import type { Limits, State } from './controller';

/** The result once nothing happens anymore. */
export interface Outcome {
  /** The time at which the last new pod became available, or null if one never does. */
  readonly seconds: number | null;
  /** The time at which pods were last created, ready or available, or old ones scaled down. */
  readonly lastProgress: number;
  /** New pods that have a slot. */
  readonly newPods: number;
}

/** Syncs until the controller of a rolling update has nothing left to do. */
function syncUntilStable(limits: Limits, state: State): State {
  const next = sync(limits, state);
  return JSON.stringify(next) === JSON.stringify(state) ? next : syncUntilStable(limits, next);
}

/** Implements `rolloutRecreate`: deletes all old pods, and creates new ones once the last old pod, which may still terminate, is gone. */
function recreate({ replicas }: Limits, { oldSets: [old] }: State, terminating: number): State {
  const isGone = old!.replicas === 0 && terminating === 0;
  return { newSet: { replicas: isGone ? replicas : 0, available: 0 }, oldSets: [{ replicas: 0, available: 0 }] };
}

/** Runs the rollout of a Deployment, event by event. */
export function runDeployment(limits: Limits, clock: Clock, type: 'RollingUpdate' | 'Recreate' = 'RollingUpdate'): Outcome {
  const { minReadySeconds, graceSeconds, slots = Infinity } = clock;
  const startupSeconds = clock.isBroken ? Infinity : clock.startupSeconds;
  let state: State = { oldSets: [{ replicas: limits.replicas, available: limits.replicas }] };
  let terminating: number[] = [];
  const starts: number[] = [];
  let lastProgress = 0;
  let seen = { created: 0, started: 0, ready: 0, available: 0 };
  for (let now = 0; ;) {
    terminating = terminating.filter((gone) => gone > now);
    const ready = starts.filter((start) => start + startupSeconds <= now).length;
    const available = starts.filter((start) => start + startupSeconds + minReadySeconds <= now).length;
    const before = state.oldSets[0]!.replicas;
    const observed = state.newSet ? { ...state, newSet: { ...state.newSet, available } } : state;
    state = type === 'Recreate' ? recreate(limits, state, terminating.length) : syncUntilStable(limits, observed);
    const old = state.oldSets[0]!.replicas;
    if (graceSeconds > 0) for (let pod = old; pod < before; pod++) terminating.push(now + graceSeconds);
    while (starts.length < state.newSet!.replicas && starts.length + old + terminating.length < slots) starts.push(now);

    if (available === limits.replicas) return { seconds: now, lastProgress: now, newPods: starts.length };
    const created = clock.createsWithoutSlot ? state.newSet!.replicas : starts.length;
    const isProgress = [created > seen.created, old < before, ready > seen.ready, available > seen.available].includes(true);
    const isStarted = starts.length > seen.started;
    seen = { created, started: starts.length, ready, available };
    if (isProgress) lastProgress = now;
    if (isProgress || isStarted) continue;
    const next = laterThan(now, [
      ...terminating,
      ...starts.flatMap((start) => [start + startupSeconds, start + startupSeconds + minReadySeconds]),
    ]);
    if (next === undefined) return { seconds: null, lastProgress, newPods: starts.length };
    now = next;
  }
}
