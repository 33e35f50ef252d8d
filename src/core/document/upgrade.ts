import type { ResourceRef } from './rollout';
import type { Product } from '../values/versions';

/**
 * What a difference between two versions does: `roll` replaces pods at the upgrade, `settings` changes other fields of what the operator
 * writes, `new-pods` changes pods that are created later, `next-write` takes effect once the object is written again, `redeploy` deploys a
 * Fleet bundle again, `rename` creates a second workload under another name, `select` selects another serving runtime.
 */
export type UpgradeEffect = 'roll' | 'settings' | 'new-pods' | 'next-write' | 'redeploy' | 'rename' | 'select';

/** One difference between what two versions of an operator write for the same objects. */
export interface UpgradeDifference {
  /** Stable name: `inference-service-name`. */
  readonly id: string;
  /** First version that behaves so. */
  readonly since: string;
  /** What it does to the objects. */
  readonly effect: UpgradeEffect;
  /** What the new version does, as a sentence. */
  readonly message: string;
  /** Objects that it concerns, in input order, at most 100. */
  readonly objects: readonly ResourceRef[];
  /** Number of objects omitted from `objects`; absent if there are none. */
  readonly elided?: number;
}

/** The upgrade of an operator that a plan is for. */
export interface PlannedUpgrade {
  /** Operator, or `kubernetes`. */
  readonly product: Product;
  /** Version before the upgrade. */
  readonly from: string;
  /** Version after the upgrade. */
  readonly to: string;
  /** Differences that concern an object, those that replace pods first. */
  readonly differences: readonly UpgradeDifference[];
  /** Steps of an upgrade that disturbs less, in order. Empty if no pod is replaced. */
  readonly saferOrder: readonly string[];
}
