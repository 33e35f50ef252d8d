import type { ObjectChange } from '../../core/change';
import type { FixObstacle } from '../../core/fix-document';
import type { PlanDocument } from '../../core/plan-document';
import { greatest } from '../../core/extremes';
import type { PlannedRollout } from '../../core/rollout';
import { foundIn, foundKey, rank, resourceKey, thingKey } from './identity';
import type { Found } from './identity';

/** Why fixes can't be written. */
export interface Unsafe {
  readonly obstacle: FixObstacle;
  /** Of findings that come up. */
  readonly codes?: readonly string[];
}

function counts(keys: readonly string[]): Map<string, number> {
  const byKey = new Map<string, number>();
  for (const key of keys) byKey.set(key, (byKey.get(key) ?? 0) + 1);
  return byKey;
}

/** What a plan finds that another one does not. */
export function newlyFound(before: PlanDocument, after: PlanDocument): Found[] {
  const left = counts(foundIn(before).map(thingKey));
  return foundIn(after).filter((found) => {
    const key = thingKey(found);
    const known = left.get(key) ?? 0;
    left.set(key, known - 1);
    return known <= 0;
  });
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

/** Has a rollout fewer pods than it had, at its end or on the way? */
function hasFewerPods(before: PlanDocument, after: PlanDocument): boolean {
  const known = new Map(before.rollouts.map((rollout) => [resourceKey(rollout.resource), podsOf(rollout)]));
  return after.rollouts.some((rollout) => {
    const old = known.get(resourceKey(rollout.resource));
    const now = podsOf(rollout);
    return old !== undefined && now !== undefined && (now.replicas < old.replicas || now.minAvailable < old.minAvailable);
  });
}

const BREAKS: ReadonlySet<string> = new Set(['refused', 'replace']);

/** What the migration from OLD does with the fixes that it does not without them. */
function migrationProblem(before: PlanDocument, after: PlanDocument): FixObstacle | undefined {
  if (!before.change || !after.change) return undefined;
  const known = new Map<string, ObjectChange>(before.change.objects.map((object) => [resourceKey(object.resource), object]));
  for (const { resource, effect, pods } of after.change.objects) {
    const old = known.get(resourceKey(resource));
    if (BREAKS.has(effect) && (!old || !BREAKS.has(old.effect))) return 'refused';
    if (pods && old?.pods && pods.after < old.pods.after) return 'fewer-pods';
  }
  const [lowest, was] = [after.change.summary.lowest, before.change.summary.lowest];
  if (lowest && was && lowest.available * was.replicas < was.available * lowest.replicas) return 'fewer-pods';
  return undefined;
}

/** Why these fixes must not be written; undefined where nothing speaks against them. */
export function unsafe(before: PlanDocument, after: PlanDocument, fixed: readonly Found[]): Unsafe | undefined {
  const wasThere = counts(foundIn(before).map(foundKey));
  const isThere = counts(foundIn(after).map(foundKey));
  if (fixed.some((found) => (isThere.get(foundKey(found)) ?? 0) >= (wasThere.get(foundKey(found)) ?? 0))) return { obstacle: 'stays' };
  const mildest = greatest(fixed.map(({ finding }) => rank(finding)));
  const worse = newlyFound(before, after).filter(({ finding }) => rank(finding) <= mildest);
  if (worse.length > 0) return { obstacle: 'new-finding', codes: [...new Set(worse.map(({ finding }) => finding.code))] };
  if (hasFewerPods(before, after)) return { obstacle: 'fewer-pods' };
  const migration = migrationProblem(before, after);
  return migration && { obstacle: migration };
}
