import { createCapacityHalt, selectRowsUntil } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** One row of a DaemonSet's rollout: what stands once the controller has nothing left to do until a pod becomes ready. */
export interface DaemonSetWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Pods of the new version, ready or not. */
  readonly newPods: number;
  /** Pods of the old version. */
  readonly oldPods: number;
  /** Pods of both versions. */
  readonly total: number;
  /** Pods ready at that moment, before the new ones of this wave are. */
  readonly available: number;
}

/** A rollout stands still for good, because nodes that are down use up its limit. */
export interface DaemonSetHalt {
  /** Number of the last wave. */
  readonly wave: number;
  /** Nodes that are down and use up the limit. */
  readonly nodes: number;
  readonly reason: 'nodes-down';
}

/** A DaemonSet's rollout, wave by wave. */
export interface DaemonSetSimulation {
  readonly kind: 'daemonset';
  /** Nodes that the pods may go to by the controller's own rules. */
  readonly nodes: number;
  /** Further nodes, which are down and keep an old pod that the controller does not count any more; absent where there are none. */
  readonly otherNodesDown?: number;
  /** Nodes that may have a second pod, percentages rounded up. */
  readonly surge: number;
  /** Nodes that may be without an available pod, percentages rounded up. */
  readonly unavailable: number;
  /** In order; of very many the first and the last. */
  readonly waves: readonly DaemonSetWave[];
  /** Most pods at once. */
  readonly peakPods: number;
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Where it stands still: after a wave, because nodes that are down use up the limit, or at one whose pods find no room; absent where it ends. */
  readonly halted?: DaemonSetHalt | CapacityHalt;
  /** Rows left out between the first 50 and the last 50; absent when none is. */
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
