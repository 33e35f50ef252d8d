import type { PlannedChange } from './change';
import type { FORMAT_VERSION } from './plan-document';
import type { ResourceRef } from './rollout';

/** Whether a change makes a rollout riskier or safer; neutral where that can't be said of it by itself. */
export type RiskEffect = 'riskier' | 'safer' | 'neutral';

/** One way in which a rollout behaves otherwise than before. */
export interface PlanChange {
  /** The rollout, which both plans have. */
  readonly resource: ResourceRef;
  /** Short and stable: `maxSurge`, `maxSurge layer`, `minAvailable`, `finding kubernetes/outage`. */
  readonly field: string;
  /** Null where the old plan has none. */
  readonly old: unknown;
  /** Null where the new plan has none. */
  readonly new: unknown;
  /** What it means for the rollout. */
  readonly risk: RiskEffect;
  /** Why it is riskier or safer, or what a finding says; absent where there is nothing to say. */
  readonly reason?: string;
}

/** What `diff --format json` prints: what a change does, and which rollouts behave otherwise. The schema is `schemas/diff-1.1.json`. */
export interface PlanDiff {
  /** The version of this format. */
  readonly formatVersion: typeof FORMAT_VERSION;
  /** What applying NEW over OLD does; absent where a side is a plan document, of which behaviour alone is known. */
  readonly change?: PlannedChange;
  /** Behaviour of rollouts that both plans have, in the order of the new plan. */
  readonly changed: readonly PlanChange[];
  /** Is anything riskier? */
  readonly riskier: boolean;
}
