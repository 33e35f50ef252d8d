import type { IConstruct } from 'constructs';
import type { Finding } from '../core/finding';
import { errorLines } from '../props/refusals';

/**
 * Lets synth fail with every error among the findings, before it writes anything; warnings are for the plan.
 *
 * cdk8s runs a validation once for every chart and once more, so the lines are made here and not in the validation.
 */
export function refuseErrors(construct: IConstruct, findings: readonly Finding[]): void {
  const lines = errorLines(findings);
  if (lines.length > 0) construct.node.addValidation({ validate: () => lines });
}
