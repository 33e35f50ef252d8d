import type { LiveObjects } from '../../cluster/context/context';
import { getListAt, nameOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlannedRollout } from '../../core/document/rollout';
import { toCount, hasUnobservedGeneration } from './workload-initial-state';

/** Reports whether a live Deployment still has pods of an older template, or fewer pods of the newest one than desired. */
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

/** Reports whether another rollout of the child workload that a controller created for this one is in progress. */
export function isChildRollingOut(object: Manifest, { creates = [] }: Pick<PlannedRollout, 'creates'>, live: LiveObjects): boolean {
  return creates.some(({ kind, name }) => {
    const isRollingOut = ROLLING_OUT_BY_KIND[kind];
    return isRollingOut !== undefined && live.ownedBy(object, kind).some((child) => nameOf(child) === name && isRollingOut(child));
  });
}
