import type { Behaviour } from './behaviour';
import type { PlannedChange } from './change';
import type { FORMAT_VERSION } from './plan-document';

/** What `diff --format json` prints: what a change does, and which rollouts behave otherwise. The schema is `schemas/diff-1.1.json`. */
export interface PlanDiff extends Behaviour {
  /** The version of this format. */
  readonly formatVersion: typeof FORMAT_VERSION;
  /** What applying NEW over OLD does; absent where a side is a plan document, of which behaviour alone is known. */
  readonly change?: PlannedChange;
}
