import { createCapacityHalt } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** A StatefulSet's rollout, batch by batch. */
export interface StatefulSetSimulation {
  readonly kind: 'statefulset';
  /** Pods that are wanted. */
  readonly replicas: number;
  /** Ordinals below it keep the old revision. */
  readonly partition: number;
  /** The number that the controller uses. */
  readonly maxUnavailable: number;
  /** Ordinals in the order in which their pods are replaced. */
  readonly order: readonly number[];
  /** Ordinals that are down together. */
  readonly batches: readonly (readonly number[])[];
  /** Ordinals that keep the old revision. */
  readonly untouched: readonly number[];
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Where it stands still because its pods find no room; absent where it ends. */
  readonly halted?: CapacityHalt;
  /** The pod that the controller waits for and that no change of the template makes ready; absent where the rollout ends. */
  readonly blocked?: {
    /** As in the pod's name. */
    readonly ordinal: number;
    /** Why it is not available. */
    readonly reason: 'unready';
  };
  /** Ordinals left out of the lists; absent when none is. */
  readonly elided?: number;
}

/** What is not reached keeps the old revision. Lists of which ordinals are left out stay as they are. */
function truncateAtDeadlock(simulation: StatefulSetSimulation, wave: number): StatefulSetSimulation {
  if (simulation.elided !== undefined) return { ...simulation, halted: createCapacityHalt(wave) };
  const batches = simulation.batches.slice(0, wave);
  const order = batches.flat();
  const left = simulation.order.slice(order.length);
  return { ...simulation, order, batches, untouched: [...simulation.untouched, ...left.toReversed()], halted: createCapacityHalt(wave) };
}

export const STATEFULSET_SIMULATION: SimulationKind<StatefulSetSimulation> = {
  keys: {
    kind: true,
    replicas: true,
    partition: true,
    maxUnavailable: true,
    order: true,
    batches: true,
    untouched: true,
    minAvailable: true,
    halted: true,
    blocked: true,
    elided: true,
  },
  truncateAtDeadlock,
};
