/** A level of configuration whose value was overridden. */
export interface OverriddenLevel {
  /** Name of the level: `platform-config`, `kserve-default`, … */
  readonly layer: string;
  /** Value that it would have set. */
  readonly value: unknown;
  /** Reason why it does not decide, as a clause: `a customization before it matches the cluster`. */
  readonly reason: string;
}

/** Level of configuration that decided one field, and the levels that it overrode. */
export interface Provenance {
  /** Short name of the field: `maxSurge`. */
  readonly field: string;
  /** Effective value. */
  readonly value: unknown;
  /** Level that decided: `user`, `platform-config`, `kserve-default`, … */
  readonly layer: string;
  /** Reason why this level decided, in one sentence. */
  readonly reason: string;
  /** Levels whose values were overridden, highest first. */
  readonly overridden: readonly OverriddenLevel[];
}
