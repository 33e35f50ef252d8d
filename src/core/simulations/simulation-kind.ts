import type { KeyOrder } from '../collections/key-order';

/** What the plan needs to know about any kind of simulation. */
export interface SimulationKind<S> {
  /** Its own keys. Their values are rows, which the simulations write in order themselves. */
  readonly keys: KeyOrder<S>;
  /**
   * Truncates a simulation that deadlocks because pods do not fit: it keeps the rows up to there, and no successful end.
   *
   * @param wave row (for a StatefulSet the batch) at which the rollout deadlocks, counted from 1
   */
  truncateAtDeadlock(simulation: S, wave: number): S;
}
