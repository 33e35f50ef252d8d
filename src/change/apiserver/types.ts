import type { ApplyRejection } from '../../core/change';
import type { Manifest } from '../../core/manifest';

declare const isStored: unique symbol;

/** An object as the API server holds it: decoded, defaulted, in its normal form, without what the server alone writes (status, uid, managedFields). */
export type StoredObject = Manifest & { readonly [isStored]: true };

/** An object of OLD. */
export interface OldObject {
  /** As it was read: what last-applied and the field managers say of it stands here. */
  readonly manifest: Manifest;
  readonly stored: StoredObject;
  /** The manifest that Helm's last release sent, where it is another than `given`. @default - `given`, if that is a manifest; of a live object nothing is known */
  readonly release?: Manifest;
  /** Was it read from a cluster? A manifest counts as its own last-applied. */
  readonly isLive: boolean;
}

/** What the server holds after an apply, or why it does not take it. */
export type ApplyOutcome =
  | {
      readonly stored: StoredObject;
      /** Is that the manifest alone, of which nothing that was there is kept? */
      readonly isAlone: boolean;
    }
  | {
      readonly refusal: ApplyRejection;
      /** What it would hold if it took it; undefined where it cannot read it, or does not get as far. */
      readonly asked?: StoredObject;
    };

export type { ApplyMode, FieldChange, ApplyRejection } from '../../core/change';
export { REDACTED_VALUE } from '../../core/change';
