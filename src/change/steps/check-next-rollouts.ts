import type { Manifest } from '../../core/manifest';
import type { PlanDocument } from '../../core/plan-document';
import { planInput } from '../../plan/plan';
import type { PlanInput } from '../../plan/plan-input';
import { raiseNewOutages } from '../new-outages';
import { addNextRolloutFindings, mayAlterNextRollout } from '../next-rollout';
import type { ObjectEffect } from '../object-effect';
import type { ChangeRunOptions } from './change-run';
import type { PlannedResult } from './plan-result';

/** Returns the objects as they are after NEW is applied, without new objects that are refused. */
function listResultingObjects(objectEffects: readonly ObjectEffect[]): Manifest[] {
  return objectEffects.flatMap(({ effect, comparison: { old, result } }) => (effect === 'refused' ? (old?.manifest ?? []) : result));
}

/** Returns the options of a plan that is compared and not written, so that no rollout is missing from it. */
function withUnlimitedOutput(options: ChangeRunOptions): ChangeRunOptions {
  return { ...options, budget: { ...options.budget, 'output-megabytes': Infinity } };
}

/**
 * Adds what later rollouts meet that the change itself does not: a trap for the next rollout, and an outage that OLD did not have. Both sides are
 * planned for it, each at most once and only if the change may alter the next rollout.
 */
export function checkNextRollouts(result: PlannedResult): PlanDocument {
  const { old, next, options, deadline, oldOnce, planned, objectEffects, deleted, retained, ownedObjects, located } = result;
  const planSide = (side: PlanInput, objects: readonly Manifest[]) => {
    const plan = planInput({ ...side, objects, findings: [], deadline }, withUnlimitedOutput(options));
    // A plan that ran out of time has no rollouts, and the problems of OLD would look new.
    deadline.check();
    return plan;
  };
  let oldPlan: PlanDocument | undefined;
  const planOld = () => (oldPlan ??= planSide(old, oldOnce));
  const planNext = () => planSide({ ...next, ...located }, [...listResultingObjects(objectEffects), ...retained, ...ownedObjects]);
  const changes = [
    ...objectEffects.map(({ effect, comparison: { next: object } }) => ({ object, effect })),
    ...[...deleted].map((object) => ({ object, effect: 'delete' as const })),
  ];
  const plan = mayAlterNextRollout(planned, changes) ? addNextRolloutFindings(planned, { old: planOld(), next: planNext() }) : planned;
  return raiseNewOutages(plan, planOld);
}
