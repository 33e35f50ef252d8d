import type { Finding } from '../core/finding';

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
 * The first ones are listed individually. There may be a million more, so the rest become one finding.
 */
export class FindingLimiter {
  private count = 0;
  private hasError = false;
  private firstOmitted: Finding | undefined;

  /** @param summarizeOmitted - creates the finding that reports how many are omitted */
  constructor(
    private readonly findings: Finding[],
    private readonly summarizeOmitted: (rest: OmittedFindings) => Finding,
  ) {}

  add(finding: Finding): void {
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
