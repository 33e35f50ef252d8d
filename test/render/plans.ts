import type { Finding } from '../../src/core/findings/finding';
import { summarizePlan } from '../../src/core/document/plan-document';
import type { PlanDocument } from '../../src/core/document/plan-document';
import type { PlannedRollout } from '../../src/core/document/rollout';
import type { Simulation } from '../../src/core/simulations/simulation';
import { DEFAULT_VERSIONS } from '../../src/core/values/versions';

/** Returns a plan with these rollouts and findings. */
export function planOf(rollouts: readonly PlannedRollout[], findings: readonly Finding[] = []): PlanDocument {
  const parts = { rollouts, notPlanned: [], findings };
  return { formatVersion: '1.2', versions: DEFAULT_VERSIONS, ...parts, summary: summarizePlan(parts) };
}

/** Returns a rollout with this simulation. */
export function rolloutOf(simulation: Simulation | null, more: Partial<PlannedRollout> = {}): PlannedRollout {
  return {
    system: 'kubernetes',
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    strategy: { type: 'RollingUpdate' },
    provenance: [],
    simulation,
    findings: [],
    ...more,
  };
}
