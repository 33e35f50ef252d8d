import type { Behaviour } from './behaviour';
import type { PlannedChange } from './change';
import type { Finding } from './finding';
import type { FORMAT_VERSION, UnplannedKind } from './plan-document';

/** Objects of one kind that roll pods out and that no system plans, so that nothing can be said of how they behave. */
export interface UncomparedKind extends Omit<UnplannedKind, 'count'> {
  /** How many of them OLD holds. */
  readonly old: number;
  /** How many of them NEW holds. */
  readonly new: number;
}

/** What of each side could not be read, errors `input/unreadable`: what stands there is compared with nothing. */
export interface UnreadableInput {
  /** Of OLD. */
  readonly old: readonly Finding[];
  /** Of NEW. */
  readonly new: readonly Finding[];
}

/** What `diff --format json` prints: what a change does, and which rollouts behave otherwise. The schema is `schemas/diff-1.2.json`. */
export interface PlanDiff extends Behaviour {
  /** The version of this format. */
  readonly formatVersion: typeof FORMAT_VERSION;
  /** What applying NEW over OLD does; absent where a side is a plan document, of which behaviour alone is known. */
  readonly change?: PlannedChange;
  /** What rolls pods out, or decides about it, on either side and is not planned: those of NEW in its order, then those of OLD alone. */
  readonly notPlanned: readonly UncomparedKind[];
  /** Absent where both sides were read whole. */
  readonly unread?: UnreadableInput;
}
