import type { Severity } from '../../core/findings/finding';
import type { FindingCounts, PlanDocument } from '../../core/document/plan-document';
import { normalizeArtifactPath, collectReportedFindings, locateInCheckout } from '../findings/report-findings';
import type { ReportedFinding } from '../findings/report-findings';
import { formatFindingCounts, formatResourceLabel, formatUntouchedFindings } from '../findings/text-findings';
import { renderNotPlannedLines } from '../findings/not-planned';
import { escapeForTerminal } from '../../core/text/escape-output';

const ANNOTATION_COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies Record<Severity, string>;

/** Escapes the text of a workflow command in the way that the runner decodes it. */
function escapeData(text: string): string {
  return escapeForTerminal(text).replaceAll('%', '%25');
}

/** Escapes the value of a property of a workflow command, which a comma or a colon would end. */
function escapeProperty(text: string): string {
  // Encode colons first, so that none at the beginning is also escaped for the terminal.
  return escapeForTerminal(text.replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C'));
}

function renderAnnotation({ finding, resource }: ReportedFinding): string {
  const { severity, code, message, help } = finding;
  const source = locateInCheckout(finding);
  const properties = [
    ...(source ? [`file=${escapeProperty(normalizeArtifactPath(source.file))}`, `line=${source.line}`] : []),
    ...(source?.column === undefined ? [] : [`col=${source.column}`]),
    `title=${escapeProperty(resource ? `${code} ${formatResourceLabel(resource)}` : code)}`,
  ];
  return `::${ANNOTATION_COMMANDS[severity]} ${properties.join(',')}::${escapeData([message, ...(help === undefined ? [] : [`Fix: ${help}`])].join(' '))}`;
}

/**
 * Renders workflow commands, which GitHub shows as annotations in a pull request, and a line with the counts.
 *
 * @param failsNotPlanned - whether objects that are not planned fail the check
 * @param untouched - counts of findings of objects that the checked change does not touch. @default - no change is checked
 */
export function renderGithub(plan: PlanDocument, failsNotPlanned: boolean, untouched?: FindingCounts): string {
  const untouchedText = untouched && formatUntouchedFindings(untouched);
  const annotations = collectReportedFindings(plan)
    .filter(({ finding }) => !finding.suppressed)
    .map(renderAnnotation);
  const notPlanned = renderNotPlannedLines(plan).map(
    (line) => `::${failsNotPlanned ? 'error' : 'notice'} title=not planned::${escapeData(line)}`,
  );
  const counts = [formatFindingCounts(plan.summary), ...(untouchedText === undefined ? [] : [untouchedText])];
  return `${[...annotations, ...notPlanned, ...counts.map((line) => `rolloutkit: ${line}`)].join('\n')}\n`;
}
