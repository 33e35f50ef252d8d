import type { Behaviour } from './behaviour';
import type { PlannedChange } from './change';
import type { Finding } from '../findings/finding';
import type { FORMAT_VERSION, PlanDocument, UnplannedKind } from './plan-document';

/** Objects of one kind that roll pods out but that no system plans, so their behaviour is not known. */
export interface UncomparedKind extends Omit<UnplannedKind, 'count'> {
  /** Number of them in OLD. */
  readonly old: number;
  /** Number of them in NEW. */
  readonly new: number;
}

/** Findings of each side about input that is not compared. */
export interface UncomparedInput {
  /** Findings of OLD. */
  readonly old: readonly Finding[];
  /** Findings of NEW. */
  readonly new: readonly Finding[];
}

/** Output of `diff --format json`: what a change does, and which rollouts behave differently. The schema is `schemas/diff-1.2.json`. */
export interface PlanDiff extends Behaviour, Pick<PlanDocument, 'assumedVersions'> {
  /** Version of this format. */
  readonly formatVersion: typeof FORMAT_VERSION;
  /** Effect of applying NEW over OLD; absent if a side is a plan document, since only its behaviour is known. */
  readonly change?: PlannedChange;
  /** Kinds on either side that affect rollouts but are not planned: those of NEW in its order, then those that only OLD has. */
  readonly notPlanned: readonly UncomparedKind[];
  /** Errors of reading the input, such as `input/unreadable` and `input/not-rendered`; absent if there are none. */
  readonly unread?: UncomparedInput;
  /** Findings about input that is set aside or left open, such as `input/not-read` and `input/template`; absent if there are none. */
  readonly setAside?: UncomparedInput;
}
