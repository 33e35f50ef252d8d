import { ROOT_PATH } from './field-path';
import type { Finding } from './finding';
import { findWorstSeverity } from './severity';
import { pluralize } from './text-format';

/** Of so many findings of one rule about one object each is told. */
const MAX_FINDINGS_PER_RULE = 100;

/** The messageId of what is said of those that are not told one by one, under the code of their rule. */
export const OMITTED_FINDINGS_ID = 'omittedFindings';

/** Those of one rule that are not told one by one, as one finding of that rule, as bad as the worst of them. */
function summarizeOmittedFindings(code: string, omitted: readonly Finding[]): Finding {
  const data = { listed: MAX_FINDINGS_PER_RULE, omitted: omitted.length };
  return {
    code,
    severity: findWorstSeverity(omitted.map(({ severity }) => severity))!,
    messageId: OMITTED_FINDINGS_ID,
    data,
    path: ROOT_PATH,
    message: `There ${data.omitted === 1 ? 'is' : 'are'} ${pluralize(data.omitted, 'more finding')} of this rule about this object; the first ${data.listed} are told one by one.`,
    help: 'Mend those that are told, and look again.',
  };
}

/**
 * The findings about one object: of each rule the first hundred one by one, and the others as one behind them,
 * since an object may have as many faults as fields.
 */
export function capFindingsPerRule(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= MAX_FINDINGS_PER_RULE) return findings;
  const omittedByCode = new Map<string, Finding[]>();
  const counts = new Map<string, number>();
  const listed = findings.filter((finding) => {
    const count = (counts.get(finding.code) ?? 0) + 1;
    counts.set(finding.code, count);
    if (count <= MAX_FINDINGS_PER_RULE) return true;
    const omitted = omittedByCode.get(finding.code);
    if (omitted) omitted.push(finding);
    else omittedByCode.set(finding.code, [finding]);
    return false;
  });
  return [...listed, ...[...omittedByCode].map(([code, omitted]) => summarizeOmittedFindings(code, omitted))];
}

/** How many findings of its rule one finding stands for, which are not told one by one; 0 for any other. */
export function countOmittedFindings({ messageId, data }: Pick<Finding, 'messageId' | 'data'>): number {
  return messageId === OMITTED_FINDINGS_ID ? Number(data.omitted) : 0;
}
