import { findMax, findMin } from '../min-max';
import { createCapacityHalt, selectRowsUntil } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** A role of a DisaggregatedSet, such as prefill or decode. */
export interface DisaggregatedRole {
  /** As the set names it: `prefill`, `decode`. */
  readonly name: string;
  /** Groups that are wanted. */
  readonly replicas: number;
  /** Pods of a group. */
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
  /** Groups that are ready at that moment, before the new ones of this wave are. */
  readonly available: number;
}

/** One row of a DisaggregatedSet's rollout: a step of all roles together, which waits until every new group is ready. */
export interface DisaggregatedSetWave {
  /** Counted from 1. */
  readonly wave: number;
  /** In the order of the roles. */
  readonly roles: readonly DisaggregatedRoleWave[];
  /** How far the roles are apart: between the largest and the smallest part of the groups of a role that is new, in percent. */
  readonly skewPercent: number;
}

/** A DisaggregatedSet's rollout, wave by wave, all roles together. */
export interface DisaggregatedSetSimulation {
  readonly kind: 'disaggregatedset';
  /** In the order of the object. */
  readonly roles: readonly DisaggregatedRole[];
  /** Groups that are wanted of the role that has fewest. */
  readonly replicas: number;
  /** In order; of very many the first and the last. */
  readonly waves: readonly DisaggregatedSetWave[];
  /** Most pods at once, of all roles. */
  readonly peakPods: number;
  /** Fewest groups ready at once, of the role that has fewest. */
  readonly minAvailable: number;
  /** The largest skew of a wave, in percent. */
  readonly maxSkewPercent: number;
  /** Where it stands still for good; absent where it ends. */
  readonly halted?: {
    /** Number of the last wave; 0 before anything moves. */
    readonly wave: number;
    /** `no-step`: the limits leave no next step; `refused`: what the controller writes is refused; `no-room`: the groups of the wave find no room. */
    readonly reason: 'no-step' | 'refused' | CapacityHalt['reason'];
  };
  /** Rows left out between the first 50 and the last 50; absent when none is. */
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
