import type { ReplicaSetState } from '../../cluster/rollout/initial-state';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { defaultDeploymentStrategy, resolveFenceposts } from '../../workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../workloads/deployment/types';

function isSaturated({ isNew, size, available, desired }: ReplicaSetState, replicas: number): boolean {
  return isNew && size === replicas && available === replicas && desired === replicas;
}

/**
 * Returns the replicas to which a Deployment must return before its controller does anything. With type Recreate the controller resizes no
 * ReplicaSet while two have pods, and it does not roll as long as their annotation differs from the replicas.
 *
 * Source: k/k v1.34.4 pkg/controller/deployment/sync.go, `scale`; deployment_controller.go, `syncDeployment`.
 */
export function findBlockingReplicas(deployment: Manifest, replicas: number, sets: readonly ReplicaSetState[]): number | undefined {
  const { strategy } = getFieldsAt(deployment, 'spec');
  if (defaultDeploymentStrategy(strategy as DeploymentStrategySpec | undefined).type !== 'Recreate') return undefined;
  const active = sets.filter(({ size }) => size > 0);
  if (active.length < 2 || sets.some((set) => isSaturated(set, replicas))) return undefined;
  return active.find(({ desired }) => desired !== undefined && desired !== replicas)?.desired;
}

/**
 * Counts the pods of a paused Deployment that is scaled while pods of two versions run: the controller scales both, to the replicas and the surge.
 * 4 replicas with 2 new and 3 old pods that become 10 have 13 pods, with a surge of 3. Returns undefined if there is one version.
 *
 * Source: k/k v1.34.4 pkg/controller/deployment/sync.go, `scale`.
 */
export function countPausedPods(deployment: Manifest, replicas: number, sets: readonly ReplicaSetState[]): number | undefined {
  const { paused, strategy } = getFieldsAt(deployment, 'spec');
  const effective = defaultDeploymentStrategy(strategy as DeploymentStrategySpec | undefined);
  if (paused !== true || effective.type === 'Recreate' || sets.filter(({ size }) => size > 0).length < 2) return undefined;
  if (sets.some((set) => isSaturated(set, replicas))) return replicas;
  return replicas === 0 ? 0 : replicas + resolveFenceposts(effective.rollingUpdate, replicas).surge;
}
