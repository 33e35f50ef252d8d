import { suggestManualFix, setField } from '../../../core/suggested-fix';
import type { SuggestedFix } from '../../../core/suggested-fix';
import type { FieldPath } from '../../../core/field-path';

/** The strategy that KServe documents for all nodes of a multinode predictor, as an advice names it. */
export const MULTINODE_STRATEGY_TEXT = 'type: RollingUpdate, maxSurge: 100% and maxUnavailable: 0%';

/** The same as an edit of the strategy at a path. It needs room for a second set of nodes, so somebody has to choose. */
export function suggestMultinodeStrategy(path: FieldPath): SuggestedFix {
  return suggestManualFix(setField(path, { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } }));
}
