import type { Severity } from './finding';

/** The worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** 0 for the worst; what has none comes last. */
export function rankOf(severity: Severity | 'none' | undefined): number {
  const rank = SEVERITIES.findIndex((known) => known === severity);
  return rank < 0 ? SEVERITIES.length : rank;
}

/** Is a severity as bad as another, or worse? */
export function isAsBad(severity: Severity, bar: Severity): boolean {
  return rankOf(severity) <= rankOf(bar);
}

/** The worst of some; undefined of none. */
export function worstOf(severities: readonly Severity[]): Severity | undefined {
  return SEVERITIES.find((severity) => severities.includes(severity));
}

/** What a check may fail on: it does where a finding is as bad or worse. */
export type Bar = Severity | 'never';

/** The first holds where none is given. */
export const BARS: readonly Bar[] = [...SEVERITIES, 'never'];

/** Does a finding of this severity fail a check with this bar? */
export function failsAt(bar: Bar, severity: Severity): boolean {
  return bar !== 'never' && isAsBad(severity, bar);
}
