import type { FORMAT_VERSION } from './plan-document';
import type { ResourceRef } from './rollout';

/** Whether a change makes a rollout riskier or safer; neutral where that can't be said of it by itself. */
export type RiskEffect = 'riskier' | 'safer' | 'neutral';

/**
 * What applying the change of a RayService's field does.
 *
 * - `new-cluster`: the operator makes a new RayCluster and moves the service to it
 * - `in-place`: something that runs is changed
 * - `none`: nothing now
 */
export type Trigger = 'new-cluster' | 'in-place' | 'none';

/** One field of an object that differs from what runs, and what applying the change does. */
export interface ObjectChange {
  /** Where it stands in the object: `spec.serveConfigV2`. */
  readonly path: string;
  /** Its short name where it is a field of the strategy, as provenance names it: `maxSurgePercent`. */
  readonly strategyField?: string;
  /** Undefined where it was not there. */
  readonly old: unknown;
  /** Undefined where it is gone. */
  readonly new: unknown;
  readonly triggers: Trigger;
  /** One sentence: what happens, or when it will. */
  readonly reason: string;
}

/** One field that differs between two plans. */
export interface PlanChange {
  /** The rollout that it is about; null for what is about no rollout, such as a file that can't be read. */
  readonly resource: ResourceRef | null;
  /** Short and stable: `maxSurge`, `maxSurge layer`, `minAvailable`, `finding kubernetes/outage`, `spec.serveConfigV2`. */
  readonly field: string;
  /** Null where the old plan has none. */
  readonly old: unknown;
  /** Null where the new plan has none. */
  readonly new: unknown;
  /** What the change means for the rollout. */
  readonly effect: RiskEffect;
  /** Why it has that effect, what a finding says, or why a field triggers what it does; absent where there is nothing to say. */
  readonly reason?: string;
  /** Fields of a RayService alone, where its manifests are known. */
  readonly triggers?: Trigger;
}

/** What `diff --format json` prints: how a new plan differs from an old one. The schema is `schemas/diff-1.1.json`. */
export interface PlanDiff {
  /** The version of this format. */
  readonly formatVersion: typeof FORMAT_VERSION;
  /** Rollouts of the new plan alone, in its order. */
  readonly added: readonly ResourceRef[];
  /** Rollouts of the old plan alone, in its order. */
  readonly removed: readonly ResourceRef[];
  /** What is about no rollout, then the rollouts in the order of the new plan, then those that are gone in that of the old one. */
  readonly changed: readonly PlanChange[];
  /** Is any change riskier? */
  readonly riskier: boolean;
}
