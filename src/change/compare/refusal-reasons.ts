import { checkTime } from '../../core/budget/deadline';
import type { ApplyRejection } from '../../core/document/change';
import type { Finding } from '../../core/findings/finding';
import { unknownField } from '../../core/rules/unknown-field';
import { isUnknownFieldRefusal } from '../apiserver/decoding-errors';
import { toServerPath } from '../apiserver/server-path';

/** Reports whether a finding of a plan is about the value that is refused. */
function explainsRefusal(finding: Finding, refusal: ApplyRejection, isNew: boolean): boolean {
  checkTime();
  const { path } = refusal;
  if (unknownField.matches(finding)) return isUnknownFieldRefusal(refusal);
  if (finding.severity !== 'error') return false;
  // The server reports a value that cannot be decoded without a path, and nothing else is wrong with a new object than its own values.
  return isNew || path === '' || finding.path === path || toServerPath(finding.path) === path;
}

/**
 * Returns the findings of a plan that report the same refusal, as errors. They say what to write, so the refusal itself is not reported again.
 *
 * @param findings - those of the refused object
 */
export function findRefusalReasons(findings: readonly Finding[], refusal: ApplyRejection, isNew: boolean): Finding[] {
  return findings
    .filter((finding) => explainsRefusal(finding, refusal, isNew))
    .map((finding) => (finding.severity === 'error' ? finding : { ...finding, severity: 'error' }));
}
