import type { AnyRule } from '../../core/finding';
import { invalidStrategy } from './invalid-strategy';
import { quotedInteger } from './quoted-integer';

/** The rules about workloads among the other objects of a cluster, and about what the API server refuses. */
export const CLUSTER_RULES: readonly AnyRule[] = [invalidStrategy, quotedInteger];
