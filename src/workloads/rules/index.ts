import type { AnyRule } from '../../core/finding';
import { fencepost } from './fencepost';
import { foreignOwner } from './foreign-owner';
import { hpaOwnsReplicas } from './hpa-owns-replicas';
import { invalidStrategyType } from './invalid-strategy-type';
import { invalidWorkload } from './invalid-workload';
import { noReadinessProbe } from './no-readiness-probe';
import { outage } from './outage';
import { policyKind } from './policy-kind';
import { startupAnnotation } from './startup-annotation';

/** Of rules only their names are kept, since what they hold has no name outside of their files. */
function keepRuleNames<Name extends string>(rules: Readonly<Record<Name, AnyRule>>): Readonly<Record<Name, AnyRule>> {
  return rules;
}

/** The rules that all kinds share, by what follows the slash of their code. */
const RULES = keepRuleNames({
  fencepost,
  'foreign-owner': foreignOwner,
  'hpa-owns-replicas': hpaOwnsReplicas,
  'no-readiness-probe': noReadinessProbe,
  outage,
});

/** The rules that several kinds of workloads share, and what they say under the codes of others. */
export const SHARED_RULES: readonly AnyRule[] = [
  ...Object.values(RULES),
  invalidStrategyType,
  invalidWorkload,
  policyKind,
  startupAnnotation,
];

/**
 * What is asked of everything that replaces pods, a kind of workload or a system's groups and clusters: each has a check for it, or says why it needs none.
 * Beside the shared rules that is how a surge finds room, which the rules of what surrounds pods hold, and the start-up annotation,
 * which is part of input/wrong-type.
 */
export type SharedCheck = keyof typeof RULES | 'surge-needs-headroom' | 'startup-annotation';
