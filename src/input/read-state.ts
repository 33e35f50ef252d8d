import type { Manifest } from '../core/manifest/manifest';
import type { Finding } from '../core/findings/finding';
import type { SourceMap } from './source-map';
import type { BudgetTracker } from './read-budget';

export interface ReadState {
  readonly objects: Manifest[];
  readonly findings: Finding[];
  readonly locations: SourceMap;
  readonly spending: BudgetTracker;
  readonly isPlannedObject: (object: Manifest) => boolean;
  readonly trustsInput: boolean;
  /** Whether the time for reading is exceeded. Finding and placing further files takes time too, so none is looked at. */
  isStopped: boolean;
}
