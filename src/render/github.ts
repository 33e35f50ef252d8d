import type { Severity } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import { artifactPath, reportedOf } from './reported';
import type { Reported } from './reported';
import { findingCounts, resourceText } from './text-findings';
import { notPlannedLines } from './text-not-planned';
import { visible } from '../core/visible';

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies Record<Severity, string>;

/** The text of a workflow command: what would end it is escaped as the runner reads it back. */
function data(text: string): string {
  return visible(text).replaceAll('%', '%25');
}

/** The value of a property of a workflow command, which a comma or a colon would end. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function annotation({ finding, resource }: Reported): string {
  const { severity, code, message, help, source } = finding;
  const properties = [
    ...(source ? [`file=${property(artifactPath(source.file))}`, `line=${source.line}`] : []),
    ...(source?.column === undefined ? [] : [`col=${source.column}`]),
    `title=${property(resource ? `${code} ${resourceText(resource)}` : code)}`,
  ];
  return `::${COMMANDS[severity]} ${properties.join(',')}::${data([message, ...(help === undefined ? [] : [`Fix: ${help}`])].join(' '))}`;
}

/** Workflow commands that GitHub shows as annotations at the lines of a pull request, and a line that counts them. */
export function renderGithub(plan: PlanDocument): string {
  const annotations = reportedOf(plan)
    .filter(({ finding }) => !finding.suppressed)
    .map(annotation);
  const left = notPlannedLines(plan).map((line) => `::notice title=not planned::${data(line)}`);
  return `${[...annotations, ...left, `rolloutkit: ${findingCounts(plan.summary)}`].join('\n')}\n`;
}
