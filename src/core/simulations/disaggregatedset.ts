import { findMax, findMin } from '../values/min-max';
import { createCapacityHalt, selectRowsUntil } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** A role of a DisaggregatedSet, such as prefill or decode. */
export interface DisaggregatedRole {
  /** Name in the set: `prefill`, `decode`. */
  readonly name: string;
  /** Desired groups. */
  readonly replicas: number;
  /** Pods per group. */
  readonly size: number;
  /** Groups beyond the replicas, percentages rounded up. */
  readonly surge: number;
  /** Groups that may be unavailable, percentages rounded down. */
  readonly unavailable: number;
}

/** The groups of one role in a row. */
export interface DisaggregatedRoleWave {
  /** Groups of the new version, ready or not. */
  readonly newGroups: number;
  /** Groups of the old version. */
  readonly oldGroups: number;
  /** Ready groups at that moment, before the new ones of this wave are ready. */
  readonly available: number;
}

/** One row of a DisaggregatedSet's rollout: a step of all roles together, which waits until every new group is ready. */
export interface DisaggregatedSetWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Groups in the order of the roles. */
  readonly roles: readonly DisaggregatedRoleWave[];
  /** Difference between the roles, in percent: between the largest and the smallest part of a role's groups that is new. */
  readonly skewPercent: number;
}

/** A DisaggregatedSet's rollout, wave by wave, all roles together. */
export interface DisaggregatedSetSimulation {
  readonly kind: 'disaggregatedset';
  /** Roles in the order of the object. */
  readonly roles: readonly DisaggregatedRole[];
  /** Desired groups of the role that has fewest. */
  readonly replicas: number;
  /** Waves in order; of a long list only the first and the last. */
  readonly waves: readonly DisaggregatedSetWave[];
  /** Maximum number of pods at once, of all roles. */
  readonly peakPods: number;
  /** Fewest groups ready at once, of the role that has fewest. */
  readonly minAvailable: number;
  /** Largest skew of a wave, in percent. */
  readonly maxSkewPercent: number;
  /** Deadlock; absent if the rollout finishes. */
  readonly halted?: {
    /** Number of the last wave; 0 before anything moves. */
    readonly wave: number;
    /**
     * `no-step`: the limits allow no next step; `refused`: what the controller writes is refused; `insufficient-capacity`: the groups of
     * the wave do not fit.
     */
    readonly reason: 'no-step' | 'refused' | CapacityHalt['reason'];
  };
  /** Rows omitted between the first 50 and the last 50; absent if there are none. */
  readonly elided?: number;
}

function countPods(roles: readonly DisaggregatedRole[], row: DisaggregatedSetWave): number {
  return row.roles.reduce((pods, { newGroups, oldGroups }, index) => pods + (newGroups + oldGroups) * roles[index]!.size, 0);
}

function truncateAtDeadlock({ elided: _elided, ...simulation }: DisaggregatedSetSimulation, wave: number): DisaggregatedSetSimulation {
  const reached = selectRowsUntil(simulation.waves, wave);
  const { roles, replicas } = simulation;
  const before = roles.reduce((pods, role) => pods + role.replicas * role.size, 0);
  const figures = {
    peakPods: findMax(
      reached.waves.map((row) => countPods(roles, row)),
      before,
    ),
    minAvailable: findMin(
      reached.waves.flatMap((row) => row.roles.map(({ available }) => available)),
      replicas,
    ),
    maxSkewPercent: findMax(
      reached.waves.map(({ skewPercent }) => skewPercent),
      0,
    ),
  };
  return { ...simulation, ...reached, ...(reached.elided === undefined && figures), halted: createCapacityHalt(wave) };
}

export const DISAGGREGATEDSET_SIMULATION: SimulationKind<DisaggregatedSetSimulation> = {
  keys: {
    kind: true,
    roles: true,
    replicas: true,
    waves: true,
    peakPods: true,
    minAvailable: true,
    maxSkewPercent: true,
    halted: true,
    elided: true,
  },
  truncateAtDeadlock,
};
