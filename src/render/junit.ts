import type { Severity } from '../core/finding';
import type { NotPlanned, PlanDocument } from '../core/plan-document';
import { artifactPath, reportedOf } from './reported';
import type { Reported } from './reported';
import { resourceText } from './text-findings';
import { visible } from '../core/visible';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Text of the input as XML text; what XML 1.0 can't hold is shown as `\u0001`. */
function xml(text: string): string {
  const shown = visible(text).replaceAll(/[\ud800-\udfff\ufffe\uffff]/g, (unit, index: number, whole: string) =>
    isPaired(whole, index) ? unit : `\\u${unit.charCodeAt(0).toString(16)}`,
  );
  return shown.replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark]!);
}

/** Is the surrogate at this index half of a pair? */
function isPaired(text: string, index: number): boolean {
  return text.codePointAt(index)! > 0xffff || (index > 0 && text.codePointAt(index - 1)! > 0xffff);
}

function placeText({ finding: { source } }: Reported): string {
  return source ? `${artifactPath(source.file)}:${source.line}` : 'input';
}

function caseName({ finding, resource }: Reported): string {
  return [finding.code, ...(resource ? [resourceText(resource)] : []), finding.path].filter((part) => part !== '').join(' ');
}

/** Its reason as text: the schema of Jenkins has no `message` there, and Jenkins and GitLab read either. */
function skippedElement(reason: string): string {
  return `<skipped>${xml(reason)}</skipped>`;
}

function findingCase(reported: Reported, fails: (severity: Severity) => boolean): string {
  const { code, severity, message, help, suppressed } = reported.finding;
  const head = `    <testcase classname="${xml(placeText(reported))}" name="${xml(caseName(reported))}"`;
  const body = xml([message, ...(help === undefined ? [] : [`fix: ${help}`])].join(' '));
  if (suppressed) return `${head}>${skippedElement(suppressed.reason)}</testcase>`;
  if (fails(severity)) return `${head}><failure type="${xml(code)}" message="${xml(message)}">${body}</failure></testcase>`;
  return `${head}><system-out>${severity}: ${body}</system-out></testcase>`;
}

/** What is not planned is no success. */
function notPlannedCase({ apiVersion, kind, count, reason }: NotPlanned): string {
  const name = xml(`${count} ${kind} of ${apiVersion}`);
  return `    <testcase classname="not planned" name="${name}">${skippedElement(reason)}</testcase>`;
}

/**
 * A JUnit report: a test case for every finding, which fails at or above the bar, is skipped where it is suppressed and says its words otherwise,
 * one that passes for every rollout without findings, and a skipped one for every kind that is not planned.
 *
 * @param fails - is a finding of this severity at or above the bar?
 */
export function renderJunit(plan: PlanDocument, fails: (severity: Severity) => boolean): string {
  const reported = reportedOf(plan);
  const passed = plan.rollouts.filter(({ findings }) => findings.length === 0);
  const failures = reported.filter(({ finding }) => !finding.suppressed && fails(finding.severity)).length;
  const left = plan.notPlanned;
  const skipped = reported.filter(({ finding }) => finding.suppressed).length + left.length;
  const tests = reported.length + passed.length + left.length;
  const counts = `tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}"`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="rolloutkit" tests="${tests}" failures="${failures}" errors="0">`,
    `  <testsuite name="rolloutkit check" ${counts}>`,
    ...reported.map((one) => findingCase(one, fails)),
    ...passed.map(({ resource }) => `    <testcase classname="rollout" name="${xml(resourceText(resource))}"/>`),
    ...left.map(notPlannedCase),
    '  </testsuite>',
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}
