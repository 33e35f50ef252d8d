import type { Finding } from '../../core/findings/finding';
import type { UnplannedKind, PlanDocument } from '../../core/document/plan-document';
import { normalizeArtifactPath, collectReportedFindings, locateInCheckout } from '../findings/report-findings';
import type { ReportedFinding } from '../findings/report-findings';
import { formatFindingField, formatResourceLabel } from '../findings/text-findings';
import { escapeForTerminal } from '../../core/text/escape-output';

const XML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Escapes text of the input for XML. Characters that XML 1.0 can't contain are shown as `\u0001`. */
function escapeXml(text: string): string {
  const escaped = escapeForTerminal(text).replaceAll(/[\ud800-\udfff\ufffe\uffff]/g, (unit, index: number, full: string) =>
    isPaired(full, index) ? unit : `\\u${unit.charCodeAt(0).toString(16)}`,
  );
  return escaped.replaceAll(/[&<>"']/g, (mark) => XML_ENTITIES[mark]!);
}

/** Reports whether the surrogate at this index is half of a pair. */
function isPaired(text: string, index: number): boolean {
  return text.codePointAt(index)! > 0xffff || (index > 0 && text.codePointAt(index - 1)! > 0xffff);
}

function formatLocation({ finding }: ReportedFinding): string {
  const source = locateInCheckout(finding) ?? finding.source;
  return source ? `${normalizeArtifactPath(source.file)}:${source.line}` : 'input';
}

function formatCaseName({ finding, resource }: ReportedFinding): string {
  return [finding.code, ...(resource ? [formatResourceLabel(resource)] : []), formatFindingField(finding)]
    .filter((part) => part !== '')
    .join(' ');
}

/** Renders a skipped element with its reason as text. Jenkins' schema has no `message` attribute there; Jenkins and GitLab read text too. */
function renderSkippedElement(reason: string): string {
  return `<skipped>${escapeXml(reason)}</skipped>`;
}

/** What the check fails for, which the report must fail for too. */
export interface CheckVerdict {
  readonly fails: (finding: Finding) => boolean;
  /** Whether objects that are not planned fail the check. */
  readonly failsNotPlanned: boolean;
  /** Whether findings that do not fail the check are shown. */
  readonly isShown: (finding: Finding) => boolean;
}

function renderFindingCase(reported: ReportedFinding, { fails }: CheckVerdict): string {
  const { code, severity, message, help, suppressed } = reported.finding;
  const head = `    <testcase classname="${escapeXml(formatLocation(reported))}" name="${escapeXml(formatCaseName(reported))}"`;
  const body = escapeXml([message, ...(help === undefined ? [] : [`fix: ${help}`])].join(' '));
  if (suppressed) return `${head}>${renderSkippedElement(suppressed.reason)}</testcase>`;
  if (fails(reported.finding))
    return `${head}><failure type="${escapeXml(code)}" message="${escapeXml(message)}">${body}</failure></testcase>`;
  return `${head}><system-out>${severity}: ${body}</system-out></testcase>`;
}

/** Renders a kind that is not planned as skipped, because it is not a success, or as failed if everything must be planned. */
function renderNotPlannedCase({ apiVersion, kind, count, reason }: UnplannedKind, { failsNotPlanned }: CheckVerdict): string {
  const name = escapeXml(`${count} ${kind} of ${apiVersion}`);
  const failure = `<failure type="not-planned" message="${escapeXml(reason)}">${escapeXml(reason)}</failure>`;
  return `    <testcase classname="not planned" name="${name}">${failsNotPlanned ? failure : renderSkippedElement(reason)}</testcase>`;
}

/**
 * Renders a JUnit report with a test case for every finding. It fails if the check fails for it, is skipped if suppressed, and passes otherwise.
 * A finding that fails the check is always shown. Every rollout without findings has a case that passes. Every kind that is not planned has a
 * skipped or failed case.
 */
export function renderJunit(plan: PlanDocument, verdict: CheckVerdict): string {
  const { fails, failsNotPlanned, isShown } = verdict;
  const reported = collectReportedFindings(plan).filter(({ finding }) => isShown(finding) || (!finding.suppressed && fails(finding)));
  const passed = plan.rollouts.filter(({ findings }) => findings.length === 0);
  const { notPlanned } = plan;
  const [failed, skippedKinds] = failsNotPlanned ? [notPlanned.length, 0] : [0, notPlanned.length];
  const failures = reported.filter(({ finding }) => !finding.suppressed && fails(finding)).length + failed;
  const skipped = reported.filter(({ finding }) => finding.suppressed).length + skippedKinds;
  const tests = reported.length + passed.length + notPlanned.length;
  const counts = `tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}"`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="rolloutkit" tests="${tests}" failures="${failures}" errors="0">`,
    `  <testsuite name="rolloutkit check" ${counts}>`,
    ...reported.map((one) => renderFindingCase(one, verdict)),
    ...passed.map(({ resource }) => `    <testcase classname="rollout" name="${escapeXml(formatResourceLabel(resource))}"/>`),
    ...notPlanned.map((kind) => renderNotPlannedCase(kind, verdict)),
    '  </testsuite>',
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}
