import { textOf as wordsOf } from '../core/finding';
import type { AnyRule, Elsewhere, Finding, Message } from '../core/finding';
import { groupOf } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import type { PlacedRollout } from './told-apart';

/** Files that a finding names. */
const MOST_NAMED = 3;

/** What a finding is about where the same thing in several files is one thing to mend; undefined for all others. */
function thingOf({ resource }: PlannedRollout, finding: Finding, rules: ReadonlyMap<string, AnyRule>): string | undefined {
  const message = rules.get(finding.code)?.messages[finding.messageId] as Message<object> | undefined;
  const thing = message?.sameThing?.(finding.data);
  return thing && JSON.stringify([finding.code, finding.messageId, groupOf(resource), resource.kind, resource.name, thing]);
}

function withElsewhere(finding: Finding, rule: AnyRule, files: readonly string[]): Finding {
  const elsewhere: Elsewhere = { files: files.slice(0, MOST_NAMED), more: Math.max(0, files.length - MOST_NAMED) };
  const data = { ...finding.data, elsewhere };
  return { ...finding, data, ...wordsOf(rule, finding.messageId, data) };
}

/**
 * Says of one thing in several files, such as a container without a probe in a base and in what is rendered of it,
 * what there is to say in the first of them, which names the others. Which findings those are, the messages of their rules say.
 */
export function eachThingOnce(placed: readonly PlacedRollout[], rules: readonly AnyRule[]): PlacedRollout[] {
  const byCode = new Map(rules.map((rule) => [rule.code, rule]));
  const filesOf = new Map<string, Set<string>>();
  for (const { rollout, text } of placed) {
    for (const finding of rollout.findings) {
      const thing = thingOf(rollout, finding, byCode);
      if (text && thing !== undefined) filesOf.set(thing, (filesOf.get(thing) ?? new Set()).add(text.file));
    }
  }
  const saidOnce = (finding: Finding, rollout: PlannedRollout, file: string): Finding[] => {
    const thing = thingOf(rollout, finding, byCode);
    const [first, ...others] = thing === undefined ? [] : filesOf.get(thing)!;
    if (others.length === 0) return [finding];
    return file === first ? [withElsewhere(finding, byCode.get(finding.code)!, others)] : [];
  };
  return placed.map((one) => {
    const { rollout, text } = one;
    if (!text || rollout.findings.length === 0) return one;
    return { rollout: { ...rollout, findings: rollout.findings.flatMap((finding) => saidOnce(finding, rollout, text.file)) }, text };
  });
}
