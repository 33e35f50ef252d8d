import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import type { SuggestedFix } from '../../../core/findings/suggested-fix';
import type { FieldPath } from '../../../core/manifest/field-path';

/** The strategy that KServe documents for all nodes of a multinode predictor, as text for a help. */
export const MULTINODE_STRATEGY_TEXT = 'type: RollingUpdate, maxSurge: 100% and maxUnavailable: 0%';

/** Suggests that strategy as an edit at a path. It needs capacity for a second set of nodes, so the user must decide. */
export function suggestMultinodeStrategy(path: FieldPath): SuggestedFix {
  return suggestManualFix(setField(path, { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } }));
}
