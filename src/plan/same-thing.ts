import { textOf as wordsOf } from '../core/finding';
import type { AnyRule, Elsewhere, Finding, Message } from '../core/finding';
import { groupOf } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import { RULE_BY_CODE } from './rules';
import type { PlacedRollout } from './told-apart';

/** Things that rollouts of one name in several files have in common, by what they are. */
interface Things {
  /** The files that hold each, the first of which says it. */
  readonly files: Map<string, Set<string>>;
  /** The file that says what stands outside of all of them, such as in a budget beside five renderings of what it covers. */
  readonly tellers: Map<string, string>;
}

function keyOf({ resource: { kind, name, component, ...resource } }: PlannedRollout, thing: readonly unknown[]): string {
  return JSON.stringify([groupOf(resource), kind, name, component, thing]);
}

/** What a finding is about where the same thing in several files is one thing to mend; undefined for all others, and for what somebody knows of in one file alone. */
function thingOf(rollout: PlannedRollout, { code, messageId, data, suppressed }: Finding) {
  const message = RULE_BY_CODE.get(code)?.messages[messageId] as Message<object> | undefined;
  const thing = suppressed ? undefined : message?.sameThing?.(data);
  return thing && keyOf(rollout, [code, messageId, ...thing]);
}

/** What a finding says of another file than that of its rollout; undefined for all others, and for errors, each of which keeps a rollout from its end. */
function outsideOf(rollout: PlannedRollout, finding: Finding, file: string): string | undefined {
  const { source, severity } = finding;
  return source && source.file !== file && severity !== 'error' ? keyOf(rollout, [finding]) : undefined;
}

function withElsewhere(finding: Finding, rule: AnyRule, elsewhere: readonly string[]): Finding {
  const added: Elsewhere = { elsewhere };
  const data = { ...finding.data, ...added };
  return { ...finding, data, ...wordsOf(rule, finding.messageId, data) };
}

function thingsIn(placed: readonly PlacedRollout[]): Things {
  const files: Things['files'] = new Map();
  const tellers: Things['tellers'] = new Map();
  for (const { rollout, text } of placed) {
    if (!text) continue;
    for (const finding of rollout.findings) {
      const thing = thingOf(rollout, finding);
      if (thing !== undefined) files.set(thing, (files.get(thing) ?? new Set()).add(text.file));
      const outside = outsideOf(rollout, finding, text.file);
      if (outside !== undefined && !tellers.has(outside)) tellers.set(outside, text.file);
    }
  }
  return { files, tellers };
}

function isOfSeveralFiles(placed: readonly PlacedRollout[]): boolean {
  const [first, ...others] = placed.filter(({ rollout }) => rollout.findings.length > 0).flatMap(({ text }) => text?.file ?? []);
  return others.some((file) => file !== first);
}

/**
 * Says of one thing in several files, such as a container without a probe in a base and in what is rendered of it,
 * what there is to say in the first of them, which names the others. Which findings those are, the messages of their rules say.
 * What stands outside of files that hold one name is said once as well.
 */
export function eachThingOnce(placed: readonly PlacedRollout[]): readonly PlacedRollout[] {
  if (!isOfSeveralFiles(placed)) return placed;
  const { files, tellers } = thingsIn(placed);
  const saidOnce = (finding: Finding, rollout: PlannedRollout, file: string): Finding[] => {
    const outside = outsideOf(rollout, finding, file);
    if (outside !== undefined && tellers.get(outside) !== file) return [];
    const thing = thingOf(rollout, finding);
    const [first, ...others] = thing === undefined ? [] : files.get(thing)!;
    if (others.length === 0) return [finding];
    return file === first ? [withElsewhere(finding, RULE_BY_CODE.get(finding.code)!, others)] : [];
  };
  return placed.map((one) => {
    const { rollout, text } = one;
    if (!text || rollout.findings.length === 0) return one;
    return { rollout: { ...rollout, findings: rollout.findings.flatMap((finding) => saidOnce(finding, rollout, text.file)) }, text };
  });
}
