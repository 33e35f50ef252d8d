import type { Severity } from './finding';

/** The worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** 0 for the worst; what has none comes last. */
export function severityRankOf(severity: Severity | 'none' | undefined): number {
  const rank = SEVERITIES.findIndex((candidate) => candidate === severity);
  return rank < 0 ? SEVERITIES.length : rank;
}

/** Is a severity as bad as another, or worse? */
export function isAtLeastSeverity(severity: Severity, threshold: Severity): boolean {
  return severityRankOf(severity) <= severityRankOf(threshold);
}

/** The worst of some; undefined of none. */
export function findWorstSeverity(severities: readonly Severity[]): Severity | undefined {
  return SEVERITIES.find((severity) => severities.includes(severity));
}

/** What a check may fail on: it does where a finding is as bad or worse. */
export type FailThreshold = Severity | 'never';

/** The first holds where none is given. */
export const FAIL_THRESHOLDS: readonly FailThreshold[] = [...SEVERITIES, 'never'];

/** Does a finding of this severity fail a check with this bar? */
export function shouldFailAt(threshold: FailThreshold, severity: Severity): boolean {
  return threshold !== 'never' && isAtLeastSeverity(severity, threshold);
}
