import { filesOf } from '../core/finding';
import type { Finding, Suppression } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import { summarise } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';
import { isAsBad } from '../core/severity';
import type { Configuration, IgnoreSetting, RuleSetting } from './configuration';
import { matchesPattern } from '../core/path-pattern';

/** Replaces each finding of a plan, those of rollouts with the resource that they are about, and counts them anew. */
export function mapFindings(plan: PlanDocument, change: (finding: Finding, resource?: ResourceRef) => Finding): PlanDocument {
  const findings = plan.findings.map((finding) => change(finding));
  const rollouts = plan.rollouts.map((rollout) => ({
    ...rollout,
    findings: rollout.findings.map((finding) => change(finding, rollout.resource)),
  }));
  // Rollouts that are counted alone are not among those of the plan.
  const summary = { ...summarise({ ...plan, findings, rollouts }), rollouts: plan.summary.rollouts };
  return { ...plan, findings, rollouts, summary };
}

/** Does a finding stand in files of these paths, and nowhere else? */
function isIn(paths: readonly string[] | undefined, files: readonly (string | undefined)[]): boolean {
  if (paths === undefined) return true;
  return files.length > 0 && files.every((file) => file !== undefined && paths.some((pattern) => matchesPattern(pattern, file)));
}

/** Is this the object that KIND/[NAMESPACE/]NAME names? */
function isNamed(wanted: string | undefined, resource: ResourceRef | undefined): boolean {
  if (wanted === undefined) return true;
  if (!resource) return false;
  const [kind, ...place] = wanted.split('/');
  const [name, namespace] = place.toReversed();
  return (
    kind!.toLowerCase() === resource.kind.toLowerCase() &&
    name === resource.name &&
    (namespace === undefined || namespace === resource.namespace)
  );
}

/** Where a file of the plan lies, seen from the folder of the configuration; undefined for standard input, and outside of that folder. */
export type FromConfiguration = (file: string) => string | undefined;

function suppressionOf(
  finding: Finding,
  resource: ResourceRef | undefined,
  ignore: readonly IgnoreSetting[],
  files: readonly (string | undefined)[],
): Suppression | undefined {
  const setting = ignore.find((entry) => entry.rule === finding.code && isNamed(entry.resource, resource) && isIn(entry.paths, files));
  return setting && { reason: setting.reason, by: 'configuration' };
}

/** What is said once of several files is as bad as in the worst of them: one is enough to raise it, and all are needed to lower it. */
function severityOf(
  finding: Finding,
  { paths, severity }: RuleSetting,
  files: readonly (string | undefined)[],
): RuleSetting['severity'] | undefined {
  const isRaised = severity !== 'off' && !isAsBad(finding.severity, severity);
  const holds = isIn(paths, files) || (isRaised && files.some((file) => isIn(paths, [file])));
  return holds ? severity : undefined;
}

/** The plan with the severities of the configuration, and what it ignores suppressed. */
export function judged(plan: PlanDocument, { rules = {}, ignore = [] }: Configuration, fromConfiguration: FromConfiguration): PlanDocument {
  if (Object.keys(rules).length === 0 && ignore.length === 0) return plan;
  return mapFindings(plan, (finding, resource) => {
    const files = filesOf(finding).map(fromConfiguration);
    const setting = Object.hasOwn(rules, finding.code) ? rules[finding.code] : undefined;
    const severity = setting && severityOf(finding, setting, files);
    const off: Suppression | undefined = severity === 'off' ? { reason: 'the rule is off', by: 'configuration' } : undefined;
    const suppressed = finding.suppressed ?? suppressionOf(finding, resource, ignore, files) ?? off;
    return {
      ...finding,
      ...(severity !== undefined && severity !== 'off' && { severity }),
      ...(suppressed && { suppressed }),
    };
  });
}
