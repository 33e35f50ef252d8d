import type { Finding } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { wrongType } from '../core/rules/wrong-type';
import { systemRulesOf } from './rules';

/** Collects the errors that the system's own rules report about objects other than rollouts, such as a ConfigMap. */
function collectSystemErrors({ system }: PlannedRollout, findings: readonly Finding[]): Finding[] {
  const codes = new Set([wrongType.code, ...systemRulesOf(system).map(({ code }) => code)]);
  return findings.filter(({ severity, code }) => severity === 'error' && codes.has(code));
}

/**
 * Returns the findings that explain why a rollout has no strategy: its errors.
 * If it has no errors, these are its other findings and the errors in other objects that its system reads.
 * Returns nothing for a rollout that has a strategy.
 */
export function collectRejectionReasons(rollout: PlannedRollout, { findings }: Pick<PlanDocument, 'findings'>): readonly Finding[] {
  if (rollout.strategy !== null) return [];
  const errors = rollout.findings.filter(({ severity }) => severity === 'error');
  return errors.length > 0 ? errors : [...rollout.findings, ...collectSystemErrors(rollout, findings)];
}
