import type { Finding, Suppression } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import { summarise } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';
import type { Configuration, IgnoreSetting } from './configuration';
import { matchesPattern } from '../core/path-pattern';

/** Replaces each finding of a plan, those of rollouts with the resource that they are about, and counts anew. */
export function mapFindings(plan: PlanDocument, change: (finding: Finding, resource?: ResourceRef) => Finding): PlanDocument {
  const findings = plan.findings.map((finding) => change(finding));
  const rollouts = plan.rollouts.map((rollout) => ({
    ...rollout,
    findings: rollout.findings.map((finding) => change(finding, rollout.resource)),
  }));
  return { ...plan, findings, rollouts, summary: summarise({ ...plan, findings, rollouts }) };
}

function isIn(paths: readonly string[] | undefined, file: string | undefined): boolean {
  return paths === undefined || (file !== undefined && paths.some((pattern) => matchesPattern(pattern, file)));
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
  file: string | undefined,
): Suppression | undefined {
  const setting = ignore.find((entry) => entry.rule === finding.code && isNamed(entry.resource, resource) && isIn(entry.paths, file));
  return setting && { reason: setting.reason, by: 'configuration' };
}

/** The plan with the severities of the configuration, and what it ignores suppressed. */
export function judged(plan: PlanDocument, { rules = {}, ignore = [] }: Configuration, fromConfiguration: FromConfiguration): PlanDocument {
  if (Object.keys(rules).length === 0 && ignore.length === 0) return plan;
  return mapFindings(plan, (finding, resource) => {
    const file = finding.source && fromConfiguration(finding.source.file);
    const setting = Object.hasOwn(rules, finding.code) ? rules[finding.code] : undefined;
    const severity = setting && isIn(setting.paths, file) ? setting.severity : undefined;
    const off: Suppression | undefined = severity === 'off' ? { reason: 'the rule is off', by: 'configuration' } : undefined;
    const suppressed = finding.suppressed ?? suppressionOf(finding, resource, ignore, file) ?? off;
    return {
      ...finding,
      ...(severity !== undefined && severity !== 'off' && { severity }),
      ...(suppressed && { suppressed }),
    };
  });
}
