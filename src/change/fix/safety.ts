import { rankOf } from '../../core/severity';
import type { ObjectChange } from '../../core/change';
import type { FixObstacle } from '../../core/fix-document';
import type { PlanDocument } from '../../core/plan-document';
import { greatest } from '../../core/extremes';
import { untoldBy } from '../../core/first-of-each-rule';
import type { PlannedRollout, ResourceRef } from '../../core/rollout';
import { foundIn, foundKey, resourceKey, ruleKey, thingKey } from './identity';
import type { Found } from './identity';

/** Why fixes can't be written. */
export interface Unsafe {
  readonly obstacle: FixObstacle;
  /** Of findings that come up. */
  readonly codes?: readonly string[];
}

/** What speaks against fixes, and of what it is said, as far as that is known. */
export interface Problem {
  readonly why: Unsafe;
  readonly about: readonly Partial<Found>[];
}

function counts(keys: readonly string[]): Map<string, number> {
  const byKey = new Map<string, number>();
  for (const key of keys) byKey.set(key, (byKey.get(key) ?? 0) + 1);
  return byKey;
}

/** How many findings of a rule about a resource a plan counts, and does not tell. */
function untoldIn(plan: PlanDocument): Map<string, number> {
  const byRule = new Map<string, number>();
  for (const found of foundIn(plan)) {
    const untold = untoldBy(found.finding);
    if (untold > 0) byRule.set(ruleKey(found), (byRule.get(ruleKey(found)) ?? 0) + untold);
  }
  return byRule;
}

/** What a plan finds that another one does not, nor counts among what it does not tell. */
export function newlyFound(before: PlanDocument, after: PlanDocument): Found[] {
  const left = counts(foundIn(before).map(thingKey));
  const untold = untoldIn(before);
  const isOneOf = (known: Map<string, number>, key: string) => {
    const count = known.get(key) ?? 0;
    known.set(key, count - 1);
    return count > 0;
  };
  return foundIn(after).filter((found) => !isOneOf(left, thingKey(found)) && !isOneOf(untold, ruleKey(found)));
}

interface PodFigures {
  readonly replicas: number;
  readonly minAvailable: number;
}

/** The pods of a rollout that comes to its end; undefined for any other, which has none to lose. */
function podsOf({ simulation }: PlannedRollout): PodFigures | undefined {
  if (simulation === null || !('minAvailable' in simulation) || ('halted' in simulation && simulation.halted !== undefined))
    return undefined;
  return { replicas: 'nodes' in simulation ? simulation.nodes : simulation.replicas, minAvailable: simulation.minAvailable };
}

/** Each of what comes after with the one before it that has the same key; of namesakes the first with the first. */
function paired<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (one: T) => string,
): { readonly old: T | undefined; readonly now: T }[] {
  const byKey = new Map<string, T[]>();
  for (const old of before) {
    const known = byKey.get(keyOf(old));
    if (known) known.push(old);
    else byKey.set(keyOf(old), [old]);
  }
  return after.map((now) => ({ old: byKey.get(keyOf(now))?.shift(), now }));
}

/** The rollouts that have fewer pods than they had, at their end or on the way. */
function withFewerPods(before: PlanDocument, after: PlanDocument): ResourceRef[] {
  const keyOf = ({ resource, unit = '' }: PlannedRollout) => `${resourceKey(resource)} ${unit}`;
  return paired(before.rollouts, after.rollouts, keyOf).flatMap((pair) => {
    const old = pair.old && podsOf(pair.old);
    const now = podsOf(pair.now);
    const isLess = old !== undefined && now !== undefined && (now.replicas < old.replicas || now.minAvailable < old.minAvailable);
    return isLess ? [pair.now.resource] : [];
  });
}

const BREAKS: ReadonlySet<string> = new Set(['refused', 'replace']);

/** What the migration from OLD does with the fixes that it does not without them. */
function migrationProblem(before: PlanDocument, after: PlanDocument): Problem | undefined {
  if (!before.change || !after.change) return undefined;
  const keyOf = ({ resource, source }: ObjectChange) => `${resourceKey(resource)} ${source?.file ?? ''}`;
  for (const { old, now } of paired(before.change.objects, after.change.objects, keyOf)) {
    const { effect, pods, resource } = now;
    if (BREAKS.has(effect) && (!old || !BREAKS.has(old.effect))) return { why: { obstacle: 'refused' }, about: [{ resource }] };
    if (pods && old?.pods && pods.after < old.pods.after) return { why: { obstacle: 'fewer-pods' }, about: [{ resource }] };
  }
  const [lowest, was] = [after.change.summary.lowest, before.change.summary.lowest];
  const isLower = lowest && was && lowest.available * was.replicas < was.available * lowest.replicas;
  return isLower ? { why: { obstacle: 'fewer-pods' }, about: [] } : undefined;
}

/** What speaks against fixes that are written together; undefined where nothing does. */
export function unsafe(before: PlanDocument, after: PlanDocument, fixed: readonly Found[]): Problem | undefined {
  const wasThere = counts(foundIn(before).map(foundKey));
  const isThere = counts(foundIn(after).map(foundKey));
  const left = fixed.filter((found) => (isThere.get(foundKey(found)) ?? 0) >= (wasThere.get(foundKey(found)) ?? 0));
  if (left.length > 0) return { why: { obstacle: 'stays' }, about: left };
  const mildest = greatest(fixed.map(({ finding }) => rankOf(finding.severity)));
  const worse = newlyFound(before, after).filter(({ finding }) => rankOf(finding.severity) <= mildest);
  if (worse.length > 0)
    return { why: { obstacle: 'new-finding', codes: [...new Set(worse.map(({ finding }) => finding.code))] }, about: worse };
  const fewer = withFewerPods(before, after);
  if (fewer.length > 0) return { why: { obstacle: 'fewer-pods' }, about: fewer.map((resource) => ({ resource })) };
  return migrationProblem(before, after);
}
