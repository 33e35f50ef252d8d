import type { KeyOrder } from '../key-order';

/** What the plan has to know of a kind of simulation, whatever is simulated. */
export interface SimulationKind<S> {
  /** Its own keys; what they hold is rows, which the simulations write in order themselves. */
  readonly keys: KeyOrder<S>;
  /**
   * The same where it stands still for want of room: its rows up to there, and no happy end.
   *
   * @param wave the row, of a StatefulSet the batch, at which nothing moves any more; counted from 1
   */
  truncateAtDeadlock(simulation: S, wave: number): S;
}
