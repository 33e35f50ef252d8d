import type { Finding } from '../../core/findings/finding';
import { unreadable } from '../../core/rules/unreadable';
import { formatFindingLocation } from '../../render/findings/text-findings';

/**
 * Returns what a run could not read or plan, as sentences: a file above a budget, a broken document, no time left. A command that lists no
 * findings prints them, since its result would otherwise look complete.
 */
export function listUnreadInput(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ code, severity }) => code === unreadable.code && severity === 'error')
    .map((finding) =>
      [formatFindingLocation(finding), [finding.message, finding.help].filter((part) => part !== undefined).join(' ')]
        .filter((part) => part !== '')
        .join(': '),
    );
}
