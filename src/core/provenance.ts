/** A level of configuration that had a value and lost. */
export interface OverriddenLevel {
  /** The level: `platform-config`, `kserve-default`, … */
  readonly layer: string;
  /** What it would have set. */
  readonly value: unknown;
  /** Why it does not decide, as a clause: `a customization before it matches the cluster`. */
  readonly reason: string;
}

/** Which level of configuration decided one field, and which levels it overruled. */
export interface Provenance {
  /** Short name of the field: `maxSurge`. */
  readonly field: string;
  /** The value that holds. */
  readonly value: unknown;
  /** The level that decided: `user`, `platform-config`, `kserve-default`, … */
  readonly layer: string;
  /** Why this level decided, in one sentence. */
  readonly reason: string;
  /** The levels that had a value and lost, highest first. */
  readonly overridden: readonly OverriddenLevel[];
}
