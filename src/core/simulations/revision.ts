import type { SimulationKind } from './simulation-kind';

/** One row of a Revision's rollout: what stands once Knative has nothing left to do until a pod becomes ready or a wait is over. */
export interface RevisionWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Pods of the new Revision, ready or not. */
  readonly newPods: number;
  /** Pods of the old Revision. */
  readonly oldPods: number;
  /** Pods of both Revisions. */
  readonly total: number;
  /** Pods ready at that moment, before the new ones of this wave are. */
  readonly available: number;
  /** Percent of the requests that the new Revision gets. */
  readonly latestTrafficPercent: number;
}

/** The rollout of a service in Knative: a new Revision beside the old one. */
export interface RevisionSimulation {
  readonly kind: 'revision';
  /** Pods that run before. */
  readonly replicas: number;
  /** Most pods at once. */
  readonly peakPods: number;
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Percent of the requests that the new Revision gets in the end; below 100 both Revisions stay. */
  readonly latestTrafficPercent: number;
  /** In order. */
  readonly waves: readonly RevisionWave[];
  /** Where the rollout stands still for good; absent where it ends. */
  readonly halted?: {
    /** The wave whose new pods find no room. */
    readonly wave: number;
    /** What holds it up. */
    readonly reason: 'insufficient-capacity';
    /** Seconds after which Knative gives up; absent where some of the new pods run, which it waits for without end. */
    readonly afterSeconds?: number;
  };
  /** Rows left out between the first 50 and the last 50; absent when none is. */
  readonly elided?: number;
}

export const REVISION_SIMULATION: SimulationKind<RevisionSimulation> = {
  keys: {
    kind: true,
    replicas: true,
    peakPods: true,
    minAvailable: true,
    latestTrafficPercent: true,
    waves: true,
    halted: true,
    elided: true,
  },
  // Its halt also says when Knative gives up, which its kind knows.
  truncateAtDeadlock: (simulation) => simulation,
};
