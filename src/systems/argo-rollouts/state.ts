import type { VersionPods } from '../../cluster/rollout/initial-state';

/** Pods of one version. */
export type PodGroup = VersionPods;

/** The traffic weights in the status. */
export interface Weights {
  readonly canary: number;
  readonly stable: number;
}

/** The state that one reconcile reads and may change. Source: Argo Rollouts v1.9.1, `RolloutStatus` and the ReplicaSets. */
export interface RolloutState {
  readonly next: PodGroup;
  readonly old: PodGroup;
  /** Pods of other versions: of a rollout that was superseded. */
  readonly older: PodGroup;
  /** `status.currentStepIndex` */
  readonly step: number;
  /** Whether the new version is the stable one. */
  readonly isPromoted: boolean;
  /** `status.canary.weights`; undefined without a router. */
  readonly weights?: Weights;
  /** Whether the status has a pause condition. */
  readonly isPaused: boolean;
  /** `status.controllerPause`. Without a pause condition, it means that a user has promoted the rollout. */
  readonly wasPaused: boolean;
  /** Whether a timed wait or a gate is over. Reset once the waiting step has used it. */
  readonly isWaitOver: boolean;
  readonly isAborted: boolean;
  /** Whether the old pods, or after an abort the new ones, have a scale-down deadline. */
  readonly deadline: 'none' | 'set' | 'over';
  /** `status.blueGreen.scaleUpPreviewCheckPoint` */
  readonly checkPoint: boolean;
  /** Whether the active Service of a blue-green rollout selects the new pods. */
  readonly isActive: boolean;
  /** The number of passed analyses of a blue-green rollout: none, the pre-promotion one, or both. */
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

/** Adds the pods of two versions. */
export function mergePodGroups(a: PodGroup, b: PodGroup): PodGroup {
  return { size: a.size + b.size, ready: a.ready + b.ready };
}

/** Resizes a group. When it shrinks, pods that are not ready are deleted first. */
export function setPodGroupSize({ ready }: PodGroup, size: number): PodGroup {
  return { size, ready: Math.min(ready, size) };
}

export function isSameRolloutState(a: RolloutState, b: RolloutState): boolean {
  return (Object.keys(a) as (keyof RolloutState)[]).every((key) => {
    const [left, right] = [a[key], b[key]];
    return left === right || JSON.stringify(left) === JSON.stringify(right);
  });
}
