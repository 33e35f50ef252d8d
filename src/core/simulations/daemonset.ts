import { createCapacityHalt, selectRowsUntil } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** One row of a DaemonSet's rollout: the state once the controller has nothing left to do until a pod becomes ready. */
export interface DaemonSetWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Pods of the new version, ready or not. */
  readonly newPods: number;
  /** Pods of the old version. */
  readonly oldPods: number;
  /** Pods of both versions. */
  readonly total: number;
  /** Ready pods at that moment, before the new ones of this wave are ready. */
  readonly available: number;
}

/** A deadlock of a rollout, because unavailable nodes use up its limit. */
export interface DaemonSetHalt {
  /** Number of the last wave. */
  readonly wave: number;
  /** Unavailable nodes that use up the limit. */
  readonly nodes: number;
  readonly reason: 'nodes-down';
}

/** A DaemonSet's rollout, wave by wave. */
export interface DaemonSetSimulation {
  readonly kind: 'daemonset';
  /** Nodes on which the controller can place pods by its own rules. */
  readonly nodes: number;
  /** Other nodes, which are unavailable and keep an old pod that the controller no longer counts; absent if there are none. */
  readonly otherNodesDown?: number;
  /** Nodes that may have a second pod, percentages rounded up. */
  readonly surge: number;
  /** Nodes that may be without an available pod, percentages rounded up. */
  readonly unavailable: number;
  /** Waves in order; of a long list only the first and the last. */
  readonly waves: readonly DaemonSetWave[];
  /** Maximum number of pods at once. */
  readonly peakPods: number;
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /**
   * Deadlock, after a wave because unavailable nodes use up the limit, or at a wave whose pods do not fit; absent if the rollout finishes.
   */
  readonly halted?: DaemonSetHalt | CapacityHalt;
  /** Rows omitted between the first 50 and the last 50; absent if there are none. */
  readonly elided?: number;
}

function truncateAtDeadlock({ elided: _elided, ...simulation }: DaemonSetSimulation, wave: number): DaemonSetSimulation {
  return { ...simulation, ...selectRowsUntil(simulation.waves, wave), halted: createCapacityHalt(wave) };
}

export const DAEMONSET_SIMULATION: SimulationKind<DaemonSetSimulation> = {
  keys: {
    kind: true,
    nodes: true,
    otherNodesDown: true,
    surge: true,
    unavailable: true,
    waves: true,
    peakPods: true,
    minAvailable: true,
    halted: true,
    elided: true,
  },
  truncateAtDeadlock,
};
