import { getValueAtVersion } from '../../core/versions';

/** By which of its steps, and of those before it, a step of a RollingSync opens. */
export interface RollingSyncBehaviour {
  /**
   * Does a step open once all before it are Healthy? Up to 3.2 it opens once the one right before it that selects anything is.
   *
   * Up to 3.2 the controller also overwrites what it has said of an Application with what it says of it in a later step, so that one
   * which two steps select waits for the later step, and that step for the Application: it never syncs.
   */
  readonly opensInOrder: boolean;
}

/**
 * Source: Argo CD 2.14.21 to 3.2.6 applicationset/controllers/applicationset_controller.go, `buildAppSyncMap`, of 3.2.6 run;
 * 3.3.7 `getAppsToSync`, read; 3.5.1 applicationset/progressivesync/progressive_sync.go, run.
 */
const BEHAVIOURS: readonly (readonly [since: string, RollingSyncBehaviour])[] = [
  ['0', { opensInOrder: false }],
  ['3.3', { opensInOrder: true }],
];

/** What a version of Argo CD does. */
export function rollingSyncBehaviourOf(version: string): RollingSyncBehaviour {
  return getValueAtVersion(BEHAVIOURS, version);
}
