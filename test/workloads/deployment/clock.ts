import { laterThan } from '../clock';
import type { Clock } from '../clock';
import { sync } from './controller';
import type { Limits, State } from './controller';

/** What stands when nothing happens any more. */
export interface Outcome {
  /** When the last pod of the new version became available; null where some never does. */
  readonly seconds: number | null;
  /** When the controller last saw pods created, ready or available, or old ones scaled down. */
  readonly lastProgress: number;
  /** Pods of the new version that have a place. */
  readonly newPods: number;
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
