import { findMax, findMin } from '../min-max';
import { createCapacityHalt, selectRowsUntil } from './halt';
import type { CapacityHalt } from './halt';
import type { SimulationKind } from './simulation-kind';

/** What ends a row of an Argo Rollout: its new pods get ready, seconds pass, somebody promotes, or something outside of it says so. */
export type ArgoRolloutWait = 'ready' | 'seconds' | 'promotion' | 'analysis' | 'experiment' | 'plugin';

/** One row of an Argo Rollout: what stands once the controller has nothing left to do until its wait is over. */
export interface ArgoRolloutWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Steps of the canary that are done; absent where it has none, and of a blue-green rollout. */
  readonly stepsDone?: number;
  /** Pods of the new version, ready or not. */
  readonly newPods: number;
  /** Pods of the old version. */
  readonly oldPods: number;
  /** Pods of both versions. */
  readonly total: number;
  /** Pods ready at that moment. */
  readonly available: number;
  /** Of `maxWeight`, what a router sends to the new version; blue-green all or nothing. Absent where pods share the requests. */
  readonly newWeight?: number;
  /** Absent in the last row. */
  readonly until?: ArgoRolloutWait;
  /** How long it waits; of `until: seconds` alone. */
  readonly seconds?: number;
}

/** What becomes of an Argo Rollout that is aborted when its new pods are all there: at the row with most of them before it is promoted. */
export interface ArgoRolloutAbort {
  /** The row, counted from 1, after which it is aborted. */
  readonly afterWave: number;
  /** The rows of the way back, in order. */
  readonly waves: readonly ArgoRolloutWave[];
  /** Most pods at once on the way back. */
  readonly peakPods: number;
  /** Fewest pods ready at once on the way back. */
  readonly minAvailable: number;
}

/** An Argo Rollout, row by row. */
export interface ArgoRolloutSimulation {
  readonly kind: 'argorollout';
  /** Its strategy, or `restart` where a new `restartAt` has pods of the same template made, which are the new ones. */
  readonly type: 'canary' | 'blueGreen' | 'restart';
  /** Pods that it should have. */
  readonly replicas: number;
  /** Pods beyond `replicas` that a canary without a router may have; 0 where limits play no part. */
  readonly surge: number;
  /** Pods that may be missing of `replicas`; 0 where limits play no part. */
  readonly unavailable: number;
  /** What `newWeight` is a share of; absent where pods share the requests. */
  readonly maxWeight?: number;
  /** In order; somebody promotes where that is waited for, and gates pass. */
  readonly waves: readonly ArgoRolloutWave[];
  /** Most pods at once. */
  readonly peakPods: number;
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Seconds that it waits besides for its pods and for what is outside of it. */
  readonly waitSeconds: number;
  /** Where it first stands still until somebody acts, or for good; absent where it ends by itself. */
  readonly halted?: {
    /** The row, counted from 1. */
    readonly wave: number;
    /** Somebody has to promote it, the controller of the version never promotes it, or its pods find no room. */
    readonly reason: 'promotion' | 'never-promoted' | CapacityHalt['reason'];
  };
  /** Old pods that stay for good once it is done, since nothing scales them down. */
  readonly remainingOldPods?: number;
  /** Is there a new `restartAt` beside a new template, whose evictions are in no row? Absent where there is none. */
  readonly alsoRestarts?: boolean;
  /** Pods of a version on its way that are taken back, without any step, since the stable one is applied again; absent where it is not. */
  readonly rolledBackPods?: number;
  /** Does a version on its way begin its steps from the first again, since they are others? Absent where it does not. */
  readonly restartsSteps?: boolean;
  /** The way back; absent where there is nothing to abort. */
  readonly abort?: ArgoRolloutAbort;
  /** Rows left out between the first 50 and the last 50; absent when none is. */
  readonly elided?: number;
}

/** It never gets as far as the row after which it would be aborted, nor to old pods that stay behind. */
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
