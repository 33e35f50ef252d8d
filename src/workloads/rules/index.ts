import type { AnyRule } from '../../core/findings/finding';
import { duplicateMergeKey } from './duplicate-merge-key';
import { fencepost } from './fencepost';
import { foreignOwner } from './foreign-owner';
import { hpaOwnsReplicas } from './hpa-owns-replicas';
import { invalidStrategyType } from './invalid-strategy-type';
import { invalidWorkload } from './invalid-workload';
import { outage } from './outage';
import { policyKind } from './policy-kind';

/** Keeps only the names of the rules in the type, since the types of their messages are not exported by their files. */
function keepRuleNames<Name extends string>(rules: Readonly<Record<Name, AnyRule>>): Readonly<Record<Name, AnyRule>> {
  return rules;
}

/** The rules that every kind must check or mark as not applicable, by the part of their code after the slash. */
const RULES = keepRuleNames({
  fencepost,
  'foreign-owner': foreignOwner,
  'hpa-owns-replicas': hpaOwnsReplicas,
  outage,
});

/** All rules of this folder: those that every kind must check, and those that only some kinds use. */
export const SHARED_RULES: readonly AnyRule[] = [
  ...Object.values(RULES),
  duplicateMergeKey,
  invalidStrategyType,
  invalidWorkload,
  policyKind,
];

/**
 * Names of the checks that must be in the table of every workload kind, and of every system that replaces groups of pods or complete
 * clusters. The table has a check for each name, or states why none is needed. One of the checks, `surge-needs-headroom`, is not defined here
 * but in `src/cluster/rules/`. Rules about pods and containers are in `src/cluster/pods/rules/`.
 */
export type SharedCheck = keyof typeof RULES | 'surge-needs-headroom';
