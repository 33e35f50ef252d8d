import type { Finding } from '../core/finding';

/** How many are told one by one. */
const MAX_LISTED_FINDINGS = 100;

/** Those that are not told one by one. */
export interface OmittedFindings {
  /** How many were told one by one. */
  readonly listed: number;
  readonly omitted: number;
  /** The first of the rest. */
  readonly first: Finding;
  /** The worst of the rest. */
  readonly severity: Finding['severity'];
}

/** Findings of one kind about one file, or about what a program gives: the first of them one by one, the rest as one, since there may be a million of them. */
export class FindingLimiter {
  private count = 0;
  private hasError = false;
  private firstOmitted: Finding | undefined;

  /** @param summarizeOmitted - says how many were not told */
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

  /** Tells how many were not told. */
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
