import type { ExhaustiveFindings } from '../cluster/exhaustive-findings';
import type { Finding } from '../core/finding';
import type { RuleContext } from './rule-context';
import type { SharedCheck } from './rules';
import type { EffectiveStrategy } from './effective-strategy';

/** A rule that does not hold for a kind, and why. */
export interface NotApplicable {
  readonly reason: string;
}

/** Says that a rule does not hold for a kind. `because` is for those who read the table. */
export function createNotApplicable(reason: string): NotApplicable {
  return { reason };
}

/**
 * A check for each rule that all pods share, and for those of its own, by code, or why there is none: what passes one over does not compile.
 *
 * Of a workload it takes a {@link Review}; a system whose pods are groups or clusters gives it what it knows of them.
 */
export type RuleTable<R, Own extends string = never> = Readonly<Record<SharedCheck | Own, ((ruleContext: R) => Finding[]) | NotApplicable>>;

/** The checks of pods that are replaced one by one. */
export type PodRuleTable<S extends EffectiveStrategy, Own extends string = never> = RuleTable<RuleContext<S>, Own>;

/** What the rules of a table say, in its order. */
export function runChecks<R>(table: RuleTable<R>, ruleContext: R): ExhaustiveFindings {
  const findings: Finding[] = [];
  for (const check of Object.values(table))
    if (typeof check === 'function') for (const finding of check(ruleContext)) findings.push(finding);
  // No other place may say this of findings: the type of the table is what it stands for.
  return findings as readonly Finding[] as ExhaustiveFindings;
}
