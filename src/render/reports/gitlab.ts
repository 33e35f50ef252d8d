import type { Severity, Source } from '../../core/findings/finding';
import type { PlanDocument } from '../../core/document/plan-document';
import { stringifySafeJson } from '../json/json';
import { normalizeArtifactPath, assignFindingIdentities, collectReportedFindings, locateInCheckout } from '../findings/report-findings';
import { formatResourceLabel } from '../findings/text-findings';
import { renderNotPlannedLines } from '../findings/not-planned';
import { computeFindingFingerprint } from './fingerprint';
import { escapeForTerminal } from '../../core/text/escape-output';

const SEVERITIES = { error: 'major', warning: 'minor', info: 'info' } as const satisfies Record<Severity, string>;

function toLocation(source: Source | undefined) {
  return { path: source ? normalizeArtifactPath(source.file) : '.', lines: { begin: source?.line ?? 1 } };
}

/**
 * Renders a Code Quality report: GitLab shows each entry at its line of a merge request. Entries without a file are placed at line 1 of `.`.
 *
 * @param failsNotPlanned - whether objects that are not planned fail the check
 */
export function renderGitlab(plan: PlanDocument, failsNotPlanned: boolean): string {
  const issues = assignFindingIdentities(collectReportedFindings(plan))
    .filter(({ finding }) => !finding.suppressed)
    .map(({ finding, resource, identity }) => ({
      description: [
        ...(resource ? [`${formatResourceLabel(resource)}:`] : []),
        escapeForTerminal(finding.message),
        ...(finding.help === undefined ? [] : [escapeForTerminal(finding.help)]),
      ].join(' '),
      check_name: finding.code,
      fingerprint: computeFindingFingerprint(identity),
      severity: SEVERITIES[finding.severity],
      location: toLocation(locateInCheckout(finding)),
    }));
  const notPlanned = renderNotPlannedLines(plan).map((line) => ({
    description: line,
    check_name: 'not-planned',
    fingerprint: computeFindingFingerprint('not planned'),
    severity: failsNotPlanned ? SEVERITIES.error : SEVERITIES.info,
    location: { path: '.', lines: { begin: 1 } },
  }));
  return stringifySafeJson([...issues, ...notPlanned]);
}
