/**
 * For the controllers' loops against a clock, to which the closed forms of the durations are held.
 *
 * Every pod takes exactly the same seconds to become ready, and to be gone once it is deleted;
 * the controllers act at once whenever something happens. A pod holds its place until it is gone.
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

/** The first of some times that is later than now; undefined where none is. */
export function laterThan(now: number, times: readonly number[]): number | undefined {
  const later = times.filter((time) => time > now && time < Infinity);
  return later.length === 0 ? undefined : Math.min(...later);
}
