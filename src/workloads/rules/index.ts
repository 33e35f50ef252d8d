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

/** Keeps only the names of the rules in the type, since the types of their messages are not exported by their files. */
function keepRuleNames<Name extends string>(rules: Readonly<Record<Name, AnyRule>>): Readonly<Record<Name, AnyRule>> {
  return rules;
}

/** The rules that all kinds share, by the part of their code after the slash. */
const RULES = keepRuleNames({
  fencepost,
  'foreign-owner': foreignOwner,
  'hpa-owns-replicas': hpaOwnsReplicas,
  'no-readiness-probe': noReadinessProbe,
  outage,
});

/** The rules that several kinds of workloads share, including messages that extend rules defined elsewhere. */
export const SHARED_RULES: readonly AnyRule[] = [
  ...Object.values(RULES),
  invalidStrategyType,
  invalidWorkload,
  policyKind,
  startupAnnotation,
];

/**
 * The checks that everything that replaces pods must implement: workload kinds, and the groups and clusters of other systems.
 * Each has a check, or states why it needs none. In addition to the shared rules these are `surge-needs-headroom`,
 * which is one of the cluster rules, and the start-up annotation, which is part of input/wrong-type.
 */
export type SharedCheck = keyof typeof RULES | 'surge-needs-headroom' | 'startup-annotation';
