import { findMax, findMin } from '../values/min-max';
import { createCapacityHalt, selectRowsUntil } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** One row of a Deployment's rollout: the state once the controller has nothing left to do until a pod becomes ready. */
export interface DeploymentWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Pods of the new version, ready or not. */
  readonly newReplicas: number;
  /** Pods of the old version. */
  readonly oldReplicas: number;
  /** Pods of both versions. */
  readonly total: number;
  /** Ready pods at that moment, before the new ones of this wave are ready. */
  readonly available: number;
}

/** A Deployment's rollout, wave by wave. */
export interface DeploymentSimulation {
  readonly kind: 'deployment';
  /** Desired pods. */
  readonly replicas: number;
  /** Pods above `replicas`, after the fencepost rule. */
  readonly surge: number;
  /** Pods below `replicas`, after the fencepost rule, at most `replicas`. */
  readonly unavailable: number;
  /** Waves in order; of a long list only the first and the last. Empty if the first wave changes nothing. */
  readonly waves: readonly DeploymentWave[];
  /** Number of waves that create a pod. */
  readonly iterations: number;
  /** Maximum number of pods at once. */
  readonly peakPods: number;
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Deadlock because its pods do not fit; absent if the rollout finishes. */
  readonly halted?: CapacityHalt;
  /** Rows omitted between the first 50 and the last 50; absent if there are none. */
  readonly elided?: number;
}

/**
 * Returns the rows to show: the waves, or the state at which the rollout stops if its first wave changes nothing. A quota that refuses the
 * first new pod of 3 replicas leaves 3 old pods at wave 1.
 */
export function listShownWaves({ replicas, waves, halted }: DeploymentSimulation): readonly DeploymentWave[] {
  if (waves.length > 0 || !halted) return waves;
  return [{ wave: halted.wave, newReplicas: 0, oldReplicas: replicas, total: replicas, available: replicas }];
}

function truncateAtDeadlock({ elided: _elided, ...simulation }: DeploymentSimulation, wave: number): DeploymentSimulation {
  const reached = selectRowsUntil(simulation.waves, wave);
  const creatingWaves = reached.waves.filter(({ newReplicas }, index) => newReplicas > (reached.waves[index - 1]?.newReplicas ?? 0));
  const totals = reached.waves.map(({ total }) => total);
  const available = reached.waves.map((row) => row.available);
  return {
    ...simulation,
    ...reached,
    ...(reached.elided === undefined && {
      iterations: creatingWaves.length,
      peakPods: findMax(totals, simulation.replicas),
      minAvailable: findMin(available, simulation.replicas),
    }),
    halted: createCapacityHalt(wave),
  };
}

export const DEPLOYMENT_SIMULATION: SimulationKind<DeploymentSimulation> = {
  keys: {
    kind: true,
    replicas: true,
    surge: true,
    unavailable: true,
    waves: true,
    iterations: true,
    peakPods: true,
    minAvailable: true,
    halted: true,
    elided: true,
  },
  truncateAtDeadlock,
};
