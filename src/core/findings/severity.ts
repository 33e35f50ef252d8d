import type { Severity } from './finding';

/** Severities, the worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Returns the rank of a severity: 0 for the worst; no severity comes last. */
export function severityRankOf(severity: Severity | 'none' | undefined): number {
  const rank = SEVERITIES.findIndex((candidate) => candidate === severity);
  return rank < 0 ? SEVERITIES.length : rank;
}

/** Reports whether a severity is at least as bad as a threshold. */
export function isAtLeastSeverity(severity: Severity, threshold: Severity): boolean {
  return severityRankOf(severity) <= severityRankOf(threshold);
}

/** Returns the worst of some severities; undefined for none. */
export function findWorstSeverity(severities: readonly Severity[]): Severity | undefined {
  return SEVERITIES.find((severity) => severities.includes(severity));
}

/** Threshold of a check: it fails if a finding is at least that bad. */
export type FailThreshold = Severity | 'never';

/** Thresholds of a check; the first is the default. */
export const FAIL_THRESHOLDS: readonly FailThreshold[] = [...SEVERITIES, 'never'];

/** Reports whether a finding of this severity fails a check with this threshold. */
export function shouldFailAt(threshold: FailThreshold, severity: Severity): boolean {
  return threshold !== 'never' && isAtLeastSeverity(severity, threshold);
}
