import type { RolloutRoom } from '../../core/room';
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

function hasNoWaves({ waves }: { readonly waves: readonly unknown[] }): boolean {
  return waves.length === 0;
}

/** Is there nothing to draw: no rollout, no pods, no waves? */
const IS_EMPTY: { readonly [K in Simulation['kind']]: (simulation: Extract<Simulation, { kind: K }>) => boolean } = {
  deployment: hasNoWaves,
  daemonset: ({ nodes, waves, halted }) => nodes === 0 || (waves.length === 0 && !halted),
  revision: hasNoWaves,
  leaderworkerset: hasNoWaves,
  disaggregatedset: hasNoWaves,
  argorollout: hasNoWaves,
  statefulset: ({ replicas }) => replicas === 0,
  rayservice: ({ outcome }) => outcome === 'none',
  // Of no clusters too, the partitions are drawn.
  fleet: () => false,
  rollingsync: ({ applications }) => applications === 0,
};

function isEmpty(simulation: Simulation): boolean {
  return (IS_EMPTY[simulation.kind] as (simulation: Simulation) => boolean)(simulation);
}

/** Of one that is slower for want of room the rows are those that it has with room: its message says how it goes. */
const DRAWN_WITH_ROOM = 'The picture shows it with room for all of its pods at once.';

function roomNotes({ verdict, message }: RolloutRoom): string[] {
  return verdict === 'slower' ? [message, DRAWN_WITH_ROOM] : [message];
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
    notes: [...(pauses === undefined ? [] : [`two bars: ${pauses}`]), ...(room ? roomNotes(room) : [])],
  };
}
