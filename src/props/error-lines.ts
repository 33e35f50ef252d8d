import { formatFindingLine } from '../core/findings/finding';
import type { Finding } from '../core/findings/finding';
import { withPropAdvice } from './prop-advice';
import { resolvePropPath } from './prop-paths';
import type { PropPaths } from './prop-paths';

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/**
 * Formats the errors among findings, one line each, for a synth or a preview that fails.
 *
 * @param propPaths props from which the object was written. @default - the findings are about props, or about an object that the user wrote
 */
export function formatErrorLines(findings: readonly Finding[], propPaths: PropPaths = []): string[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map((finding) => formatFindingLine(withPropAdvice({ ...finding, path: resolvePropPath(finding.path, propPaths) })));
}
