import { sortKeys } from '../collections/key-order';
import { ARGO_ROLLOUT_SIMULATION } from './argo-rollout';
import { DAEMONSET_SIMULATION } from './daemonset';
import { DEPLOYMENT_SIMULATION } from './deployment';
import { DISAGGREGATEDSET_SIMULATION } from './disaggregatedset';
import { FLEET_SIMULATION } from './fleet';
import { LEADERWORKERSET_SIMULATION } from './leaderworkerset';
import { RAYSERVICE_SIMULATION } from './rayservice';
import { REVISION_SIMULATION } from './revision';
import { ROLLING_SYNC_SIMULATION } from './rolling-sync';
import { STATEFULSET_SIMULATION } from './statefulset';
import type { Simulation } from './simulation';
import type { SimulationKind } from './simulation-kind';

/** All kinds of simulations; a missing one does not compile. */
const SIMULATION_KINDS: { readonly [K in Simulation['kind']]: SimulationKind<Extract<Simulation, { kind: K }>> } = {
  deployment: DEPLOYMENT_SIMULATION,
  statefulset: STATEFULSET_SIMULATION,
  daemonset: DAEMONSET_SIMULATION,
  revision: REVISION_SIMULATION,
  leaderworkerset: LEADERWORKERSET_SIMULATION,
  disaggregatedset: DISAGGREGATEDSET_SIMULATION,
  rayservice: RAYSERVICE_SIMULATION,
  fleet: FLEET_SIMULATION,
  argorollout: ARGO_ROLLOUT_SIMULATION,
  rollingsync: ROLLING_SYNC_SIMULATION,
};

function getSimulationKind<S extends Simulation>({ kind }: S): SimulationKind<S> {
  return SIMULATION_KINDS[kind] as SimulationKind<S>;
}

/** Sorts the keys of a simulation in the order of the contract. */
export function sortSimulationKeys(simulation: Simulation): Simulation {
  return sortKeys(simulation, getSimulationKind(simulation).keys);
}

/** Truncates a rollout that deadlocks because pods do not fit; see {@link SimulationKind.truncateAtDeadlock}. */
export function truncateAtDeadlock<S extends Simulation>(simulation: S, wave: number): S {
  return getSimulationKind(simulation).truncateAtDeadlock(simulation, wave);
}
