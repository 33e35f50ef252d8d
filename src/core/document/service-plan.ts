import type { ResourceRef } from './rollout';

/** Ready endpoints of a Service: of the port that has fewest. */
export interface ReadyEndpoints {
  /** Number before anything changes. */
  readonly before: number;
  /** Fewest at any time. */
  readonly least: number;
  /** Number once nothing changes any more. */
  readonly after: number;
  /**
   * Fewest at any time that users need: without ports that the change adds, and without moments at which a router sends requests elsewhere. Absent if
   * it is `least`.
   */
  readonly leastInUse?: number;
}

/** Returns the fewest ready endpoints that users need at any time. */
export function getLeastInUse({ least, leastInUse = least }: ReadyEndpoints): number {
  return leastInUse;
}

/** Ready endpoints of a Service in a wave, before the new pods of the wave are ready. */
export interface ServiceWave {
  /**
   * Wave of the rollouts whose pods it selects, counted from 1. With `minReadySeconds`, a wave has a second row: its new pods are ready, but not
   * available yet.
   */
  readonly wave: number;
  /** Ready endpoints of the port that has fewest. */
  readonly ready: number;
  /** Share of the requests that reaches the new version, from 0 to 1; absent if no endpoint is ready, or if it is not known. */
  readonly newShare?: number;
  /**
   * What answers a connection while no endpoint is ready: pods that terminate and still serve, or nothing, so that it is refused. Absent if
   * endpoints are ready, for a headless Service, and for one that a rollout moves between versions.
   */
  readonly answers?: 'terminating-pods' | 'refused';
  /** Seconds for which the terminating pods certainly answer: their preStop hook. Absent if they may stop at once. */
  readonly answerSeconds?: number;
}

/** Part of a Service in a rollout whose controller restricts its selector to the pods of one version, or splits requests between several. */
export type ServiceRole = 'stable' | 'canary' | 'active' | 'preview';

/** A Service that selects pods of a planned rollout. */
export interface ServicePlan {
  /** Service that the numbers are of. */
  readonly resource: ResourceRef;
  /** Objects whose pods it selects, before or after. */
  readonly selects: readonly ResourceRef[];
  /** Its part in a rollout that moves it between versions or splits requests between several; absent if no controller does. */
  readonly role?: ServiceRole;
  /** Ready endpoints before, at the worst moment, and after. */
  readonly readyEndpoints: ReadyEndpoints;
  /** Ready endpoints of each wave; absent if no pod is replaced. */
  readonly waves?: readonly ServiceWave[];
  /** Routes that send requests to it; absent if there are none. */
  readonly usedBy?: readonly ResourceRef[];
  /** Objects that are not planned and whose pods it may select too; the numbers do not count them. Absent if there are none. */
  readonly mayAlsoSelect?: readonly ResourceRef[];
}
