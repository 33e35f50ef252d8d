import { checkTimeNow } from '../../core/budget/deadline';
import { toCheckoutPath } from '../../core/sources/checkout-path';
import { addToGroup } from '../../core/collections/group-by';
import type { ApplyEffect, ObjectChange } from '../../core/document/change';
import type { Finding, Source } from '../../core/findings/finding';
import { isNextRolloutFinding } from '../../core/findings/finding';
import { isNotFinite, isOverBudget } from '../../core/findings/reading-rules';
import { countFindings, withSummary } from '../../core/document/plan-document';
import type { FindingCounts, PlanDocument } from '../../core/document/plan-document';
import type { ResourceRef } from '../../core/document/rollout';
import { resourceOf } from '../../plan/resource-refs';
import type { PlanInput } from '../../plan/plan-input';
import { helmTemplate } from '../../core/rules/helm-template';
import { template } from '../../core/rules/template';
import { notRendered } from '../../core/rules/not-rendered';
import { skipped } from '../../core/rules/skipped';
import { unreadable } from '../../core/rules/unreadable';
import { ROOT_PATH } from '../../core/manifest/field-path';
import { formatReference } from '../../core/manifest/manifest';
import { severityRankOf } from '../../core/findings/severity';
import { guardrailsRefused } from '../../guardrails/rules/refused';
import { FileCounterparts } from './file-counterparts';
import { rolloutObjectKeyOf, rolloutKeyOf } from './rollout-key';
import { incompleteInformation } from '../rules/incomplete-information';
import { notApplied } from '../rules/not-applied';

/** A plan of a change with only the findings that the change is responsible for. */
export interface RelevantFindings {
  /** The plan without the other findings. Its summary does not count them. */
  readonly plan: PlanDocument;
  /** Counts of the other findings: OLD has them too, and their objects do not change. */
  readonly untouched: FindingCounts;
}

/** Returns the keys of the objects that a change touches, or that behave differently. */
function collectTouchedObjects({ change, behaviour }: PlanDocument): ReadonlySet<string> {
  const touched: readonly ResourceRef[] = [
    ...(change?.objects ?? []).filter(({ effect }) => effect !== 'none').map(({ resource }) => resource),
    ...(behaviour?.changed ?? []).map(({ resource }) => resource),
  ];
  return new Set(touched.map(rolloutObjectKeyOf));
}

/** Returns the descriptions of objects that a change touches, or that differ although their tool leaves them as they are or no longer applies them. */
function collectDifferentNames({ findings, change }: PlanDocument): ReadonlySet<unknown> {
  const touched = (change?.objects ?? []).filter(({ effect }) => effect !== 'none');
  const ignored = findings.filter((finding) => notApplied.matches(finding));
  return new Set([...touched.map(({ resource }) => formatReference(resource)), ...ignored.map(({ data }) => data['object'])]);
}

/** Reports whether a finding says that input is missing from the plan, so that the plan cannot know whether it changed. */
export function isIncompleteInput(finding: Finding): boolean {
  const isUnread = incompleteInformation.matches(finding) && ['unread', 'not-in-snapshot', 'not-read-by-name'].includes(finding.messageId);
  const isTemplate = (helmTemplate.matches(finding) || template.matches(finding)) && finding.severity === 'error';
  if (isOverBudget(finding) || isNotFinite(finding)) return true;
  return unreadable.matches(finding) || notRendered.matches(finding) || skipped.matches(finding) || isTemplate || isUnread;
}

/** Returns the data by which a finding is found in the plan of OLD. Those of a budget that does not count only explain a violation, and depend on other objects. */
function identifyingDataOf(finding: Finding): Finding['data'] {
  if (!guardrailsRefused.matches(finding)) return finding.data;
  const { uncertain: _, ...data } = finding.data;
  return data;
}

/** Returns the key by which a finding about no rollout is found in the plan of OLD. It has no file and no line. */
function generalKeyOf(finding: Finding): string {
  const { code, messageId, path, object } = finding;
  return JSON.stringify([code, messageId, path, identifyingDataOf(finding), object]);
}

/**
 * Returns the key by which a finding about a rollout is found in the plan of OLD. It has no figures, so that the same problem is found, except for a
 * violation of the guardrails: an annotation may make a tool leave an object as it is although NEW has other figures.
 */
function rolloutFindingKeyOf(resource: ResourceRef, finding: Finding): string {
  const { code, messageId, path } = finding;
  const isViolation = guardrailsRefused.matches(finding);
  return JSON.stringify([rolloutKeyOf(resource), code, messageId, ...(isViolation ? [identifyingDataOf(finding), path] : [])]);
}

