import type { LiveObjects } from '../cluster/context';
import { getListAt, nameOf, getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import { toCount, hasUnobservedGeneration } from './workload-initial-state';

/** Does a live Deployment still have pods of an older template, or fewer of the newest than it wants? */
function isDeploymentRollingOut(deployment: Manifest): boolean {
  const status = (field: string) => toCount(getValueAt(deployment, 'status', field)) ?? 0;
  const desired = toCount(getValueAt(deployment, 'spec', 'replicas')) ?? 1;
  return hasUnobservedGeneration(deployment) || status('replicas') > status('updatedReplicas') || status('updatedReplicas') < desired;
}

function isLeaderWorkerSetRollingOut(set: Manifest): boolean {
  return getListAt(set, 'status', 'conditions').some(
    (condition) => getValueAt(condition, 'type') === 'UpdateInProgress' && getValueAt(condition, 'status') === 'True',
  );
}

const ROLLING_OUT_BY_KIND: Readonly<Record<string, (workload: Manifest) => boolean>> = {
  Deployment: isDeploymentRollingOut,
  LeaderWorkerSet: isLeaderWorkerSetRollingOut,
};

/** Is the workload that a controller has made of a live object for this rollout in the middle of another one? */
export function isChildRollingOut(object: Manifest, { creates = [] }: Pick<PlannedRollout, 'creates'>, live: LiveObjects): boolean {
  return creates.some(({ kind, name }) => {
    const isRollingOut = ROLLING_OUT_BY_KIND[kind];
    return isRollingOut !== undefined && live.ownedBy(object, kind).some((child) => nameOf(child) === name && isRollingOut(child));
  });
}
