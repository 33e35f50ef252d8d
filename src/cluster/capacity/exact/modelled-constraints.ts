/** Constraints that the model of a rollout decides. */
export const MODELLED: ReadonlySet<string> = new Set(['topologySpreadConstraints', 'podAffinity', 'podAntiAffinity', 'resourceClaims']);