/** A finding of OLD: its file, the rank of its severity, and how many equal ones there are. */
interface OldFinding {
  readonly file: string | undefined;
  readonly rank: number;
  count: number;
}

/** Equal findings of OLD. Those of one file and severity are one. */
class OldFindings {
  private readonly byFile = new Map<string | undefined, OldFinding[]>();
  readonly all: OldFinding[] = [];
  /** Number of the first of them that are taken. */
  private taken = 0;

  add({ source, severity }: Finding): void {
    const rank = severityRankOf(severity);
    const same = this.byFile.get(source?.file)?.find((other) => other.rank === rank);
    if (same) {
      same.count++;
      return;
    }
    const added = { file: source?.file, rank, count: 1 };
    this.all.push(added);
    addToGroup(this.byFile, source?.file, added);
  }

  /** Reports whether one is at least as severe as a finding of NEW: of its file, or else of another file that may be the same. */
  has({ source, severity }: Finding, mayBe: (file: string | undefined) => boolean): boolean {
    const isKnown = ({ rank }: OldFinding) => rank <= severityRankOf(severity);
    if (this.byFile.get(source?.file)?.some(isKnown)) return true;
    return this.all.some((other) => {
      checkTimeNow();
      return isKnown(other) && mayBe(other.file);
    });
  }

  /** Takes one that is at least as severe as a finding of NEW: of its file, or else of another file that may be the same. Reports whether there is one. */
  take({ source, severity }: Finding, mayBe: (file: string | undefined) => boolean): boolean {
    const isKnown = ({ rank, count }: OldFinding) => count > 0 && rank <= severityRankOf(severity);
    const known = this.byFile.get(source?.file)?.find(isKnown) ?? this.findFrom((other) => isKnown(other) && mayBe(other.file));
    if (!known) return false;
    known.count--;
    return true;
  }

  private findFrom(isKnown: (finding: OldFinding) => boolean): OldFinding | undefined {
    while (this.all[this.taken]?.count === 0) this.taken++;
    for (let at = this.taken; at < this.all.length; at++) {
      checkTimeNow();
      if (isKnown(this.all[at]!)) return this.all[at];
    }
    return undefined;
  }
}

/** Groups findings of OLD, by their keys. */
function groupOldFindings(findings: Iterable<readonly [key: string, finding: Finding]>): ReadonlyMap<string, OldFindings> {
  const groups = new Map<string, OldFindings>();
  for (const [key, finding] of findings) {
    const group = groups.get(key) ?? new OldFindings();
    groups.set(key, group);
    group.add(finding);
  }
  return groups;
}

/** Files of objects, by the key of the object. */
export type FilesByObject = ReadonlyMap<string, readonly string[]>;

/** Groups the files of the objects of an input. */
export function groupFilesByObject({ objects, locate = () => undefined }: Pick<PlanInput, 'objects' | 'locate'>): FilesByObject {
  const files = new Map<string, string[]>();
  for (const object of objects) {
    const source = locate(object, ROOT_PATH);
    if (source) addToGroup(files, rolloutObjectKeyOf(resourceOf(object)), source.file);
  }
  return files;
}

/** Returns the counterparts of objects that several files have. Of any other object, the only file may be that of the other side. */
function toCounterparts(files: FilesByObject): ReadonlyMap<string, FileCounterparts> {
  return new Map([...files].flatMap(([key, names]) => (names.length > 1 ? [[key, new FileCounterparts(names)] as const] : [])));
}

/**
 * Returns a check whether OLD has a finding about a rollout with this severity, or a worse one. If several files have an object of its name, such as
 * for two clusters, the finding of one is not that of another.
 */
function createRolloutCheck(
  { change }: PlanDocument,
  { rollouts }: PlanDocument,
  filesOfOld: FilesByObject,
): (resource: ResourceRef, finding: Finding) => boolean {
  const files = new Map<string, string[]>();
  for (const { resource, source } of change?.objects ?? []) if (source) addToGroup(files, rolloutObjectKeyOf(resource), source.file);
  const counterparts = toCounterparts(files);
  const counterpartsInOld = toCounterparts(filesOfOld);
  const before = groupOldFindings(
    rollouts.flatMap(({ resource, findings }) => findings.map((finding) => [rolloutFindingKeyOf(resource, finding), finding] as const)),
  );
  return (resource, finding) => {
    const key = rolloutObjectKeyOf(resource);
    const [inNew, inOld, file] = [counterparts.get(key), counterpartsInOld.get(key), finding.source?.file];
    const mayBe = (old: string | undefined) => inNew?.mayBe(old, file) !== false && inOld?.mayBe(file, old) !== false;
    return before.get(rolloutFindingKeyOf(resource, finding))?.has(finding, mayBe) === true;
  };
}

