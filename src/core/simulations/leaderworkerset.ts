import { findMax, findMin } from '../min-max';
import { createCapacityHalt, selectRowsUntil } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** One row of a LeaderWorkerSet's rollout: what stands once its controllers have nothing left to do until a group becomes ready. */
export interface LeaderWorkerSetWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Groups of the new version, ready or not. */
  readonly newGroups: number;
  /** Groups of the old version. */
  readonly oldGroups: number;
  /** Groups of both versions. */
  readonly total: number;
  /** Groups that are ready as a whole at that moment, before the new ones of this wave are. */
  readonly available: number;
}

/** A rollout stands still for good, because its controller goes no further. */
export interface LeaderWorkerSetHalt {
  /** Number of the last wave; 0 before anything moves. */
  readonly wave: number;
  /** Groups that never get the new version. */
  readonly groups: number;
  /** `no-step`: the controller asks for no group more; `refused`: the API server refuses what the controller writes. */
  readonly reason: 'no-step' | 'refused';
}

/** A LeaderWorkerSet's rollout, wave by wave, in groups: a leader and its workers are replaced together. */
export interface LeaderWorkerSetSimulation {
  readonly kind: 'leaderworkerset';
  /** Groups that are wanted. */
  readonly replicas: number;
  /** Pods of a group: the leader and its workers. */
  readonly size: number;
  /** Groups that may be there beyond the replicas, percentages rounded up, no more than the replicas. */
  readonly surge: number;
  /** Groups that may be unavailable, percentages rounded down. */
  readonly unavailable: number;
  /** Groups below it keep the old version. */
  readonly partition: number;
  /** Groups that its StatefulSet lets go at once; 1 where the API server drops the field. */
  readonly leaderLimit: number;
  /** In order; of very many the first and the last. */
  readonly waves: readonly LeaderWorkerSetWave[];
  /** Most groups at once. */
  readonly peakGroups: number;
  /** Most pods at once. */
  readonly peakPods: number;
  /** Fewest groups ready at once. */
  readonly minAvailable: number;
  /** Groups beyond the replicas that stay in the end, as a partition makes them; absent where there are none. */
  readonly remainingSurge?: number;
  /** Where it stands still for good; absent where it ends. */
  readonly halted?: LeaderWorkerSetHalt | CapacityHalt;
  /** Rows left out between the first 50 and the last 50; absent when none is. */
  readonly elided?: number;
}

function truncateAtDeadlock(
  { elided: _elided, remainingSurge: _surgeLeft, ...simulation }: LeaderWorkerSetSimulation,
  wave: number,
): LeaderWorkerSetSimulation {
  const until = selectRowsUntil(simulation.waves, wave);
  const { replicas, size } = simulation;
  const peakGroups = findMax(
    until.waves.map(({ total }) => total),
    replicas,
  );
  const available = until.waves.map((row) => row.available);
  return {
    ...simulation,
    ...until,
    ...(until.elided === undefined && { peakGroups, peakPods: peakGroups * size, minAvailable: findMin(available, replicas) }),
    halted: createCapacityHalt(wave),
  };
}

export const LEADERWORKERSET_SIMULATION: SimulationKind<LeaderWorkerSetSimulation> = {
  keys: {
    kind: true,
    replicas: true,
    size: true,
    surge: true,
    unavailable: true,
    partition: true,
    leaderLimit: true,
    waves: true,
    peakGroups: true,
    peakPods: true,
    minAvailable: true,
    remainingSurge: true,
    halted: true,
    elided: true,
  },
  truncateAtDeadlock,
};
