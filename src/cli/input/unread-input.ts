import type { Finding } from '../../core/findings/finding';
import { isOverBudget } from '../../core/findings/reading-rules';
import { unreadable } from '../../core/rules/unreadable';
import { formatFindingLocation } from '../../render/findings/text-findings';
import { UsageError } from '../output/io';

function formatSentence(finding: Finding): string {
  const text = [finding.message, finding.help].filter((part) => part !== undefined).join(' ');
  return [formatFindingLocation(finding), text].filter((part) => part !== '').join(': ');
}

/**
 * Returns what a run could not read or plan, as sentences: a file above a budget, a broken document, no time left. A command that lists no
 * findings prints them, since its result would otherwise look complete.
 */
export function listUnreadInput(findings: readonly Finding[]): string[] {
  return findings.filter(({ code, severity }) => code === unreadable.code && severity === 'error').map(formatSentence);
}

/**
 * Checks that manifests that name what to read from a cluster are read completely. The objects of the rest would be missing, and nothing would say so.
 *
 * @throws UsageError with what is not read
 */
export function assertAllRead(findings: readonly Finding[] = []): void {
  const [unread] = listUnreadInput(findings);
  if (unread !== undefined) throw new UsageError(unread);
}

/** Returns the budgets that a run exceeded, as sentences, for an output that lists no findings but shows what is broken. */
export function listExceededBudgets(findings: readonly Finding[]): string[] {
  return findings.filter((finding) => finding.severity === 'error' && isOverBudget(finding)).map(formatSentence);
}

/** Returns what a run could not read or plan, and the budgets that it exceeded, as sentences, for a picture, which shows none of them. */
export function listPictureNotes(findings: readonly Finding[]): string[] {
  return [...new Set([...listUnreadInput(findings), ...listExceededBudgets(findings)])];
}
