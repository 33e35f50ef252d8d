import { formatFindingLine } from '../core/finding';
import type { Finding } from '../core/finding';
import { resolvePropPath } from './prop-paths';
import type { PropPaths } from './prop-paths';

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/**
 * The errors among findings, one line each: what a synth or a preview fails with.
 *
 * @param places from which props the object was written. @default - the findings are about props, or about what the user wrote as it is
 */
export function formatErrorLines(findings: readonly Finding[], propPaths: PropPaths = []): string[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map((finding) => formatFindingLine({ ...finding, path: resolvePropPath(finding.path, propPaths) }));
}
