import type { Manifest } from '../../core/manifest';

/** How NEW reaches the cluster. */
export type ApplyMode = 'client' | 'server' | 'helm' | 'replace';

declare const isStored: unique symbol;

/** An object as the API server holds it: decoded, defaulted, in its normal form, without what the server alone writes (status, uid, managedFields). */
export type StoredObject = Manifest & { readonly [isStored]: true };

/** An object of OLD. */
export interface OldObject {
  /** As it was read: what last-applied and the field managers say of it stands here. */
  readonly given: Manifest;
  readonly stored: StoredObject;
  /** The manifest that Helm's last release sent, where it is another than `given`. @default - `given`, if that is a manifest; of a live object nothing is known */
  readonly release?: Manifest;
  /** Was it read from a cluster? A manifest counts as its own last-applied. */
  readonly isLive: boolean;
}

/** What stands in the place of a value that nobody is to read. */
export const SECRET = '(secret)';

/** One stored field that differs. */
export interface FieldChange {
  /** As a person names it, items of a list with a key by that: `spec.template.spec.containers[web].image`. */
  readonly path: string;
  /** Absent where the field was not there. */
  readonly old?: unknown;
  /** Absent where the field is gone. */
  readonly new?: unknown;
  /** Are the values kept back? They are `(secret)` then. */
  readonly secret?: true;
}

/** Why nothing of an object changes, in the words of who says no. */
export interface Refusal {
  /** As the server writes it; empty where it names none. */
  readonly path: string;
  readonly message: string;
}

/** What the server holds after an apply, or why it does not take it. */
export type Applied = { readonly stored: StoredObject } | { readonly refusal: Refusal };
