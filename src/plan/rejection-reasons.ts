import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { wrongType } from '../core/rules/wrong-type';
import { systemRulesOf } from './rules';

/** Errors about no rollout that its system's own rules found in what it reads beside the rollouts, such as a ConfigMap. */
function collectSystemErrors({ system }: PlannedRollout, findings: readonly Finding[]): Finding[] {
  const codes = new Set([wrongType.code, ...systemRulesOf(system).map(({ code }) => code)]);
  return findings.filter(({ severity, code }) => severity === 'error' && codes.has(code));
}

/**
 * Why a rollout of a plan has no strategy: its own errors. Where it has none, what else is said of it,
 * and the errors in what its system reads beside it. Nothing for a rollout that has a strategy.
 */
export function collectRejectionReasons(rollout: PlannedRollout, { findings }: Pick<PlanDocument, 'findings'>): readonly Finding[] {
  if (rollout.strategy !== null) return [];
  const errors = rollout.findings.filter(({ severity }) => severity === 'error');
  return errors.length > 0 ? errors : [...rollout.findings, ...collectSystemErrors(rollout, findings)];
}
