import type { Severity } from '../core/finding';
import type { UnplannedKind, PlanDocument } from '../core/plan-document';
import { normalizeArtifactPath, collectReportedFindings } from './report-findings';
import type { ReportedFinding } from './report-findings';
import { formatResourceLabel } from './text-findings';
import { escapeForTerminal } from '../core/escape-output';

const XML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Text of the input as XML text; what XML 1.0 can't hold is shown as `\u0001`. */
function escapeXml(text: string): string {
  const escaped = escapeForTerminal(text).replaceAll(/[\ud800-\udfff\ufffe\uffff]/g, (unit, index: number, full: string) =>
    isPaired(full, index) ? unit : `\\u${unit.charCodeAt(0).toString(16)}`,
  );
  return escaped.replaceAll(/[&<>"']/g, (mark) => XML_ENTITIES[mark]!);
}

/** Is the surrogate at this index half of a pair? */
function isPaired(text: string, index: number): boolean {
  return text.codePointAt(index)! > 0xffff || (index > 0 && text.codePointAt(index - 1)! > 0xffff);
}

function formatLocation({ finding: { source } }: ReportedFinding): string {
  return source ? `${normalizeArtifactPath(source.file)}:${source.line}` : 'input';
}

function formatCaseName({ finding, resource }: ReportedFinding): string {
  return [finding.code, ...(resource ? [formatResourceLabel(resource)] : []), finding.path].filter((part) => part !== '').join(' ');
}

/** Its reason as text: the schema of Jenkins has no `message` there, and Jenkins and GitLab read either. */
function renderSkippedElement(reason: string): string {
  return `<skipped>${escapeXml(reason)}</skipped>`;
}

function renderFindingCase(reported: ReportedFinding, fails: (severity: Severity) => boolean): string {
  const { code, severity, message, help, suppressed } = reported.finding;
  const head = `    <testcase classname="${escapeXml(formatLocation(reported))}" name="${escapeXml(formatCaseName(reported))}"`;
  const body = escapeXml([message, ...(help === undefined ? [] : [`fix: ${help}`])].join(' '));
  if (suppressed) return `${head}>${renderSkippedElement(suppressed.reason)}</testcase>`;
  if (fails(severity)) return `${head}><failure type="${escapeXml(code)}" message="${escapeXml(message)}">${body}</failure></testcase>`;
  return `${head}><system-out>${severity}: ${body}</system-out></testcase>`;
}

/** What is not planned is no success. */
function renderNotPlannedCase({ apiVersion, kind, count, reason }: UnplannedKind): string {
  const name = escapeXml(`${count} ${kind} of ${apiVersion}`);
  return `    <testcase classname="not planned" name="${name}">${renderSkippedElement(reason)}</testcase>`;
}

/**
 * A JUnit report: a test case for every finding, which fails at or above the bar, is skipped where it is suppressed and says its words otherwise,
 * one that passes for every rollout without findings, and a skipped one for every kind that is not planned.
 *
 * @param fails - is a finding of this severity at or above the bar?
 */
export function renderJunit(plan: PlanDocument, fails: (severity: Severity) => boolean): string {
  const reported = collectReportedFindings(plan);
  const passed = plan.rollouts.filter(({ findings }) => findings.length === 0);
  const failures = reported.filter(({ finding }) => !finding.suppressed && fails(finding.severity)).length;
  const notPlanned = plan.notPlanned;
  const skipped = reported.filter(({ finding }) => finding.suppressed).length + notPlanned.length;
  const tests = reported.length + passed.length + notPlanned.length;
  const counts = `tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}"`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="rolloutkit" tests="${tests}" failures="${failures}" errors="0">`,
    `  <testsuite name="rolloutkit check" ${counts}>`,
    ...reported.map((one) => renderFindingCase(one, fails)),
    ...passed.map(({ resource }) => `    <testcase classname="rollout" name="${escapeXml(formatResourceLabel(resource))}"/>`),
    ...notPlanned.map(renderNotPlannedCase),
    '  </testsuite>',
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}
