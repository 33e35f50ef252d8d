import type { IConstruct } from 'constructs';
import type { Finding } from '../core/finding';
import { errorLines } from '../props/refusals';
import { callSite } from './call-site';

/** Lines of errors with the line of the user's code that made what they are about. */
export function placedLines(lines: readonly string[], trace?: Error): string[] {
  if (lines.length === 0) return [];
  const place = callSite(trace);
  return place === undefined ? [...lines] : lines.map((line) => `${line} (made at ${place})`);
}

/**
 * Lets synth fail with these lines, before it writes anything.
 *
 * cdk8s runs a validation once for every chart and once more, so the lines are made here and not in the validation.
 * It puts the path of the construct before each; what is wrong is named by its prop, and behind it stands the line of the user's code.
 */
export function refuse(construct: IConstruct, errors: readonly string[]): void {
  const lines = placedLines(errors);
  if (lines.length > 0) construct.node.addValidation({ validate: () => lines });
}

/** Lets synth fail with every error among the findings; warnings are for the plan. */
export function refuseErrors(construct: IConstruct, findings: readonly Finding[]): void {
  refuse(construct, errorLines(findings));
}
