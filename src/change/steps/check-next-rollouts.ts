import type { Manifest } from '../../core/manifest/manifest';
import type { PlanDocument } from '../../core/document/plan-document';
import { planInput } from '../../plan/plan';
import { replaceObjects } from '../../plan/plan-input';
import type { PlanInput } from '../../plan/plan-input';
import { raiseNewOutages } from '../result/new-outages';
import { addFailures } from '../result/add-failures';
import { addNextRolloutFindings, mayAlterNextRollout } from '../result/next-rollout';
import { getResultingObject, isNamespaceAssumed, normalizeIdentity } from '../compare/object-comparison';
import type { ObjectEffect } from '../effects/object-effect';
import { mapByRollout } from '../result/rollout-key';
import { withUnlimitedOutput } from '../change-state';
import type { PlannedResult } from '../change-state';

/** Returns the objects as they are after NEW is applied, without new objects that are refused, and once suspended sources are resumed. */
function listResultingObjects(objectEffects: readonly ObjectEffect[]): Manifest[] {
  return objectEffects.flatMap(({ comparison }) => {
    const { ignoredBy, withoutSkip } = comparison;
    return ignoredBy === 'suspension' && withoutSkip ? withoutSkip.result : (getResultingObject(comparison) ?? []);
  });
}

/** Returns OLD with the namespaces of NEW for objects that have one on one side only, so that both sides have one name. */
function alignNamespaces({ old, oldOnce, pairs }: PlannedResult): PlanInput {
  const aligned = new Map(pairs.filter(isNamespaceAssumed).map((pair) => [pair.old!, normalizeIdentity(pair.old!, pair)]));
  return replaceObjects({ ...old, objects: oldOnce }, (object) => aligned.get(object) ?? object);
}

/** Returns the keys of the rollouts whose object OLD has, as `mapByRollout` uses them. */
function listReplacingRollouts({ objectEffects, rollouts }: PlannedResult): ReadonlySet<string> {
  const planned = objectEffects.flatMap(({ comparison: { old, result } }) =>
    [...(rollouts.get(result)?.values() ?? [])].map(({ resource }) => ({ resource, isReplacing: old !== undefined })),
  );
  return new Set([...mapByRollout(planned)].flatMap(([key, { isReplacing }]) => (isReplacing ? [key] : [])));
}

/** Adds what the next rollouts of NEW meet, and the objects whose next rollout cannot be planned. */
function addNextRollouts(planned: PlanDocument, old: PlanDocument, next: PlanDocument): PlanDocument {
  return addFailures(addNextRolloutFindings(planned, { old, next }), next);
}

/**
 * Adds what later rollouts meet that the change itself does not: a trap for the next rollout, and an outage that OLD did not have. Both sides are
 * planned for it, each at most once and only if the change may alter the next rollout.
 */
export function checkNextRollouts(result: PlannedResult): PlanDocument {
  const { next, options, deadline, planned, objectEffects, deleted, retained, ownedObjects, located } = result;
  const planSide = (side: PlanInput) => {
    // It receives the rollouts of the change.
    const { onEvaluated: _, ...others } = side;
    const plan = planInput({ ...others, findings: [], deadline }, withUnlimitedOutput(options));
    // A plan that ran out of time has no rollouts, and the problems of OLD would look new.
    deadline.check();
    return plan;
  };
  let oldPlan: PlanDocument | undefined;
  const planOld = () => (oldPlan ??= planSide(alignNamespaces(result)));
  const planNext = () => planSide({ ...next, ...located, objects: [...listResultingObjects(objectEffects), ...retained, ...ownedObjects] });
  const changes = [
    ...objectEffects.map(({ effect, comparison: { next: object } }) => ({ object, effect })),
    ...[...deleted].map((object) => ({ object, effect: 'delete' as const })),
  ];
  const plan = mayAlterNextRollout(planned, changes) ? addNextRollouts(planned, planOld(), planNext()) : planned;
  const replacing = listReplacingRollouts(result);
  return raiseNewOutages(plan, planOld, (key) => replacing.has(key));
}
