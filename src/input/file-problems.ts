import { WHOLE_OBJECT } from '../core/field-path';
import type { Finding } from '../core/finding';
import { unreadable } from '../core/rules/unreadable';

/** How many problems of one file are told one by one. */
const TOLD_OF_A_FILE = 100;

/** What cannot be read in one file: the first of it one by one, the rest as one finding, since a file may hold a million of them. */
export class FileProblems {
  private count = 0;
  private hasError = false;
  private next: Finding | undefined;

  constructor(private readonly findings: Finding[]) {}

  add(finding: Finding): void {
    this.count++;
    if (this.count <= TOLD_OF_A_FILE) {
      this.findings.push(finding);
      return;
    }
    this.next ??= finding;
    this.hasError ||= finding.severity === 'error';
  }

  /** Tells how many were not told, at the place of the first of them. */
  end(): void {
    if (!this.next?.source) return;
    const { source, severity } = this.next;
    const data = { file: source.file, told: TOLD_OF_A_FILE, more: this.count - TOLD_OF_A_FILE };
    this.findings.push(unreadable.finding('more', { path: WHOLE_OBJECT, data, source, severity: this.hasError ? 'error' : severity }));
  }
}
