/**
 * The settings for running the controllers' loops against a clock, which the tests compare with the closed forms of the durations.
 *
 * Every pod needs exactly the same seconds to become ready, and to be gone after its deletion.
 * The controllers react immediately to every event. A pod uses its slot until it is gone.
 */
export interface Clock {
  readonly startupSeconds: number;
  readonly minReadySeconds: number;
  readonly graceSeconds: number;
  /** Pods that fit at once, including terminating ones. @default Infinity */
  readonly slots?: number;
  /** Whether a pod without a slot is created and waits for a node, instead of being refused by a quota. */
  readonly createsWithoutSlot?: boolean;
  /** Whether no new pod ever becomes ready. */
  readonly isBroken?: boolean;
}

/** Returns the first time that is later than now, or undefined if there is none. */
export function laterThan(now: number, times: readonly number[]): number | undefined {
  const later = times.filter((time) => time > now && time < Infinity);
  return later.length === 0 ? undefined : Math.min(...later);
}
