import type { Provenance } from '../core/provenance';

/** A strategy as the API server stores it, and who decided it. A kind adds what else of the object its controller goes by. */
export interface EffectiveStrategy {
  readonly strategy: unknown;
  readonly provenance: readonly Provenance[];
}
