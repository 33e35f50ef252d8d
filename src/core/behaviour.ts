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

/** How rollouts behave otherwise than in another plan. */
export interface Behaviour {
  /** Rollouts that both plans have, in the order of the new plan. */
  readonly changed: readonly PlanChange[];
  /** Is anything riskier? */
  readonly riskier: boolean;
}
