import type { ApplyRejection } from '../../core/document/change';
import type { Manifest } from '../../core/manifest/manifest';
import type { FieldGates } from './field-gates';

declare const isStored: unique symbol;

/** An object as the API server stores it: decoded, defaulted and normalized, without fields that only the server writes (status, uid, managedFields). */
export type StoredObject = Manifest & { readonly [isStored]: true };

/** An object of OLD. */
export interface OldObject {
  /** The object as it was read, with its last-applied annotation and field managers. */
  readonly manifest: Manifest;
  readonly stored: StoredObject;
  /** Which fields the server keeps in a write to the object. */
  readonly gates: FieldGates;
  /** The manifest of Helm's last release, if it differs from `manifest`. @default - `manifest`, if that is no live object; otherwise not known */
  readonly release?: Manifest;
  /** Whether the object was read from a cluster. A manifest counts as its own last-applied configuration. */
  readonly isLive: boolean;
}

/** What the server stores after an apply, or why it refuses the object. */
export type ApplyOutcome =
  | {
      readonly stored: StoredObject;
      /** Whether the result is only the manifest, without anything kept from the existing object. */
      readonly isAlone: boolean;
    }
  | {
      readonly refusal: ApplyRejection;
      /** What the server would store if it accepted the object; undefined if it cannot decode it or fails earlier. */
      readonly asked?: StoredObject;
    };

export type { WriteMethod } from '../../appliers/applier';
export type { FieldChange, ApplyRejection } from '../../core/document/change';
export { REDACTED_VALUE } from '../../core/document/change';
