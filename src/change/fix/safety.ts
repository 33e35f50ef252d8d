import { groupBy } from '../../core/collections/group-by';
import { severityRankOf } from '../../core/findings/severity';
import type { ObjectChange } from '../../core/document/change';
import type { FixObstacle } from '../../core/document/fix-document';
import type { PlanDocument } from '../../core/document/plan-document';
import { findMax } from '../../core/values/min-max';
import { countOmittedFindings } from '../../core/findings/finding-limits';
import type { PlannedRollout, ResourceRef } from '../../core/document/rollout';
import { listFindings, findingKeyOf, resourceKeyOf, ruleKeyOf, subjectKeyOf } from './finding-keys';
import type { LocatedFinding } from './finding-keys';

/** Why a fix is not written. */
export interface FixRejection {
  readonly obstacle: FixObstacle;
  /** The codes of the findings that the fix would add. */
  readonly codes?: readonly string[];
}

/** Why fixes are not safe, and for which findings or resources, if known. */
export interface FixProblem {
  readonly reason: FixRejection;
  readonly about: readonly Partial<LocatedFinding>[];
}

function countKeys(keys: readonly string[]): Map<string, number> {
  const byKey = new Map<string, number>();
  for (const key of keys) byKey.set(key, (byKey.get(key) ?? 0) + 1);
  return byKey;
}

/** Returns how many findings of each rule and resource a plan counts but does not list. */
function countUnlistedFindings(plan: PlanDocument): Map<string, number> {
  const byRule = new Map<string, number>();
  for (const found of listFindings(plan)) {
    const unlisted = countOmittedFindings(found.finding);
    if (unlisted > 0) byRule.set(ruleKeyOf(found), (byRule.get(ruleKeyOf(found)) ?? 0) + unlisted);
  }
  return byRule;
}

/** Returns the findings of a plan that another plan neither lists nor counts among the unlisted ones. */
export function findNewFindings(before: PlanDocument, after: PlanDocument): LocatedFinding[] {
  const remaining = countKeys(listFindings(before).map(subjectKeyOf));
  const unlisted = countUnlistedFindings(before);
  const isOneOf = (known: Map<string, number>, key: string) => {
    const count = known.get(key) ?? 0;
    known.set(key, count - 1);
    return count > 0;
  };
  return listFindings(after).filter((found) => !isOneOf(remaining, subjectKeyOf(found)) && !isOneOf(unlisted, ruleKeyOf(found)));
}

interface PodCounts {
  readonly replicas: number;
  readonly minAvailable: number;
}

/** Returns the pods of a rollout that finishes; undefined for any other rollout, which has none to lose. */
function podCountsOf({ simulation }: PlannedRollout): PodCounts | undefined {
  if (simulation === null || !('minAvailable' in simulation) || ('halted' in simulation && simulation.halted !== undefined))
    return undefined;
  return { replicas: 'nodes' in simulation ? simulation.nodes : simulation.replicas, minAvailable: simulation.minAvailable };
}

/** Matches each item of `after` with the item of `before` that has the same key. If several have one key, the first matches the first. */
function matchByKey<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (one: T) => string,
): { readonly old: T | undefined; readonly now: T }[] {
  const byKey = groupBy(before, keyOf);
  return after.map((now) => ({ old: byKey.get(keyOf(now))?.shift(), now }));
}

/** Returns the rollouts that have fewer pods than before, at the end or on the way. */
function findRolloutsWithFewerPods(before: PlanDocument, after: PlanDocument): ResourceRef[] {
  const keyOf = ({ resource, unit = '' }: PlannedRollout) => `${resourceKeyOf(resource)} ${unit}`;
  return matchByKey(before.rollouts, after.rollouts, keyOf).flatMap((pair) => {
    const old = pair.old && podCountsOf(pair.old);
    const now = podCountsOf(pair.now);
    const isLess = old !== undefined && now !== undefined && (now.replicas < old.replicas || now.minAvailable < old.minAvailable);
    return isLess ? [pair.now.resource] : [];
  });
}

const BREAKING_EFFECTS: ReadonlySet<string> = new Set(['refused', 'replace']);

/** Returns the problem that the fixes add to the migration from OLD. */
function findMigrationProblem(before: PlanDocument, after: PlanDocument): FixProblem | undefined {
  if (!before.change || !after.change) return undefined;
  const keyOf = ({ resource, source }: ObjectChange) => `${resourceKeyOf(resource)} ${source?.file ?? ''}`;
  for (const { old, now } of matchByKey(before.change.objects, after.change.objects, keyOf)) {
    const { effect, pods, resource } = now;
    if (BREAKING_EFFECTS.has(effect) && (!old || !BREAKING_EFFECTS.has(old.effect)))
      return { reason: { obstacle: 'refused' }, about: [{ resource }] };
    if (pods && old?.pods && pods.after < old.pods.after) return { reason: { obstacle: 'fewer-pods' }, about: [{ resource }] };
  }
  const [lowest, was] = [after.change.summary.lowest, before.change.summary.lowest];
  const isLower = lowest && was && lowest.available * was.replicas < was.available * lowest.replicas;
  return isLower ? { reason: { obstacle: 'fewer-pods' }, about: [] } : undefined;
}

/** Returns why fixes cannot be written together; undefined if they can. */
export function findFixProblem(before: PlanDocument, after: PlanDocument, fixed: readonly LocatedFinding[]): FixProblem | undefined {
  const countsBefore = countKeys(listFindings(before).map(findingKeyOf));
  const countsAfter = countKeys(listFindings(after).map(findingKeyOf));
  const remaining = fixed.filter((found) => (countsAfter.get(findingKeyOf(found)) ?? 0) >= (countsBefore.get(findingKeyOf(found)) ?? 0));
  if (remaining.length > 0) return { reason: { obstacle: 'stays' }, about: remaining };
  const mildest = findMax(fixed.map(({ finding }) => severityRankOf(finding.severity)));
  const worse = findNewFindings(before, after).filter(({ finding }) => severityRankOf(finding.severity) <= mildest);
  if (worse.length > 0)
    return { reason: { obstacle: 'new-finding', codes: [...new Set(worse.map(({ finding }) => finding.code))] }, about: worse };
  const fewer = findRolloutsWithFewerPods(before, after);
  if (fewer.length > 0) return { reason: { obstacle: 'fewer-pods' }, about: fewer.map((resource) => ({ resource })) };
  return findMigrationProblem(before, after);
}
