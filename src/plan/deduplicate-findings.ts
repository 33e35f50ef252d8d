import { formatFindingText } from '../core/findings/finding';
import type { AnyRule, DuplicateLocations, Finding, RuleMessage } from '../core/findings/finding';
import { groupOf } from '../core/manifest/manifest';
import { unknownField } from '../core/rules/unknown-field';
import { invalidObject } from '../crds/rules/invalid-object';
import { NOT_FINITE_ID } from '../core/rules/wrong-type';
import type { PlannedRollout } from '../core/document/rollout';
import { ReportedProblems } from './reported-problems';
import { RULE_BY_CODE } from './rules';
import type { RolloutWithSource } from './disambiguate-names';

/** Findings that rollouts with the same name have in several files. */
interface SharedFindings {
  /** Files with each finding, by its key. The first file reports it. */
  readonly files: Map<string, Set<string>>;
  /**
   * File that reports each finding about a location outside the files of the rollouts, by the key of the finding.
   * Such a location is a PodDisruptionBudget that covers five renderings of one workload.
   */
  readonly reporters: Map<string, string>;
}

function keyOf({ resource: { kind, name, component, ...resource } }: PlannedRollout, sharedKey: readonly unknown[]): string {
  return JSON.stringify([groupOf(resource), kind, name, component, sharedKey]);
}

/**
 * Computes the key of a finding that has one fix in all files that contain it.
 * Returns undefined for other findings, and for suppressed ones, which may be suppressed in only one of the files.
 */
function computeSharedKey(rollout: PlannedRollout, { code, messageId, data, suppressed }: Finding) {
  const message = RULE_BY_CODE.get(code)?.messages[messageId] as RuleMessage<object> | undefined;
  const sharedKey = suppressed ? undefined : message?.deduplicationKey?.(data);
  return sharedKey && keyOf(rollout, [code, messageId, ...sharedKey]);
}

/**
 * Computes the key of a finding that is located in another file than its rollout.
 * Returns undefined for other findings, and for errors, because each error stops its own rollout.
 */
function computeOutsideKey(rollout: PlannedRollout, finding: Finding, file: string): string | undefined {
  const { source, severity } = finding;
  return source && source.file !== file && severity !== 'error' ? keyOf(rollout, [finding]) : undefined;
}

function addOtherFiles(finding: Finding, rule: AnyRule, otherFiles: readonly string[]): Finding {
  const added: DuplicateLocations = { alsoIn: otherFiles };
  const data = { ...finding.data, ...added };
  return { ...finding, data, ...formatFindingText(rule, finding.messageId, data) };
}

function collectSharedFindings(placed: readonly RolloutWithSource[]): SharedFindings {
  const files: SharedFindings['files'] = new Map();
  const reporters: SharedFindings['reporters'] = new Map();
  for (const { rollout, text } of placed) {
    if (!text) continue;
    for (const finding of rollout.findings) {
      const sharedKey = computeSharedKey(rollout, finding);
      if (sharedKey !== undefined) files.set(sharedKey, (files.get(sharedKey) ?? new Set()).add(text.file));
      const outsideKey = computeOutsideKey(rollout, finding, text.file);
      if (outsideKey !== undefined && !reporters.has(outsideKey)) reporters.set(outsideKey, text.file);
    }
  }
  return { files, reporters };
}

function hasSeveralFiles(placed: readonly RolloutWithSource[]): boolean {
  const [first, ...others] = placed.filter(({ rollout }) => rollout.findings.length > 0).flatMap(({ text }) => text?.file ?? []);
  return others.some((file) => file !== first);
}

/**
 * Reports a problem once if several files contain it, such as a container without a probe in a base and in its rendered output.
 * The finding is in the first file and lists the others. It is deduplicated only if its message has a `deduplicationKey`.
 * A finding located outside the files of rollouts with one name is reported once as well.
 */
export function deduplicateFindings(placed: readonly RolloutWithSource[]): readonly RolloutWithSource[] {
  if (!hasSeveralFiles(placed)) return placed;
  const { files, reporters } = collectSharedFindings(placed);
  const reportOnce = (finding: Finding, rollout: PlannedRollout, file: string): Finding[] => {
    const outsideKey = computeOutsideKey(rollout, finding, file);
    if (outsideKey !== undefined && reporters.get(outsideKey) !== file) return [];
    const sharedKey = computeSharedKey(rollout, finding);
    const [first, ...others] = sharedKey === undefined ? [] : files.get(sharedKey)!;
    if (others.length === 0) return [finding];
    return file === first ? [addOtherFiles(finding, RULE_BY_CODE.get(finding.code)!, others)] : [];
  };
  return placed.map((entry) => {
    const { rollout, text } = entry;
    if (!text || rollout.findings.length === 0) return entry;
    return { rollout: { ...rollout, findings: rollout.findings.flatMap((finding) => reportOnce(finding, rollout, text.file)) }, text };
  });
}

/** Drops a finding about a number that JSON cannot represent if a rollout has an error about the same field, which names its type. */
export function omitReportedNumbers(findings: readonly Finding[], rollouts: readonly PlannedRollout[]): readonly Finding[] {
  if (!findings.some(({ messageId }) => messageId === NOT_FINITE_ID)) return findings;
  const isError = ({ severity, suppressed }: Finding) => severity === 'error' && !suppressed;
  const errors = new Set(rollouts.flatMap((rollout) => rollout.findings.filter(isError).map(({ source }) => JSON.stringify(source))));
  return findings.filter(({ messageId, source }) => messageId !== NOT_FINITE_ID || !errors.has(JSON.stringify(source)));
}

/** Reports whether a finding is one of those that CRDs cause for the fields of an object. */
function isAboutFieldOfCrd(finding: Finding): boolean {
  return invalidObject.matches(finding) || unknownField.matches(finding);
}

/**
 * Drops what CRDs say about a field that a rollout or a check of the input reports. An error is dropped only for another error, and only a
 * finding of the same rule counts if it is suppressed.
 */
export function omitReportedFields(findings: readonly Finding[], rollouts: readonly PlannedRollout[]): readonly Finding[] {
  if (!findings.some(isAboutFieldOfCrd)) return findings;
  const others = [...findings.filter((finding) => !isAboutFieldOfCrd(finding)), ...rollouts.flatMap((rollout) => rollout.findings)];
  const problems = new ReportedProblems(others);
  return findings.filter((finding) => !isAboutFieldOfCrd(finding) || !problems.includes(finding));
}
