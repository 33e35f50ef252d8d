import { createCapacityHalt } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** A StatefulSet's rollout, batch by batch. */
export interface StatefulSetSimulation {
  readonly kind: 'statefulset';
  /** Desired pods. */
  readonly replicas: number;
  /** Partition: ordinals below it keep the old revision. */
  readonly partition: number;
  /** Number that the controller uses. */
  readonly maxUnavailable: number;
  /** Ordinals in the order in which their pods are replaced. */
  readonly order: readonly number[];
  /** Batches of ordinals that are unavailable together. */
  readonly batches: readonly (readonly number[])[];
  /** Ordinals that keep the old revision. */
  readonly untouched: readonly number[];
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Deadlock because its pods do not fit; absent if the rollout finishes. */
  readonly halted?: CapacityHalt;
  /** Pod that the controller waits for and that no change of the template makes ready; absent if the rollout finishes. */
  readonly blocked?: {
    /** Ordinal in the name of the pod. */
    readonly ordinal: number;
    /** Reason why it is not available. */
    readonly reason: 'unready';
  };
  /** Number of ordinals omitted from the lists; absent if there are none. */
  readonly elided?: number;
}

/** Truncates a simulation; ordinals that are not reached keep the old revision. Lists with omitted ordinals stay as they are. */
function truncateAtDeadlock(simulation: StatefulSetSimulation, wave: number): StatefulSetSimulation {
  if (simulation.elided !== undefined) return { ...simulation, halted: createCapacityHalt(wave) };
  const batches = simulation.batches.slice(0, wave);
  const order = batches.flat();
  const notReached = simulation.order.slice(order.length);
  return {
    ...simulation,
    order,
    batches,
    untouched: [...simulation.untouched, ...notReached.toReversed()],
    halted: createCapacityHalt(wave),
  };
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
