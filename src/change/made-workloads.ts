import type { LiveObjects } from '../cluster/context';
import { listAt, nameOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import { count, isUnseen } from './workload-start';

/** Does a live Deployment still have pods of an older template, or fewer of the newest than it wants? */
function isDeploymentUnderWay(deployment: Manifest): boolean {
  const status = (field: string) => count(valueAt(deployment, 'status', field)) ?? 0;
  const wanted = count(valueAt(deployment, 'spec', 'replicas')) ?? 1;
  return isUnseen(deployment) || status('replicas') > status('updatedReplicas') || status('updatedReplicas') < wanted;
}

function isSetUnderWay(set: Manifest): boolean {
  return listAt(set, 'status', 'conditions').some(
    (condition) => valueAt(condition, 'type') === 'UpdateInProgress' && valueAt(condition, 'status') === 'True',
  );
}

const UNDER_WAY: Readonly<Record<string, (workload: Manifest) => boolean>> = {
  Deployment: isDeploymentUnderWay,
  LeaderWorkerSet: isSetUnderWay,
};

/** Is the workload that a controller has made of a live object for this rollout in the middle of another one? */
export function isMadeUnderWay(object: Manifest, { creates = [] }: Pick<PlannedRollout, 'creates'>, live: LiveObjects): boolean {
  return creates.some(({ kind, name }) => {
    const isUnderWay = UNDER_WAY[kind];
    return isUnderWay !== undefined && live.of(object, kind).some((made) => nameOf(made) === name && isUnderWay(made));
  });
}
