import type { AnyRule } from '../../../core/finding';
import { invalidStatefulSet } from './invalid-strategy';
import { maxUnavailableDropped } from './statefulset-max-unavailable-dropped';
import { partitionHoldsAll } from './statefulset-partition-holds-all';

/** The rules about StatefulSets alone. */
export const STATEFUL_SET_RULES: readonly AnyRule[] = [maxUnavailableDropped, partitionHoldsAll, invalidStatefulSet];
