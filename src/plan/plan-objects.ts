import type { PlanContext } from '../cluster/context/context';
import type { SystemRollout } from '../cluster/rollout/system-rollout';
import type { Manifest } from '../core/manifest/manifest';
import { applyPodChange } from './apply-change';
import type { ClaimedObject } from './claim-objects';

/** A rollout of a unit, planned on its own, and its object. */
export interface UnitRollout {
  readonly object: Manifest;
  readonly rollout: SystemRollout;
}

/** Plans each object of a unit with its system. An object has several rollouts if it has several components. */
export function planClaimedObjects(claimed: readonly ClaimedObject[], context: PlanContext): readonly UnitRollout[] {
  return claimed.flatMap(({ object, system }) => {
    context.deadline?.check();
    const rollouts = system.plan(object, context);
    return rollouts.map((rollout) => ({ object, rollout: context.changedPods ? applyPodChange(rollout, object, context) : rollout }));
  });
}
