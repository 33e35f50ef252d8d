import { findMax, findMin } from '../values/min-max';
import { createCapacityHalt, selectRowsUntil } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** One row of a LeaderWorkerSet's rollout: the state once its controllers have nothing left to do until a group becomes ready. */
export interface LeaderWorkerSetWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Groups of the new version, ready or not. */
  readonly newGroups: number;
  /** Groups of the old version. */
  readonly oldGroups: number;
  /** Groups of both versions. */
  readonly total: number;
  /** Completely ready groups at that moment, before the new ones of this wave are ready. */
  readonly available: number;
}

/** A deadlock of a rollout, because its controller stops. */
export interface LeaderWorkerSetHalt {
  /** Number of the last wave; 0 before anything moves. */
  readonly wave: number;
  /** Groups that never get the new version. */
  readonly groups: number;
  /** `no-step`: the controller requests no more groups; `refused`: the API server refuses what the controller writes. */
  readonly reason: 'no-step' | 'refused';
}

/** A LeaderWorkerSet's rollout, wave by wave, in groups: a leader and its workers are replaced together. */
export interface LeaderWorkerSetSimulation {
  readonly kind: 'leaderworkerset';
  /** Desired groups. */
  readonly replicas: number;
  /** Pods per group: the leader and its workers. */
  readonly size: number;
  /** Groups that may exist beyond the replicas, percentages rounded up, at most the replicas. */
  readonly surge: number;
  /** Groups that may be unavailable, percentages rounded down. */
  readonly unavailable: number;
  /** Groups below it keep the old version. */
  readonly partition: number;
  /** Groups that its StatefulSet may replace at once; 1 if the API server drops the field. */
  readonly leaderLimit: number;
  /** Waves in order; of a long list only the first and the last. */
  readonly waves: readonly LeaderWorkerSetWave[];
  /** Maximum number of groups at once. */
  readonly peakGroups: number;
  /** Maximum number of pods at once. */
  readonly peakPods: number;
  /** Fewest groups ready at once. */
  readonly minAvailable: number;
  /** Groups beyond the replicas that remain at the end because of a partition; absent if there are none. */
  readonly remainingSurge?: number;
  /** Deadlock; absent if the rollout finishes. */
  readonly halted?: LeaderWorkerSetHalt | CapacityHalt;
  /** Rows omitted between the first 50 and the last 50; absent if there are none. */
  readonly elided?: number;
}

function truncateAtDeadlock(
  { elided: _elided, remainingSurge: _surgeLeft, ...simulation }: LeaderWorkerSetSimulation,
  wave: number,
): LeaderWorkerSetSimulation {
  const reached = selectRowsUntil(simulation.waves, wave);
  const { replicas, size } = simulation;
  const peakGroups = findMax(
    reached.waves.map(({ total }) => total),
    replicas,
  );
  const available = reached.waves.map((row) => row.available);
  return {
    ...simulation,
    ...reached,
    ...(reached.elided === undefined && { peakGroups, peakPods: peakGroups * size, minAvailable: findMin(available, replicas) }),
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
