import { byChoice, set } from '../../../core/advice';
import type { Advice } from '../../../core/advice';
import type { FieldPath } from '../../../core/field-path';

/** The strategy that KServe documents for all nodes of a multinode predictor, as an advice names it. */
export const BOTH_FOR_MULTINODE = 'type: RollingUpdate, maxSurge: 100% and maxUnavailable: 0%';

/** The same as an edit of the strategy at a path. It needs room for a second set of nodes, so somebody has to choose. */
export function bothForMultinode(path: FieldPath): Advice {
  return byChoice(set(path, { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } }));
}
