import type { VersionPods } from '../../cluster/initial-state';

/** Pods of one version. */
export type PodGroup = VersionPods;

/** Shares of the requests as the status has them. */
export interface Weights {
  readonly canary: number;
  readonly stable: number;
}

/** All that one turn of the controller goes by and may change. Source: Argo Rollouts v1.9.1, `RolloutStatus` and the ReplicaSets. */
export interface RolloutState {
  readonly next: PodGroup;
  readonly old: PodGroup;
  /** Pods of versions that are neither: of a rollout that was overtaken. */
  readonly older: PodGroup;
  /** `status.currentStepIndex` */
  readonly step: number;
  /** Is the new version the stable one? */
  readonly isPromoted: boolean;
  /** `status.canary.weights`; undefined without a router. */
  readonly weights?: Weights;
  /** Is there a condition of a pause? */
  readonly isPaused: boolean;
  /** `status.controllerPause`: with no condition beside it somebody has promoted. */
  readonly wasPaused: boolean;
  /** Has a wait, by the clock or for a gate, come to its end? Until it is used up by what waited. */
  readonly isWaitOver: boolean;
  readonly isAborted: boolean;
  /** Have the old pods, or after an abort the new ones, a time at which they go? */
  readonly deadline: 'none' | 'set' | 'over';
  /** `status.blueGreen.scaleUpPreviewCheckPoint` */
  readonly checkPoint: boolean;
  /** Does the active Service of a blue-green rollout select the new pods? */
  readonly isActive: boolean;
  /** Analyses of a blue-green rollout that have passed: none, the one before, both. */
  readonly analyses: 0 | 1 | 2;
}

export const NO_PODS: PodGroup = { size: 0, ready: 0 };

export function createSteadyState(replicas: number, weights: Weights | undefined): RolloutState {
  return {
    next: NO_PODS,
    old: { size: replicas, ready: replicas },
    older: NO_PODS,
    step: 0,
    isPromoted: false,
    ...(weights && { weights }),
    isPaused: false,
    wasPaused: false,
    isWaitOver: false,
    isAborted: false,
    deadline: 'none',
    checkPoint: false,
    isActive: false,
    analyses: 0,
  };
}

/** All pods of two versions. */
export function mergePodGroups(a: PodGroup, b: PodGroup): PodGroup {
  return { size: a.size + b.size, ready: a.ready + b.ready };
}

/** A group of another size: of fewer pods those that are not ready go first. */
export function setPodGroupSize({ ready }: PodGroup, size: number): PodGroup {
  return { size, ready: Math.min(ready, size) };
}

export function isSameRolloutState(a: RolloutState, b: RolloutState): boolean {
  return (Object.keys(a) as (keyof RolloutState)[]).every((key) => {
    const [left, right] = [a[key], b[key]];
    return left === right || JSON.stringify(left) === JSON.stringify(right);
  });
}