function fileKeyOf(finding: Finding): string {
  return JSON.stringify([generalKeyOf(finding), finding.source && toCheckoutPath(finding.source.file)]);
}

/** Reports whether a finding is at the beginning of an object or after it. Objects of JSON may be on one line. */
function isAtOrAfter(finding: Source, object: Source): boolean {
  if (finding.line !== object.line) return finding.line > object.line;
  return (finding.column ?? Infinity) >= (object.column ?? 1);
}

/** Creates a lookup of the effect on the object that a finding is in; undefined if the change does not touch one there. */
function createEffectLookup({ change }: PlanDocument): (finding: Finding) => ApplyEffect | undefined {
  const objects = new Map<string, ObjectChange[]>();
  for (const object of change?.objects ?? []) if (object.source) addToGroup(objects, object.source.file, object);
  return ({ source }) => {
    if (!source) return undefined;
    const ofFile = objects.get(source.file) ?? [];
    checkTimeNow();
    const found = ofFile.findLast((object) => isAtOrAfter(source, object.source!)) ?? ofFile[0];
    return found?.effect === 'none' ? undefined : found?.effect;
  };
}

/**
 * Returns the findings about no rollout that OLD has too. Their data may not name an object, so each one of OLD makes only one of NEW known: if OLD
 * has a problem once and NEW twice, one is new. It is the one in another file. A finding in an object that the change touches is known only by one
 * in the same file, or in one that NEW no longer has. An error in a refused object is not known, since nothing of the change is stored,
 * and neither is a violation of the guardrails in an object that the change touches, as for rollouts, or that differs and is left as it is.
 */
function findKnownGeneralFindings(plan: PlanDocument, before: readonly Finding[], different: ReadonlySet<unknown>): ReadonlySet<Finding> {
  const { findings: found, change } = plan;
  const remaining = groupOldFindings(before.map((finding) => [generalKeyOf(finding), finding]));
  const effectOf = createEffectLookup(plan);
  const files = new FileCounterparts((change?.objects ?? []).flatMap(({ source }) => source?.file ?? []));
  const take = (finding: Finding): boolean => {
    const effect = effectOf(finding);
    if (effect === 'refused' && finding.severity === 'error') return false;
    if (different.has(finding.data['resource']) && guardrailsRefused.matches(finding)) return false;
    const mayBe = (file: string | undefined) => effect === undefined || files.mayBe(file, finding.source?.file);
    return remaining.get(generalKeyOf(finding))?.take(finding, mayBe) === true;
  };
  const filesOfOld = new Set(before.map(fileKeyOf));
  const inSameFile = found.filter((finding) => filesOfOld.has(fileKeyOf(finding)));
  const known = new Set(inSameFile.filter(take));
  for (const finding of found) if (!known.has(finding) && take(finding)) known.add(finding);
  return known;
}

/**
 * Returns the plan of a change with the findings of objects that the change touches or makes worse, and counts the others.
 *
 * A finding about an object that does not change stays if OLD does not have it, or has it with a lower severity. A violation of the guardrails also
 * stays in an object that differs, and that an annotation makes its tool leave as it is.
 *
 * @param before - the plan of OLD
 * @param filesOfOld - the files of its objects. @default - not known, so a finding of any file with the same name may be that of NEW
 * @throws DeadlineError if it takes longer than the work that runs now may
 */
export function selectRelevantFindings(plan: PlanDocument, before: PlanDocument, filesOfOld: FilesByObject = new Map()): RelevantFindings {
  const touched = collectTouchedObjects(plan);
  const isKnown = createRolloutCheck(plan, before, filesOfOld);
  const different = collectDifferentNames(plan);
  const knownFindings = findKnownGeneralFindings(plan, before.findings, different);
  const dropped: Finding[] = [];
  const select = (findings: readonly Finding[], isRelevant: (finding: Finding) => boolean): readonly Finding[] => {
    const kept = findings.filter(isRelevant);
    if (kept.length === findings.length) return findings;
    for (const finding of findings) if (!isRelevant(finding)) dropped.push(finding);
    return kept;
  };
  const findings = select(plan.findings, (finding) => isIncompleteInput(finding) || !knownFindings.has(finding));
  const rollouts = plan.rollouts.map((rollout) => {
    const { resource } = rollout;
    if (touched.has(rolloutObjectKeyOf(resource))) return rollout;
    const isDifferent = different.has(formatReference(resource));
    const isRelevant = (finding: Finding) =>
      isNextRolloutFinding(finding) || (isDifferent && guardrailsRefused.matches(finding)) || !isKnown(resource, finding);
    return { ...rollout, findings: select(rollout.findings, isRelevant) };
  });
  return { plan: withSummary({ ...plan, findings, rollouts }), untouched: countFindings(dropped) };
}
