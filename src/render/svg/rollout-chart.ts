import type { CapacityResult } from '../../core/document/capacity-result';
import type { PlannedRollout } from '../../core/document/rollout';
import type { Simulation } from '../../core/simulations/simulation';
import { describeRolloutOutcome, findDeadlockRow } from '../rollout/outcome-text';
import { formatPauses } from '../rollout/argo-rollout';
import { formatResourceLabel } from '../findings/text-findings';
import type { Chart } from './chart';
import { buildDisaggregatedSetParts } from './kinds/disaggregatedset';
import { buildFleetParts } from './kinds/fleet';
import {
  buildArgoRolloutTimeline,
  buildDaemonSetTimeline,
  buildDeploymentTimeline,
  buildLeaderWorkerSetTimeline,
  buildPodPart,
  buildRevisionTimeline,
} from './kinds/pod-waves';
import { appendNodeGrid } from './kinds/node-grid';
import { buildRayServiceParts } from './kinds/rayservice';
import { buildRollingSyncParts } from './kinds/rolling-sync';
import { buildStatefulSetParts } from './kinds/statefulset';

type PartsBuilder<S extends Simulation> = (simulation: S, rollout: PlannedRollout) => Chart['parts'];

const PARTS_BUILDERS: { readonly [K in Simulation['kind']]: PartsBuilder<Extract<Simulation, { kind: K }>> } = {
  deployment: (simulation, rollout) => [buildPodPart(buildDeploymentTimeline(simulation, rollout), rollout)],
  daemonset: (simulation, rollout) => [appendNodeGrid(simulation, buildPodPart(buildDaemonSetTimeline(simulation, rollout), rollout))],
  revision: (simulation, rollout) => [buildPodPart(buildRevisionTimeline(simulation, rollout), rollout)],
  leaderworkerset: (simulation, rollout) => [buildPodPart(buildLeaderWorkerSetTimeline(simulation, rollout), rollout)],
  disaggregatedset: buildDisaggregatedSetParts,
  argorollout: (simulation, rollout) => [buildPodPart(buildArgoRolloutTimeline(simulation, rollout), rollout)],
  statefulset: buildStatefulSetParts,
  rayservice: buildRayServiceParts,
  fleet: buildFleetParts,
  rollingsync: buildRollingSyncParts,
};

function hasNoWaves({ waves }: { readonly waves: readonly unknown[] }): boolean {
  return waves.length === 0;
}

/** Reports for each kind whether there is nothing to draw: no rollout, no pods, no waves. */
const EMPTY_CHECKS: { readonly [K in Simulation['kind']]: (simulation: Extract<Simulation, { kind: K }>) => boolean } = {
  deployment: ({ waves, halted }) => waves.length === 0 && !halted,
  daemonset: ({ nodes, waves, halted }) => nodes === 0 || (waves.length === 0 && !halted),
  revision: hasNoWaves,
  leaderworkerset: hasNoWaves,
  disaggregatedset: hasNoWaves,
  argorollout: hasNoWaves,
  statefulset: ({ replicas }) => replicas === 0,
  rayservice: ({ outcome }) => outcome === 'none',
  // The partitions are drawn even if there are no clusters.
  fleet: () => false,
  rollingsync: ({ applications }) => applications === 0,
};

function isEmpty(simulation: Simulation): boolean {
  return (EMPTY_CHECKS[simulation.kind] as (simulation: Simulation) => boolean)(simulation);
}

/** Note for rows that show the rollout without limits although it is slower. Its message explains the slowdown. */
const DRAWN_WITH_CAPACITY_NOTE = 'The picture assumes enough capacity for all of its pods at once.';

function listCapacityNotes({ message, hasUnlimitedRows }: CapacityResult): string[] {
  return hasUnlimitedRows ? [message, DRAWN_WITH_CAPACITY_NOTE] : [message];
}

/** Builds the picture of a rollout. It has no parts if nothing is rolled out. */
export function buildRolloutChart(rollout: PlannedRollout): Chart {
  const { simulation, resource, capacity } = rollout;
  const { text, isStuck } = describeRolloutOutcome(rollout);
  const pauses = simulation?.kind === 'argorollout' ? formatPauses(simulation, findDeadlockRow(rollout)) : undefined;
  return {
    title: formatResourceLabel(resource),
    outcome: text,
    isStuck,
    parts:
      simulation === null || isEmpty(simulation) ? [] : (PARTS_BUILDERS[simulation.kind] as PartsBuilder<Simulation>)(simulation, rollout),
    notes: [...(pauses === undefined ? [] : [`pause sign: ${pauses}`]), ...(capacity ? listCapacityNotes(capacity) : [])],
  };
}
