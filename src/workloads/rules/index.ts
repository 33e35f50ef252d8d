import type { AnyRule } from '../../core/finding';
import { fencepost } from './fencepost';
import { foreignOwner } from './foreign-owner';
import { hpaOwnsReplicas } from './hpa-owns-replicas';
import { noReadinessProbe } from './no-readiness-probe';
import { outage } from './outage';

/**
 * What is asked of every kind of workload: each has a check for it, or says why it needs none.
 *
 * `startup-annotation` is part of input/wrong-type.
 */
export type SharedCheck =
  | 'surge-needs-headroom'
  | 'fencepost'
  | 'outage'
  | 'startup-annotation'
  | 'hpa-owns-replicas'
  | 'no-readiness-probe'
  | 'foreign-owner';

/** The rules that several kinds of workloads share. */
export const SHARED_RULES: readonly AnyRule[] = [fencepost, foreignOwner, hpaOwnsReplicas, noReadinessProbe, outage];
