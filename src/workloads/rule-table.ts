import type { ExhaustiveFindings } from '../cluster/rollout/exhaustive-findings';
import type { Finding } from '../core/findings/finding';
import type { RuleContext } from './rule-context';
import type { SharedCheck } from './rules';
import type { EffectiveStrategy } from './effective-strategy';

/** The reason why a rule does not apply to a kind. */
export interface NotApplicable {
  readonly reason: string;
}

/** Marks a rule as not applicable to a kind. The reason documents the table. */
export function createNotApplicable(reason: string): NotApplicable {
  return { reason };
}

/**
 * A check for each shared rule and for each rule of its own, by code, or the reason why there is none. A missing rule does not compile.
 *
 * The checks of a workload read a {@link RuleContext}. A system whose pods are in groups or clusters passes a context of its own.
 */
export type RuleTable<R, Own extends string = never> = Readonly<Record<SharedCheck | Own, ((ruleContext: R) => Finding[]) | NotApplicable>>;

/** The checks of pods that are replaced one by one. */
export type PodRuleTable<S extends EffectiveStrategy, Own extends string = never> = RuleTable<RuleContext<S>, Own>;

/** Checks of what is wrong although no pod is replaced. */
const STEADY_CHECKS: ReadonlySet<string> = new Set<SharedCheck>(['foreign-owner', 'hpa-owns-replicas']);

/**
 * Runs the checks of a table and returns their findings in the order of the table.
 *
 * @param replacesPods - whether pods are replaced. If not, the checks of how they are replaced are about the next rollout
 */
export function runChecks<R>(table: RuleTable<R>, ruleContext: R, replacesPods = true): ExhaustiveFindings {
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(table))
    if (typeof check === 'function' && (replacesPods || STEADY_CHECKS.has(name)))
      for (const finding of check(ruleContext)) findings.push(finding);
  // Only this function may cast to ExhaustiveFindings: the type of the table guarantees that every rule is checked.
  return findings as readonly Finding[] as ExhaustiveFindings;
}
