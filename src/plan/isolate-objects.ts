import type { PlanContext } from '../cluster/context/context';
import type { SystemRollout } from '../cluster/rollout/system-rollout';
import { DeadlineError } from '../core/budget/deadline';
import type { Manifest } from '../core/manifest/manifest';
import type { Failure } from './isolate-failures';
import { systemOf } from './registry';

/**
 * Calls a function for one object. If it fails, returns what another one makes of the error, so that the other objects are planned.
 *
 * @throws DeadlineError if the time of the run is over
 */
export function callOrElse<T>(call: () => T, orElse: (error: unknown) => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    return orElse(error);
  }
}

/** Returns the failure of an object whose planning fails; undefined for any other object. */
export function findPlanningFailure(object: Manifest, context: PlanContext): Failure | undefined {
  return callOrElse<Failure | undefined>(
    () => void systemOf(object, context)?.plan(object, context),
    (error) => ({ object, error }),
  );
}

/** Returns the rollouts of an object; none for one whose planning fails, which the plan reports. */
export function listRolloutsIfPlanned(object: Manifest, context: PlanContext): readonly SystemRollout[] {
  return callOrElse(
    () => systemOf(object, context)?.plan(object, context) ?? [],
    () => [],
  );
}
