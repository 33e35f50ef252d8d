import type { Severity } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import { jsonText } from './json';
import { artifactPath, identified, reportedOf } from './reported';
import { resourceText } from './text-findings';
import { notPlannedLines } from './text-not-planned';
import { fingerprintOf } from './fingerprint';
import { visible } from '../core/visible';

const SEVERITIES = { error: 'major', warning: 'minor', info: 'info' } as const satisfies Record<Severity, string>;

/** A Code Quality report: GitLab shows each entry at its line of a merge request. What stands in no file is put at the first line of the repository. */
export function renderGitlab(plan: PlanDocument): string {
  const issues = identified(reportedOf(plan))
    .filter(({ finding }) => !finding.suppressed)
    .map(({ finding, resource, identity }) => ({
      description: [
        ...(resource ? [`${resourceText(resource)}:`] : []),
        visible(finding.message),
        ...(finding.help === undefined ? [] : [visible(finding.help)]),
      ].join(' '),
      check_name: finding.code,
      fingerprint: fingerprintOf(identity),
      severity: SEVERITIES[finding.severity],
      location: { path: finding.source ? artifactPath(finding.source.file) : '.', lines: { begin: finding.source?.line ?? 1 } },
    }));
  const left = notPlannedLines(plan).map((line) => ({
    description: line,
    check_name: 'not-planned',
    fingerprint: fingerprintOf('not planned'),
    severity: SEVERITIES.info,
    location: { path: '.', lines: { begin: 1 } },
  }));
  return jsonText([...issues, ...left]);
}
