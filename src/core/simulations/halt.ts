/** Where a rollout stands still because its pods find no room. */
export interface NoRoomHalt {
  /** The wave, of a StatefulSet the batch, that never ends; counted from 1. */
  readonly wave: number;
  readonly reason: 'no-room';
}
