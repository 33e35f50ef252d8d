import { getValueAtVersion } from '../../core/values/versions';

/** When a step of a RollingSync opens. */
export interface RollingSyncBehaviour {
  /**
   * Whether a step opens once all earlier steps are Healthy. Up to 3.2 it opens once the nearest earlier step that selects anything is
   * Healthy.
   *
   * Up to 3.2 the controller also overwrites the status of an Application with its status in a later step. An Application that two steps
   * select then waits for the later step, and that step waits for the Application: it never syncs.
   */
  readonly opensInOrder: boolean;
}

/**
 * Source: Argo CD 2.14.21 to 3.2.6 applicationset/controllers/applicationset_controller.go, `buildAppSyncMap` (3.2.6 was run); 3.3.7
 * `getAppsToSync` (read); 3.5.1 applicationset/progressivesync/progressive_sync.go (run). 3.6.1 (read) refreshes all Applications before a
 * step opens, and reports steps that select nothing; the steps open in the same order.
 */
const BEHAVIOURS: readonly (readonly [since: string, RollingSyncBehaviour])[] = [
  ['0', { opensInOrder: false }],
  ['3.3', { opensInOrder: true }],
];

/** Returns the behaviour of a version of Argo CD. */
export function rollingSyncBehaviourOf(version: string): RollingSyncBehaviour {
  return getValueAtVersion(BEHAVIOURS, version);
}
