import type { Finding } from '../core/finding';

/** How many are told one by one. */
const TOLD = 100;

/** Those that are not told one by one. */
export interface Rest {
  /** How many were told one by one. */
  readonly told: number;
  readonly more: number;
  /** The first of the rest. */
  readonly first: Finding;
  /** The worst of the rest. */
  readonly severity: Finding['severity'];
}

/** Findings of one kind about one file, or about what a program gives: the first of them one by one, the rest as one, since there may be a million of them. */
export class FirstOfMany {
  private count = 0;
  private hasError = false;
  private next: Finding | undefined;

  /** @param tell - says how many were not told */
  constructor(
    private readonly findings: Finding[],
    private readonly tell: (rest: Rest) => Finding,
  ) {}

  add(finding: Finding): void {
    this.count++;
    if (this.count <= TOLD) {
      this.findings.push(finding);
      return;
    }
    this.next ??= finding;
    this.hasError ||= finding.severity === 'error';
  }

  /** Tells how many were not told. */
  end(): void {
    const { next: first, count, hasError } = this;
    if (first) this.findings.push(this.tell({ told: TOLD, more: count - TOLD, first, severity: hasError ? 'error' : first.severity }));
  }
}
