import type { Finding } from '../core/findings/finding';
import type { PlannedRollout, SystemName } from '../core/document/rollout';
import { wrongType } from '../core/rules/wrong-type';
import { systemRulesOf } from './rules';

function isError({ severity }: Finding): boolean {
  return severity === 'error';
}

/** The findings that explain why rollouts of a plan have no strategy. */
export class RejectionReasons {
  private readonly errorsBySystem = new Map<SystemName, readonly Finding[]>();

  /** @param findings - those of the plan that belong to no rollout */
  constructor(private readonly findings: readonly Finding[]) {}

  /**
   * Lists the findings that explain why a rollout has no strategy: its errors.
   * If it has no errors, these are its other findings, and in a list that all rollouts of a system share the errors in other objects that it reads.
   * Returns nothing for a rollout that has a strategy.
   */
  listsOf({ strategy, system, findings }: PlannedRollout): readonly (readonly Finding[])[] {
    if (strategy !== null) return [];
    const errors = findings.filter(isError);
    return errors.length > 0 ? [errors] : [findings, this.errorsOf(system)];
  }

  /** Returns the errors that the system's own rules report about objects other than rollouts, such as a ConfigMap. */
  private errorsOf(system: SystemName): readonly Finding[] {
    const known = this.errorsBySystem.get(system);
    if (known) return known;
    const codes = new Set([wrongType.code, ...systemRulesOf(system).map(({ code }) => code)]);
    const errors = this.findings.filter((finding) => isError(finding) && codes.has(finding.code));
    this.errorsBySystem.set(system, errors);
    return errors;
  }
}
