import { formatFindingText as wordsOf } from '../core/finding';
import type { AnyRule, DuplicateLocations, Finding, RuleMessage } from '../core/finding';
import { groupOf } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import { RULE_BY_CODE } from './rules';
import type { RolloutWithSource } from './disambiguate-names';

/** Things that rollouts of one name in several files have in common, by what they are. */
interface SharedFindings {
  /** The files that hold each, the first of which says it. */
  readonly files: Map<string, Set<string>>;
  /** The file that says what stands outside of all of them, such as in a budget beside five renderings of what it covers. */
  readonly reporters: Map<string, string>;
}

function keyOf({ resource: { kind, name, component, ...resource } }: PlannedRollout, sharedKey: readonly unknown[]): string {
  return JSON.stringify([groupOf(resource), kind, name, component, sharedKey]);
}

/** What a finding is about where the same thing in several files is one thing to mend; undefined for all others, and for what somebody knows of in one file alone. */
function computeSharedKey(rollout: PlannedRollout, { code, messageId, data, suppressed }: Finding) {
  const message = RULE_BY_CODE.get(code)?.messages[messageId] as RuleMessage<object> | undefined;
  const sharedKey = suppressed ? undefined : message?.deduplicationKey?.(data);
  return sharedKey && keyOf(rollout, [code, messageId, ...sharedKey]);
}

/** What a finding says of another file than that of its rollout; undefined for all others, and for errors, each of which keeps a rollout from its end. */
function computeOutsideKey(rollout: PlannedRollout, finding: Finding, file: string): string | undefined {
  const { source, severity } = finding;
  return source && source.file !== file && severity !== 'error' ? keyOf(rollout, [finding]) : undefined;
}

function addOtherFiles(finding: Finding, rule: AnyRule, otherFiles: readonly string[]): Finding {
  const added: DuplicateLocations = { alsoIn: otherFiles };
  const data = { ...finding.data, ...added };
  return { ...finding, data, ...wordsOf(rule, finding.messageId, data) };
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
 * Says of one thing in several files, such as a container without a probe in a base and in what is rendered of it,
 * what there is to say in the first of them, which names the others. Which findings those are, the messages of their rules say.
 * What stands outside of files that hold one name is said once as well.
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
