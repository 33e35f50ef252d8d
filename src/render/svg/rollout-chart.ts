import type { PlannedRollout } from '../../core/rollout';
import type { Simulation } from '../../core/simulations/simulation';
import { outcomeOf, standstill } from '../outcome-words';
import { pausesText } from '../text-argo-rollout';
import { resourceText } from '../text-findings';
import type { Chart } from './chart';
import { disaggregatedSetParts } from './kinds/disaggregatedset';
import { fleetParts } from './kinds/fleet';
import { argoRolloutCourse, daemonSetCourse, deploymentCourse, leaderWorkerSetCourse, podCourse, revisionCourse } from './kinds/pod-waves';
import { withNodes } from './kinds/node-grid';
import { rayServiceParts } from './kinds/rayservice';
import { rollingSyncParts } from './kinds/rolling-sync';
import { statefulSetParts } from './kinds/statefulset';

type PartsOf<S extends Simulation> = (simulation: S, rollout: PlannedRollout) => Chart['parts'];

const PARTS: { readonly [K in Simulation['kind']]: PartsOf<Extract<Simulation, { kind: K }>> } = {
  deployment: (simulation, rollout) => [podCourse(deploymentCourse(simulation, rollout), rollout)],
  daemonset: (simulation, rollout) => [withNodes(simulation, podCourse(daemonSetCourse(simulation, rollout), rollout))],
  revision: (simulation, rollout) => [podCourse(revisionCourse(simulation, rollout), rollout)],
  leaderworkerset: (simulation, rollout) => [podCourse(leaderWorkerSetCourse(simulation, rollout), rollout)],
  disaggregatedset: disaggregatedSetParts,
  argorollout: (simulation, rollout) => [podCourse(argoRolloutCourse(simulation, rollout), rollout)],
  statefulset: statefulSetParts,
  rayservice: rayServiceParts,
  fleet: fleetParts,
  rollingsync: rollingSyncParts,
};

/** Is there nothing to draw: no rollout, no pods, no waves? */
function isEmpty(simulation: Simulation): boolean {
  if (simulation.kind === 'rayservice') return simulation.outcome === 'none';
  if (simulation.kind === 'statefulset') return simulation.replicas === 0;
  if (simulation.kind === 'daemonset') return simulation.nodes === 0 || (simulation.waves.length === 0 && !simulation.halted);
  if (simulation.kind === 'rollingsync') return simulation.applications === 0;
  return simulation.kind !== 'fleet' && simulation.waves.length === 0;
}

/** The picture of a rollout; without parts where nothing rolls out. */
export function rolloutChart(rollout: PlannedRollout): Chart {
  const { simulation, resource, room } = rollout;
  const { text, isStuck } = outcomeOf(rollout);
  const pauses = simulation?.kind === 'argorollout' ? pausesText(simulation, standstill(rollout)) : undefined;
  return {
    title: resourceText(resource),
    outcome: text,
    isStuck,
    parts: simulation === null || isEmpty(simulation) ? [] : (PARTS[simulation.kind] as PartsOf<Simulation>)(simulation, rollout),
    notes: [...(pauses === undefined ? [] : [`two bars: ${pauses}`]), ...(room ? [room.message] : [])],
  };
}
