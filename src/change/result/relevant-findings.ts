import { toCheckoutPath } from '../../core/checkout-path';
import type { Finding } from '../../core/finding';
import { isNextRolloutFinding } from '../../core/finding';
import { countFindings, summarizePlan } from '../../core/plan-document';
import type { FindingCounts, PlanDocument } from '../../core/plan-document';
import type { ResourceRef } from '../../core/rollout';
import { helmTemplate } from '../../core/rules/helm-template';
import { notRendered } from '../../core/rules/not-rendered';
import { skipped } from '../../core/rules/skipped';
import { unreadable } from '../../core/rules/unreadable';
import { severityRankOf } from '../../core/severity';
import { rolloutObjectKeyOf, rolloutKeyOf } from './rollout-key';
import { incompleteInformation } from '../rules/incomplete-information';

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

/** Reports whether a finding says that input is missing from the plan, so that the plan cannot know whether it changed. */
export function isIncompleteInput(finding: Finding): boolean {
  const isUnread = incompleteInformation.matches(finding) && finding.messageId === 'unread';
  const isChart = helmTemplate.matches(finding) && finding.severity === 'error';
  return unreadable.matches(finding) || notRendered.matches(finding) || skipped.matches(finding) || isChart || isUnread;
}

/** Returns the key by which a finding about no rollout is found in the plan of OLD. It has no file and no line. */
function generalKeyOf({ code, messageId, path, data, object }: Finding): string {
  return JSON.stringify([code, messageId, path, data, object]);
}

/** Returns the key by which a finding about a rollout is found in the plan of OLD. It has no figures, so that the same problem is found. */
function rolloutFindingKeyOf(resource: ResourceRef, { code, messageId }: Finding): string {
  return JSON.stringify([rolloutKeyOf(resource), code, messageId]);
}

/** Returns the worst severity of each finding about a rollout of a plan, as a rank. */
function rankRolloutFindings({ rollouts }: PlanDocument): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  const add = (key: string, { severity }: Finding) => ranks.set(key, Math.min(ranks.get(key) ?? Infinity, severityRankOf(severity)));
  for (const { resource, findings: own } of rollouts) for (const finding of own) add(rolloutFindingKeyOf(resource, finding), finding);
  return ranks;
}

function fileKeyOf(finding: Finding): string {
  return JSON.stringify([generalKeyOf(finding), finding.source && toCheckoutPath(finding.source.file)]);
}

/**
 * Returns the findings about no rollout that OLD has too. Their data may not name an object, so each one of OLD makes only one of NEW known: if OLD
 * has a problem once and NEW twice, one is new. It is the one in another file.
 */
function findKnownGeneralFindings(found: readonly Finding[], before: readonly Finding[]): ReadonlySet<Finding> {
  // Number of the findings of OLD that are not used up, by key and by the rank of their severity.
  const remaining = new Map<string, Map<number, number>>();
  for (const finding of before) {
    const counts = remaining.get(generalKeyOf(finding)) ?? new Map<number, number>();
    const rank = severityRankOf(finding.severity);
    remaining.set(generalKeyOf(finding), counts.set(rank, (counts.get(rank) ?? 0) + 1));
  }
  const take = (finding: Finding): boolean => {
    const counts = remaining.get(generalKeyOf(finding));
    const rank = [...(counts ?? [])].find(([each, count]) => each <= severityRankOf(finding.severity) && count > 0)?.[0];
    if (!counts || rank === undefined) return false;
    counts.set(rank, counts.get(rank)! - 1);
    return true;
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
 * A finding about an object that does not change stays if OLD does not have it, or has it with a lower severity.
 *
 * @param before - the plan of OLD
 */
export function selectRelevantFindings(plan: PlanDocument, before: PlanDocument): RelevantFindings {
  const touched = collectTouchedObjects(plan);
  const ranks = rankRolloutFindings(before);
  const knownFindings = findKnownGeneralFindings(plan.findings, before.findings);
  const isKnown = (key: string, { severity }: Finding) => (ranks.get(key) ?? Infinity) <= severityRankOf(severity);
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
    const isRelevant = (finding: Finding) => isNextRolloutFinding(finding) || !isKnown(rolloutFindingKeyOf(resource, finding), finding);
    return { ...rollout, findings: select(rollout.findings, isRelevant) };
  });
  const relevant = { ...plan, findings, rollouts };
  // The summary can count rollouts that are not listed in the plan.
  const summary = { ...summarizePlan(relevant), rollouts: plan.summary.rollouts };
  return { plan: { ...relevant, summary }, untouched: countFindings(dropped) };
}
