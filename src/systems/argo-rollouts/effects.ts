import type { InContext, SystemEffect } from '../../cluster/context';
import { deepEqual } from '../../core/deep-equal';
import { fieldsAt } from '../../core/manifest';
import { wantedReplicas } from '../../workloads/replicas';
import { ARGO_ROLLOUT } from './kind';

/**
 * What an edit of a Rollout at rest does: another template rolls, replicas scale, and new steps hold from the next rollout on,
 * for the controller finds itself at the stable version and passes them all.
 *
 * `restartAt` evicts pods one by one, which is no rollout and is not simulated.
 * Source: Argo Rollouts v1.9.1, rollout/canary.go (`syncRolloutStatusCanary`), rollout/restart.go.
 */
export function rolloutEffect(old: InContext, next: InContext): SystemEffect {
  const [before, after] = [fieldsAt(old.object, 'spec'), fieldsAt(next.object, 'spec')];
  const replicas = {
    old: wantedReplicas(ARGO_ROLLOUT, old.object, old.context),
    next: wantedReplicas(ARGO_ROLLOUT, next.object, next.context),
  };
  const isNew = !deepEqual(before.template, after.template) || !deepEqual(before.workloadRef, after.workloadRef);
  const scales = replicas.old !== replicas.next;
  if (isNew && after.paused === true) return { effect: 'held', replicas: { old: replicas.old, next: replicas.old } };
  if (isNew && replicas.next > 0 && replicas.old > 0) return { effect: scales ? 'roll-and-scale' : 'roll', replicas };
  if (isNew && !scales) return { effect: 'held', replicas };
  if (scales) return { effect: after.paused === true ? 'held' : 'scale', replicas };
  if (!deepEqual(before.restartAt, after.restartAt)) return { effect: 'unknown', replicas };
  return { effect: deepEqual(before, after) ? 'none' : 'settings', replicas };
}
