import type { AnyRule } from '../../../core/findings/finding';
import { statefulSetInvalidStrategy } from './invalid-strategy';
import { statefulSetMaxUnavailableDropped } from './statefulset-max-unavailable-dropped';
import { statefulSetPartitionHoldsAll } from './statefulset-partition-holds-all';

/** The rules that apply only to StatefulSets. */
export const STATEFUL_SET_RULES: readonly AnyRule[] = [
  statefulSetMaxUnavailableDropped,
  statefulSetPartitionHoldsAll,
  statefulSetInvalidStrategy,
];
