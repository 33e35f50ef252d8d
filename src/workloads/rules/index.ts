import type { AnyRule } from '../../core/finding';
import { fencepost } from './fencepost';
import { foreignOwner } from './foreign-owner';
import { hpaOwnsReplicas } from './hpa-owns-replicas';
import { noReadinessProbe } from './no-readiness-probe';
import { outage } from './outage';

/** By what follows the slash of its code. */
type SharedRule = 'fencepost' | 'foreign-owner' | 'hpa-owns-replicas' | 'no-readiness-probe' | 'outage';

const RULES: Readonly<Record<SharedRule, AnyRule>> = {
  fencepost,
  'foreign-owner': foreignOwner,
  'hpa-owns-replicas': hpaOwnsReplicas,
  'no-readiness-probe': noReadinessProbe,
  outage,
};

/** The rules that several kinds of workloads share. */
export const SHARED_RULES: readonly AnyRule[] = Object.values(RULES);

/**
 * What is asked of every kind of workload: each has a check for it, or says why it needs none.
 * Beside the shared rules that is how a surge finds room, which the rules of what surrounds pods hold, and the start-up annotation,
 * which is part of input/wrong-type.
 */
export type SharedCheck = SharedRule | 'surge-needs-headroom' | 'startup-annotation';
