import type { MappedRollout, ResourceRef } from './rollout';

/** Whether a change makes a rollout riskier or safer; neutral if the change by itself does not decide that. */
export type RiskEffect = 'riskier' | 'safer' | 'neutral';

/** One difference in how a rollout behaves. */
export interface PlanChange {
  /** Rollout, which is in both plans. */
  readonly resource: ResourceRef;
  /** Map of rolloutkit.yaml that the rollout follows from, in one of the plans; absent if the controller was analysed. */
  readonly mapped?: MappedRollout;
  /** Short stable name: `maxSurge`, `maxSurge layer`, `minAvailable`, `finding kubernetes/outage`. */
  readonly field: string;
  /** Value in the old plan; null if it has none. */
  readonly old: unknown;
  /** Value in the new plan; null if it has none. */
  readonly new: unknown;
  /** Effect on the risk of the rollout. */
  readonly risk: RiskEffect;
  /** Reason why it is riskier or safer, or the message of a finding; absent if there is none. */
  readonly reason?: string;
}

/** Differences in how rollouts behave compared to another plan. */
export interface Behaviour {
  /** Changes of rollouts that are in both plans, in the order of the new plan. */
  readonly changed: readonly PlanChange[];
  /** Whether any change is riskier. */
  readonly riskier: boolean;
}
