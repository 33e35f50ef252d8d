import { findingLine } from '../core/finding';
import type { Finding } from '../core/finding';

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** The errors among findings, one line each: what a synth or a preview fails with. */
export function errorLines(findings: readonly Finding[]): string[] {
  return findings.filter(({ severity }) => severity === 'error').map(findingLine);
}
