import { laterThan } from '../clock';
import type { Clock } from '../clock';
import { updateStatefulSet } from './controller';
import type { Settings } from './controller';

interface TimedPod {
  readonly isUpdated: boolean;
  readonly start: number;
  readonly gone: number;
}

/**
 * Runs the update of a StatefulSet, event by event. `seconds` is the time at which the last pod of the new version becomes available.
 *
 * @param awaitsMinReady whether a pod counts as available after minReadySeconds, instead of as soon as it is ready
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
