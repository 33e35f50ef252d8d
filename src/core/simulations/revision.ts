import type { SimulationKind } from './simulation-kind';

/** One row of a Revision's rollout: the state once Knative has nothing left to do until a pod becomes ready or a wait is over. */
export interface RevisionWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Pods of the new Revision, ready or not. */
  readonly newPods: number;
  /** Pods of the old Revision. */
  readonly oldPods: number;
  /** Pods of both Revisions. */
  readonly total: number;
  /** Ready pods at that moment, before the new ones of this wave are ready. */
  readonly available: number;
  /** Percentage of the requests that the new Revision receives. */
  readonly latestTrafficPercent: number;
}

/** A rollout of a Knative service: a new Revision next to the old one. */
export interface RevisionSimulation {
  readonly kind: 'revision';
  /** Pods that run before the rollout. */
  readonly replicas: number;
  /** Maximum number of pods at once. */
  readonly peakPods: number;
  /** Fewest pods ready at once. */
  readonly minAvailable: number;
  /** Percentage of the requests that the new Revision receives at the end; below 100 both Revisions stay. */
  readonly latestTrafficPercent: number;
  /** Waves in order. */
  readonly waves: readonly RevisionWave[];
  /** Deadlock; absent if the rollout finishes. */
  readonly halted?: {
    /** Wave whose new pods do not fit. */
    readonly wave: number;
    /** Reason for the deadlock. */
    readonly reason: 'insufficient-capacity';
    /** Seconds after which Knative gives up; absent if some of the new pods run, for which it waits forever. */
    readonly afterSeconds?: number;
  };
  /** Rows omitted between the first 50 and the last 50; absent if there are none. */
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
  // Its halt also contains the time after which Knative gives up, which only its own simulation knows.
  truncateAtDeadlock: (simulation) => simulation,
};
