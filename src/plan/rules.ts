import { CLUSTER_RULES } from '../cluster/rules';
import { mergeRuleExtensions } from '../core/finding';
import type { AnyRule } from '../core/finding';
import type { SystemName } from '../core/rollout';
import { INPUT_RULES } from '../core/rules';
import { CRD_RULES } from '../crds/rules';
import { GUARDRAIL_RULES } from '../guardrails/rules';
import { SYSTEMS } from './registry';

/** Every rule of which a plan may hold findings: those of the input, of what surrounds pods, and of each system. */
export const RULES: readonly AnyRule[] = mergeRuleExtensions([
  ...INPUT_RULES,
  ...CRD_RULES,
  ...GUARDRAIL_RULES,
  ...CLUSTER_RULES,
  ...SYSTEMS.flatMap(({ rules }) => rules()),
]);

/** The codes of these rules. */
export const RULE_CODES: readonly string[] = RULES.map(({ code }) => code);

/** Each rule by its code. */
export const RULE_BY_CODE: ReadonlyMap<string, AnyRule> = new Map(RULES.map((rule) => [rule.code, rule]));

/** The rules that a system has of its own, beside what it says under the codes of others. */
export function systemRulesOf(name: SystemName): readonly AnyRule[] {
  return SYSTEMS.filter((system) => system.name === name).flatMap(({ rules }) => rules().filter(({ isExtension }) => !isExtension));
}
