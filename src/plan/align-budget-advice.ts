import { pdbBrokenByRollout } from '../cluster/rules/pdb-broken-by-rollout';
import { formatFindingText } from '../core/findings/finding';
import type { Finding } from '../core/findings/finding';
import { outage } from '../workloads/rules/outage';
import { toSafeNumber, toSafeText } from '../core/text/value-text';

/** What a budget allows during a rollout of one workload. */
interface BudgetAllowance {
  readonly name: string;
  /** Pods that may be unavailable at once, from 1. */
  readonly allows: number;
}

/** Returns what the strictest of the broken budgets allows. Undefined if no budget is broken, or one of them allows no pod to be unavailable. */
function findStrictestAllowance(findings: readonly Finding[]): BudgetAllowance | undefined {
  const allowances = findings
    .filter((finding) => pdbBrokenByRollout.matches(finding, 'singleWorkload') && finding.data['perGroup'] === undefined)
    .map(({ data }) => ({ name: toSafeText(data['budget']), allows: toSafeNumber(data['pods']) - toSafeNumber(data['desiredHealthy']) }));
  const [first, ...others] = allowances.filter(({ allows }) => allows > 0);
  return first && others.reduce((strictest, one) => (one.allows < strictest.allows ? one : strictest), first);
}

/**
 * Lets the advice about an outage respect the budgets that the rollout also breaks, so that both findings name one number.
 * For 4 pods and minAvailable 3, the advice is maxUnavailable: 1 instead of 3.
 */
export function alignOutageWithBudgets(findings: readonly Finding[]): readonly Finding[] {
  const budget = findStrictestAllowance(findings);
  if (!budget) return findings;
  return findings.map((finding) => {
    const isAffected = outage.matches(finding, 'unavailable') && budget.allows < toSafeNumber(finding.data['replicas']) - 1;
    if (!isAffected) return finding;
    const data = { ...finding.data, budget };
    return { ...finding, data, ...formatFindingText(outage, finding.messageId, data) };
  });
}
