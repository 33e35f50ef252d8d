import { findingLine } from '../core/finding';
import type { Finding } from '../core/finding';
import { propAt } from './prop-places';
import type { PropPlaces } from './prop-places';

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/**
 * The errors among findings, one line each: what a synth or a preview fails with.
 *
 * @param places from which props the object was written. @default - the findings are about props, or about what the user wrote as it is
 */
export function errorLines(findings: readonly Finding[], places: PropPlaces = []): string[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map((finding) => findingLine({ ...finding, path: propAt(finding.path, places) }));
}
