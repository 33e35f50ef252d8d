import { ROOT_PATH } from '../manifest/field-path';
import { groupBy } from '../collections/group-by';
import { OMITTED_FINDINGS_ID, formatFindingText } from './finding';
import type { Finding } from './finding';
import { isOverBudget } from './reading-rules';
import { findWorstSeverity } from './severity';
import { toSafeNumber } from '../text/value-text';

/** Maximum number of findings of one rule for one object that are listed individually. */
const MAX_FINDINGS_PER_RULE = 100;

/**
 * Creates the findings of one rule, all of one severity, before `capFindingsPerRule`. The text of each may be long, so those that are only
 * counted are the same finding.
 */
export function createCountedFindings<Item>(items: readonly Item[], create: (item: Item) => Finding): Finding[] {
  const listed = items.slice(0, MAX_FINDINGS_PER_RULE + 1).map(create);
  return [...listed, ...Array.from({ length: items.length - listed.length }, () => listed.at(-1)!)];
}

/** Summarizes the omitted findings of one rule as one finding of that rule, with the worst of their severities. */
function summarizeOmittedFindings(code: string, omitted: readonly Finding[]): Finding {
  const data = { listed: MAX_FINDINGS_PER_RULE, omitted: omitted.length };
  return {
    code,
    severity: findWorstSeverity(omitted.map(({ severity }) => severity))!,
    messageId: OMITTED_FINDINGS_ID,
    data,
    path: ROOT_PATH,
    ...formatFindingText({ messages: {} }, OMITTED_FINDINGS_ID, data),
  };
}

/**
 * Returns the first hundred findings of each rule for one object, followed by one summary per rule of the others.
 * An object can have as many errors as fields, so the list must be bounded.
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

/** Does the same for findings about several objects. Those that name no object have limits of their own. */
export function capFindingsPerObject(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= MAX_FINDINGS_PER_RULE) return findings;
  return [...groupBy(findings, ({ object }) => object && JSON.stringify(object)).values()].flatMap((own) => {
    const { object, source } = own.at(-1) ?? {};
    if (!object) return own;
    return capFindingsPerRule(own).map((finding) => (finding.object ? finding : { ...finding, object, ...(source && { source }) }));
  });
}

/** Returns how many omitted findings of its rule a finding summarizes; 0 for any other finding. */
export function countOmittedFindings({ messageId, data }: Pick<Finding, 'messageId' | 'data'>): number {
  return messageId === OMITTED_FINDINGS_ID ? toSafeNumber(data.omitted) : 0;
}

/** Number of findings that are listed individually. */
const MAX_LISTED_FINDINGS = 100;

/** Findings that are not listed individually. */
export interface OmittedFindings {
  /** Number of findings that are listed individually. */
  readonly listed: number;
  readonly omitted: number;
  /** First omitted finding. */
  readonly first: Finding;
  /** Highest severity of the omitted findings. */
  readonly severity: Finding['severity'];
}

/**
 * Limits the findings of one kind about one file, or about the objects that a program passes in.
 * The first ones are listed individually, and the first that names an exceeded budget. There may be a million more, so the rest become one finding.
 */
export class FindingLimiter {
  private count = 0;
  private hasError = false;
  private hasBudget = false;
  private firstOmitted: Finding | undefined;

  /** @param summarizeOmitted - creates the finding that reports how many are omitted */
  constructor(
    private readonly findings: Finding[],
    private readonly summarizeOmitted: (rest: OmittedFindings) => Finding,
  ) {}

  add(finding: Finding): void {
    if (!this.hasBudget && isOverBudget(finding)) {
      this.hasBudget = true;
      this.findings.push(finding);
      return;
    }
    this.count++;
    if (this.count <= MAX_LISTED_FINDINGS) {
      this.findings.push(finding);
      return;
    }
    this.firstOmitted ??= finding;
    this.hasError ||= finding.severity === 'error';
  }

  /** Reports how many findings are omitted, if any. */
  finish(): void {
    const { firstOmitted: first, count, hasError } = this;
    if (first)
      this.findings.push(
        this.summarizeOmitted({
          listed: MAX_LISTED_FINDINGS,
          omitted: count - MAX_LISTED_FINDINGS,
          first,
          severity: hasError ? 'error' : first.severity,
        }),
      );
  }
}
