import { checkTime, Deadline, DeadlineError } from '../core/budget/deadline';
import { listFindingFiles } from '../core/findings/finding';
import type { Finding, Suppression } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import { withSummary } from '../core/document/plan-document';
import type { ResourceRef } from '../core/document/rollout';
import { isAtLeastSeverity } from '../core/findings/severity';
import { pluralize } from '../core/text/text-format';
import { ROOT_PATH } from '../core/manifest/field-path';
import { ConfigurationError } from './configuration';
import type { Configuration, IgnoreSetting, RuleSetting } from './configuration';
import { matchesPattern } from '../core/sources/path-pattern';

/** Replaces each finding of a plan and updates the counts. `change` gets the resource for findings of rollouts. */
export function mapFindings(plan: PlanDocument, change: (finding: Finding, resource?: ResourceRef) => Finding): PlanDocument {
  const findings = plan.findings.map((finding) => change(finding));
  const rollouts = plan.rollouts.map((rollout) => ({
    ...rollout,
    findings: rollout.findings.map((finding) => change(finding, rollout.resource)),
  }));
  return withSummary({ ...plan, findings, rollouts });
}

function matchesInTime(pattern: string, file: string): boolean {
  checkTime();
  return matchesPattern(pattern, file);
}

/** Reports whether all files of a finding match the path patterns. */
function isInPaths(paths: readonly string[] | undefined, files: readonly (string | undefined)[]): boolean {
  if (paths === undefined) return true;
  return files.length > 0 && files.every((file) => file !== undefined && paths.some((pattern) => matchesInTime(pattern, file)));
}

/** Reports whether KIND/[NAMESPACE/]NAME names this object. */
function matchesResource(resourcePattern: string | undefined, resource: ResourceRef | undefined): boolean {
  if (resourcePattern === undefined) return true;
  if (!resource) return false;
  const [kind, ...objectName] = resourcePattern.split('/');
  const [name, namespace] = objectName.toReversed();
  return (
    kind!.toLowerCase() === resource.kind.toLowerCase() &&
    name === resource.name &&
    (namespace === undefined || namespace === resource.namespace)
  );
}

/**
 * Returns the path of a file relative to the folder of the configuration; undefined for standard input and for files outside that folder.
 */
export type ConfigurationFileResolver = (file: string) => string | undefined;

function findSuppression(
  finding: Finding,
  resource: ResourceRef | undefined,
  ignore: readonly IgnoreSetting[],
  files: readonly (string | undefined)[],
): Suppression | undefined {
  const setting = ignore.find((entry) => {
    checkTime();
    return entry.rule === finding.code && matchesResource(entry.resource, resource) && isInPaths(entry.paths, files);
  });
  return setting && { reason: setting.reason, by: 'configuration' };
}

/**
 * Returns the severity that the configuration sets for a finding. A finding for several files gets the worst severity of any of them:
 * one matching file is enough to raise it, but all must match to lower it.
 */
function resolveSeverity(
  finding: Finding,
  { paths, severity }: RuleSetting,
  files: readonly (string | undefined)[],
): RuleSetting['severity'] | undefined {
  const isRaised = severity !== 'off' && !isAtLeastSeverity(finding.severity, severity);
  const applies = isInPaths(paths, files) || (isRaised && files.some((file) => isInPaths(paths, [file])));
  return applies ? severity : undefined;
}

/** What limits the effect of a configuration. */
export interface ApplyLimits {
  /** Reports whether the configuration may change a finding. @default - it may change any */
  readonly mayChange?: (finding: Finding) => boolean;
  /** Maximum time. It grows with the findings and with the entries, and a pull request can bring both. @default 300 */
  readonly seconds?: number;
}

/**
 * Applies the severities and suppressions of the configuration to a plan.
 *
 * @throws ConfigurationError if it takes longer
 */
export function applyConfiguration(
  plan: PlanDocument,
  { rules = {}, ignore = [] }: Configuration,
  resolveFile: ConfigurationFileResolver,
  { mayChange = () => true, seconds = 300 }: ApplyLimits = {},
): PlanDocument {
  if (Object.keys(rules).length === 0 && ignore.length === 0) return plan;
  const applyTo = (finding: Finding, resource?: ResourceRef): Finding => {
    if (!mayChange(finding)) return finding;
    const files = listFindingFiles(finding).map(resolveFile);
    const setting = Object.hasOwn(rules, finding.code) ? rules[finding.code] : undefined;
    const severity = setting && resolveSeverity(finding, setting, files);
    const off: Suppression | undefined = severity === 'off' ? { reason: 'the rule is off', by: 'configuration' } : undefined;
    const suppressed = finding.suppressed ?? findSuppression(finding, resource, ignore, files) ?? off;
    return {
      ...finding,
      ...(severity !== undefined && severity !== 'off' && { severity }),
      ...(suppressed && { suppressed }),
    };
  };
  try {
    return new Deadline(seconds).limit(() => mapFindings(plan, applyTo));
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    throw new ConfigurationError(
      `applying the configuration to the findings takes more than ${pluralize(seconds, 'second')}; write fewer patterns and entries of ignore`,
      ROOT_PATH,
    );
  }
}
