import { findMax, findMin } from '../values/min-max';
import { createCapacityHalt, selectRowsUntil } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** Event that ends a row of an Argo Rollout: its new pods become ready, seconds pass, a user promotes it, or an external check decides. */
export type ArgoRolloutWait = 'ready' | 'seconds' | 'promotion' | 'analysis' | 'experiment' | 'plugin';

/** One row of an Argo Rollout: the state once the controller has nothing left to do until its wait is over. */
export interface ArgoRolloutWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Completed steps of the canary; absent for a canary without steps and for a blue-green rollout. */
  readonly stepsDone?: number;
  /** Pods of the new version, ready or not. */
  readonly newPods: number;
  /** Pods of the old version. */
  readonly oldPods: number;
  /** Pods of both versions. */
  readonly total: number;
  /** Ready pods at that moment. */
  readonly available: number;
  /**
   * Part of `maxWeight` that a router sends to the new version; all or nothing for blue-green. Absent if requests are distributed over
   * pods.
   */
  readonly newWeight?: number;
  /** Event that ends the row; absent in the last row. */
  readonly until?: ArgoRolloutWait;
  /** Seconds that it waits; only with `until: seconds`. */
  readonly seconds?: number;
}

/** Abort of an Argo Rollout when all its new pods exist: at the row with most of them before it is promoted. */
export interface ArgoRolloutAbort {
  /** Row after which it is aborted, counted from 1. */
  readonly afterWave: number;
  /** Rows of the rollback, in order. */
  readonly waves: readonly ArgoRolloutWave[];
  /** Maximum number of pods at once during the rollback. */
  readonly peakPods: number;
  /** Fewest pods ready at once during the rollback. */
  readonly minAvailable: number;
}

/** An Argo Rollout, row by row. */
export interface ArgoRolloutSimulation {
  readonly kind: 'argorollout';
  /** Strategy, or `restart` if a new `restartAt` recreates pods of the same template, which count as the new ones. */
  readonly type: 'canary' | 'blueGreen' | 'restart';
  /** Desired pods. */
  readonly replicas: number;
  /** Pods beyond `replicas` that a canary without a router may have; 0 if limits have no effect. */
  readonly surge: number;
  /** Pods that may be missing from `replicas`; 0 if limits have no effect. */
  readonly unavailable: number;
  /** Total that `newWeight` is a part of; absent if requests are distributed over pods. */
  readonly maxWeight?: number;
  /** Rows in order, assuming that a user promotes the rollout when it waits for that, and that all checks pass. */
  readonly waves: readonly ArgoRolloutWave[];
  /** Maximum number of pods at once. */
  readonly peakPods: number;
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Seconds that it waits, without the waits for its pods and for external events. */
  readonly waitSeconds: number;
  /** Position at which it first waits for a user, or deadlocks; absent if it finishes by itself. */
  readonly halted?: {
    /** Row, counted from 1. */
    readonly wave: number;
    /** A user must promote it, the controller of the version never promotes it, or its pods do not fit. */
    readonly reason: 'promotion' | 'never-promoted' | CapacityHalt['reason'];
  };
  /** Old pods that remain permanently once it is done, since nothing scales them down. */
  readonly remainingOldPods?: number;
  /** Whether there is a new `restartAt` in addition to a new template; the rows do not include its evictions. Absent if there is none. */
  readonly alsoRestarts?: boolean;
  /** Pods of an unfinished version that are removed, without any step, because the stable version is applied again; absent if it is not. */
  readonly rolledBackPods?: number;
  /** Whether an unfinished version starts its steps again, because they changed; absent if it does not. */
  readonly restartsSteps?: boolean;
  /** Rollback after an abort; absent if there is nothing to abort. */
  readonly abort?: ArgoRolloutAbort;
  /** Rows omitted between the first 50 and the last 50; absent if there are none. */
  readonly elided?: number;
}

/** Truncates a simulation. It reaches neither the row after which it would be aborted nor the old pods that would remain. */
function truncateAtDeadlock(
  { elided: _elided, remainingOldPods: _leftOver, abort: _abort, ...simulation }: ArgoRolloutSimulation,
  wave: number,
): ArgoRolloutSimulation {
  const reached = selectRowsUntil(simulation.waves, wave);
  const { replicas } = simulation;
  const waits = reached.waves.filter((row) => row.wave < wave).map(({ seconds = 0 }) => seconds);
  const figures = {
    peakPods: findMax(
      reached.waves.map(({ total }) => total),
      replicas,
    ),
    minAvailable: findMin(
      reached.waves.map(({ available }) => available),
      replicas,
    ),
    waitSeconds: waits.reduce((total, seconds) => total + seconds, 0),
  };
  return { ...simulation, ...reached, ...(reached.elided === undefined && figures), halted: createCapacityHalt(wave) };
}

export const ARGO_ROLLOUT_SIMULATION: SimulationKind<ArgoRolloutSimulation> = {
  keys: {
    kind: true,
    type: true,
    replicas: true,
    surge: true,
    unavailable: true,
    maxWeight: true,
    waves: true,
    peakPods: true,
    minAvailable: true,
    waitSeconds: true,
    halted: true,
    remainingOldPods: true,
    alsoRestarts: true,
    rolledBackPods: true,
    restartsSteps: true,
    abort: true,
    elided: true,
  },
  truncateAtDeadlock,
};
