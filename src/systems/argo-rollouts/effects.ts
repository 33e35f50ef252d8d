import type { SystemEffect } from '../../cluster/context';
import { deepEqual } from '../../core/deep-equal';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { ROLLOUT_DEFAULTS } from './strategy';

function replicasOf({ replicas }: Readonly<Record<string, unknown>>): number {
  return isInt32(replicas) ? replicas : ROLLOUT_DEFAULTS.replicas;
}

/**
 * What an edit of a Rollout at rest does: another template rolls, replicas scale, and new steps hold from the next rollout on,
 * for the controller finds itself at the stable version and passes them all.
 *
 * `restartAt` evicts pods one by one, which is no rollout and is not simulated.
 * Source: Argo Rollouts v1.9.1, rollout/canary.go (`syncRolloutStatusCanary`), rollout/restart.go.
 */
export function rolloutEffect(old: Manifest, next: Manifest): SystemEffect {
  const [before, after] = [fieldsAt(old, 'spec'), fieldsAt(next, 'spec')];
  const replicas = { old: replicasOf(before), next: replicasOf(after) };
  const isNew = !deepEqual(before.template, after.template) || !deepEqual(before.workloadRef, after.workloadRef);
  const scales = replicas.old !== replicas.next;
  if (isNew && after.paused === true) return { effect: 'held', replicas: { old: replicas.old, next: replicas.old } };
  if (isNew && replicas.next > 0 && replicas.old > 0) return { effect: scales ? 'roll-and-scale' : 'roll', replicas };
  if (isNew && !scales) return { effect: 'held', replicas };
  if (scales) return { effect: after.paused === true ? 'held' : 'scale', replicas };
  if (!deepEqual(before.restartAt, after.restartAt)) return { effect: 'unknown', replicas };
  return { effect: 'settings', replicas };
}
