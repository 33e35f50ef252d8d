import type { ArgoRolloutSimulation } from './argo-rollout';
import type { DaemonSetSimulation } from './daemonset';
import type { DeploymentSimulation } from './deployment';
import type { FleetSimulation } from './fleet';
import type { DisaggregatedSetSimulation } from './disaggregatedset';
import type { LeaderWorkerSetSimulation } from './leaderworkerset';
import type { RayServiceSimulation } from './rayservice';
import type { RevisionSimulation } from './revision';
import type { RollingSyncSimulation } from './rolling-sync';
import type { StatefulSetSimulation } from './statefulset';

/** The simulated rollout; each system adds its own kind. */
export type Simulation =
  | DeploymentSimulation
  | StatefulSetSimulation
  | DaemonSetSimulation
  | RevisionSimulation
  | LeaderWorkerSetSimulation
  | DisaggregatedSetSimulation
  | RayServiceSimulation
  | FleetSimulation
  | ArgoRolloutSimulation
  | RollingSyncSimulation;
