import type { Provenance } from '../core/document/provenance';

/** A strategy as the API server stores it, with its provenance. A kind adds the other fields that its controller reads. */
export interface EffectiveStrategy {
  readonly strategy: unknown;
  readonly provenance: readonly Provenance[];
}
