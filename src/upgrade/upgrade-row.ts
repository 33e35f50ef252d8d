import type { FieldChange } from '../core/document/change';
import type { Manifest } from '../core/manifest/manifest';
import type { UpgradeEffect } from '../core/document/upgrade';
import { compareVersions, isAtLeast } from '../core/values/versions';
import type { PlanContext } from '../cluster/context/context';

/** Two versions of one product. */
export interface VersionPair {
  readonly from: string;
  readonly to: string;
}

/** The two versions, and what they have in view. */
export interface UpgradeSides extends VersionPair {
  readonly old: PlanContext;
  readonly next: PlanContext;
}

/** An object, or one of its components, that a row concerns. */
export interface RowMatch {
  /** @default - the only rollout of the object */
  readonly component?: string;
  /** Fields that the new version writes differently. @default - none are known */
  readonly fields?: readonly FieldChange[];
  /** What must happen before the new version writes them. @default - it writes them at once */
  readonly heldUntil?: string;
}

/** One difference between versions of an operator. */
export interface UpgradeRow {
  /** Stable name in the plan: `inference-service-name`. */
  readonly id: string;
  /** First version with the new behaviour. Undefined if every version differs from the one before. */
  readonly since?: string;
  /** First later version that no longer does it, for an upgrade that goes there directly. @default - all later versions do it */
  readonly until?: string;
  readonly effect: UpgradeEffect;
  /** Whether Knative replaces the pods of a Revision in its Deployment, and creates no other Revision. @default false */
  readonly isInPlace?: boolean;
  /** What the new version does. A sentence with a full stop. */
  readonly message: string | ((pair: VersionPair) => string);
  /** Returns what it concerns of an object. */
  readonly match: (object: Manifest, sides: UpgradeSides) => readonly RowMatch[];
}

/** Reports whether an upgrade reaches the behaviour of a row: from an earlier version to one that has it. */
export function isRowCrossed({ since, until }: UpgradeRow, { from, to }: VersionPair): boolean {
  if (since === undefined) return compareVersions(from, to) < 0;
  return !isAtLeast(from, since) && isAtLeast(to, since) && (until === undefined || !isAtLeast(to, until));
}

/** Formats the message of a row. */
export function formatRowMessage({ message }: UpgradeRow, pair: VersionPair): string {
  return typeof message === 'string' ? message : message(pair);
}
