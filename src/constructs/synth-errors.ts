import type { IConstruct } from 'constructs';
import type { Finding } from '../core/finding';

/** A finding on one line: `[kubernetes/quoted-integer] spec.strategy.rollingUpdate.maxSurge: … Write 1 without quotes.` */
export function findingLine({ code, path, message, help }: Finding): string {
  return [`[${code}] ${path}: ${message}`, ...(help === undefined ? [] : [help])].join(' ');
}

/**
 * Lets synth fail with every error among the findings, before it writes anything; warnings are for the plan.
 *
 * cdk8s runs a validation once for every chart and once more, so the lines are made here and not in the validation.
 */
export function refuseErrors(construct: IConstruct, findings: readonly Finding[]): void {
  const lines = findings.filter((finding) => finding.severity === 'error').map(findingLine);
  if (lines.length > 0) construct.node.addValidation({ validate: () => lines });
}
