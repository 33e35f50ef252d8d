import { findMax, findMin } from '../min-max';
import { createCapacityHalt, selectRowsUntil } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** One row of a Deployment's rollout: what stands once the controller has nothing left to do until a pod becomes ready. */
export interface DeploymentWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Pods of the new version, ready or not. */
  readonly newReplicas: number;
  /** Pods of the old version. */
  readonly oldReplicas: number;
  /** Pods of both versions. */
  readonly total: number;
  /** Pods ready at that moment, before the new ones of this wave are. */
  readonly available: number;
}

/** A Deployment's rollout, wave by wave. */
export interface DeploymentSimulation {
  readonly kind: 'deployment';
  /** Pods that are wanted. */
  readonly replicas: number;
  /** Pods above `replicas`, after the fencepost rule. */
  readonly surge: number;
  /** Pods below `replicas`, after the fencepost rule, at most `replicas`. */
  readonly unavailable: number;
  /** In order; of very many the first and the last. */
  readonly waves: readonly DeploymentWave[];
  /** Waves that create a pod. */
  readonly iterations: number;
  /** Most pods at once. */
  readonly peakPods: number;
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Where it stands still because its pods find no room; absent where it ends. */
  readonly halted?: CapacityHalt;
  /** Rows left out between the first 50 and the last 50; absent when none is. */
  readonly elided?: number;
}

function truncateAtDeadlock({ elided: _elided, ...simulation }: DeploymentSimulation, wave: number): DeploymentSimulation {
  const until = selectRowsUntil(simulation.waves, wave);
  const creating = until.waves.filter(({ newReplicas }, index) => newReplicas > (until.waves[index - 1]?.newReplicas ?? 0));
  const totals = until.waves.map(({ total }) => total);
  const available = until.waves.map((row) => row.available);
  return {
    ...simulation,
    ...until,
    ...(until.elided === undefined && {
      iterations: creating.length,
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
