import { POD_RULES } from '../cluster/pods/rules';
import { CLUSTER_RULES } from '../cluster/rules';
import { SERVICE_RULES } from '../cluster/services/rules';
import { isCodeOfChange } from '../core/findings/code-of-change';
import { mergeRuleExtensions } from '../core/findings/finding';
import type { AnyRule } from '../core/findings/finding';
import type { SystemName } from '../core/document/rollout';
import { INPUT_RULES } from '../core/rules';
import { CRD_RULES } from '../crds/rules';
import { GUARDRAIL_RULES } from '../guardrails/rules';
import { SYSTEMS } from './registry';

/** All rules of a plan: about the input, about the cluster, and of each system. */
export const RULES: readonly AnyRule[] = mergeRuleExtensions([
  ...INPUT_RULES,
  ...CRD_RULES,
  ...GUARDRAIL_RULES,
  ...CLUSTER_RULES,
  ...SERVICE_RULES,
  ...POD_RULES.map(({ rule }) => rule),
  ...SYSTEMS.flatMap(({ rules }) => rules()),
]);

/** Codes of these rules. */
export const RULE_CODES: readonly string[] = RULES.map(({ code }) => code);

/** Codes that an annotation may name. Some rules about Services are about a change. */
export const SUPPRESSIBLE_CODES: readonly string[] = RULE_CODES.filter((code) => !isCodeOfChange(code));

/** Rules by code. */
export const RULE_BY_CODE: ReadonlyMap<string, AnyRule> = new Map(RULES.map((rule) => [rule.code, rule]));

/** Returns the own rules of a system, without its extensions of other rules. */
export function systemRulesOf(name: SystemName): readonly AnyRule[] {
  return SYSTEMS.filter((system) => system.name === name).flatMap(({ rules }) => rules().filter(({ isExtension }) => !isExtension));
}
