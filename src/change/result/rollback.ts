import { getListAt, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlannedRollout } from '../../core/document/rollout';
import type { RolloutRollback } from '../../core/document/initial-state';
import type { ArgoRolloutSimulation } from '../../core/simulations/argo-rollout';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import type { Simulation } from '../../core/simulations/simulation';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import { isDeletingClaimsOnScale } from '../rules/claims-deleted';
import { startOfOrdinals } from '../compare/moved-ordinals';
import { getStoredReplicas } from '../effects/workload-effect';

function formatNamespaceFlag(object: Manifest): string {
  const namespace = namespaceOf(object);
  return namespace === undefined ? '' : ` -n ${namespace}`;
}

function formatUndoCommand(object: Manifest): string {
  return `kubectl rollout undo ${object.kind.toLowerCase()}/${nameOf(object)}${formatNamespaceFlag(object)}`;
}

const APPLY_OLD = 'apply OLD again';

/** Plans the rollback of a workload that keeps no old revisions; undefined for one that does. */
function planRollbackWithoutHistory(object: Manifest, revision: 'ReplicaSet' | 'ControllerRevision'): RolloutRollback | undefined {
  if (getValueAt(object, 'spec', 'revisionHistoryLimit') !== 0) return undefined;
  return {
    works: false,
    message: `revisionHistoryLimit is 0, so the old ${revision} is deleted once the rollout is complete, and "kubectl rollout undo" finds nothing; ${APPLY_OLD}`,
  };
}

function planDeploymentRollback(object: Manifest): RolloutRollback {
  const lost = planRollbackWithoutHistory(object, 'ReplicaSet');
  if (lost) return lost;
  const isRecreate = getValueAt(object, 'spec', 'strategy', 'type') === 'Recreate';
  return {
    works: true,
    message: isRecreate
      ? 'all pods are down from wave 1, and the old version starts only once the new pods are gone'
      : 'the old ReplicaSet is reused: its running pods count, and pods of the new version that are not ready are deleted at once',
    command: formatUndoCommand(object),
  };
}

/** The simulated rollout that is rolled back, and the system that plans it. */
interface RollbackInput<S extends Simulation> {
  readonly simulation: S;
  readonly object: Manifest;
  readonly system: PlannedRollout['system'];
}

/** Plans the rollback of a workload that another controller writes, which reverts the effect of "kubectl rollout undo". */
function planControllerRollback(system: PlannedRollout['system']): RolloutRollback | undefined {
  if (system === 'kubernetes') return undefined;
  if (system === 'flagger') {
    return {
      works: true,
      message: `until the promotion, the primary keeps the old version and a failed analysis scales the new pods to 0; after it, ${APPLY_OLD}, which Flagger analyzes like any other version`,
    };
  }
  const controller = system === 'kserve' ? 'KServe' : 'the operator';
  return {
    works: true,
    message: `${APPLY_OLD}: ${controller} writes the Deployment, and reverts what "kubectl rollout undo" does to it`,
  };
}

/**
 * Plans the rollback of a LeaderWorkerSet. Its controller treats the old template as one more update: it raises the partition to all groups,
 * then lowers it past each group that is not ready or has that template.
 *
 * Source: lws v0.9.0 pkg/controllers/leaderworkerset_controller.go, `rollingUpdateParameters` and `rollingUpdatePartition`.
 */
function planLeaderWorkerSetRollback(): RolloutRollback {
  return {
    works: true,
    message: `${APPLY_OLD}: the controller goes down from the highest group again, within the same limits, and does not wait for a group that is not ready`,
  };
}

/** Plans the rollback of a StatefulSet. A broken version blocks on the first pod that is replaced. */
function planStatefulSetRollback({ object, simulation }: RollbackInput<StatefulSetSimulation>): RolloutRollback | undefined {
  const [first] = simulation.order;
  if (first === undefined) return undefined;
  if (getValueAt(object, 'spec', 'podManagementPolicy') === 'Parallel') {
    return (
      planRollbackWithoutHistory(object, 'ControllerRevision') ?? {
        works: true,
        message: 'pods of the new version that are not ready do not block the rollback',
        command: formatUndoCommand(object),
      }
    );
  }
  const pod = `${nameOf(object)}-${first}`;
  return {
    works: false,
    message: `if pod ${pod} never becomes ready, the StatefulSet waits for it even after the template is restored (podManagementPolicy OrderedReady): restore the template, then delete that pod`,
    command: `${formatUndoCommand(object)} && kubectl delete pod ${pod}${formatNamespaceFlag(object)}`,
  };
}

function planRayServiceRollback({ simulation }: RollbackInput<RayServiceSimulation>): RolloutRollback | undefined {
  if (simulation.outcome !== 'promoted') return undefined;
  return simulation.rollback
    ? { works: true, message: `${APPLY_OLD} before the new cluster is promoted: the requests return to the running one` }
    : { works: false, message: `${APPLY_OLD} creates a third cluster: the operator does not return to the running one by itself` };
}

/** Plans the rollback of an Argo Rollout. A restart has no other template to restore; deleting `restartAt` stops it. */
function planArgoRolloutRollback({ object, simulation }: RollbackInput<ArgoRolloutSimulation>): RolloutRollback {
  if (simulation.type === 'restart') {
    return {
      works: true,
      message: 'the pods keep their template, so there is nothing to roll back; to stop the restart, delete restartAt',
    };
  }
  if (simulation.rolledBackPods !== undefined) {
    return { works: true, message: `${APPLY_OLD}: it runs all steps from the first` };
  }
  if (simulation.restartsSteps === true) {
    return { works: true, message: `${APPLY_OLD}: the same version runs the old steps from the first` };
  }
  return {
    works: true,
    message: `until it is promoted, abort it: the old pods take all requests again; then ${APPLY_OLD}`,
    command: `kubectl argo rollouts abort ${nameOf(object)}${formatNamespaceFlag(object)}`,
  };
}

type RollbackPlanner<S extends Simulation> = (input: RollbackInput<S>) => RolloutRollback | undefined;

const ROLLBACK_PLANNERS: { readonly [K in Simulation['kind']]: RollbackPlanner<Extract<Simulation, { kind: K }>> } = {
  deployment: ({ object, system }) => planControllerRollback(system) ?? planDeploymentRollback(object),
  statefulset: planStatefulSetRollback,
  daemonset: ({ object }) =>
    planRollbackWithoutHistory(object, 'ControllerRevision') ?? {
      works: true,
      message: 'pods of the new version that are not ready are replaced first, regardless of the limit',
      command: formatUndoCommand(object),
    },
  revision: () => ({ works: true, message: `the old Revision keeps the requests until the new one is ready; ${APPLY_OLD}` }),
  leaderworkerset: planLeaderWorkerSetRollback,
  disaggregatedset: () => ({
    works: true,
    message: `${APPLY_OLD}: the groups with the new version are replaced within the same limits, all roles together`,
  }),
  rayservice: planRayServiceRollback,
  fleet: () => ({
    works: true,
    message: `${APPLY_OLD}, or revert the commit: the clusters with the change get the old version in the same waves`,
  }),
  argorollout: planArgoRolloutRollback,
  rollingsync: () => ({
    works: true,
    message: `${APPLY_OLD}, or revert the commit: the Applications get the old version in the same steps`,
  }),
};

function planTemplateRollback(object: Manifest, { simulation, system }: PlannedRollout): RolloutRollback | undefined {
  return simulation ? (ROLLBACK_PLANNERS[simulation.kind] as RollbackPlanner<Simulation>)({ simulation, object, system }) : undefined;
}

/** An apply that changes the desired number of pods of an object. */
export interface ScaleChange {
  /** The object as the server stored it before. */
  readonly before: Manifest;
  /** The object as the server stores it afterwards. */
  readonly after: Manifest;
  /** The autoscaler that sets the number, such as `HorizontalPodAutoscaler "web"`. */
  readonly autoscaler?: string;
}

/** Systems whose objects users write and that have a scale subresource, except for the kinds listed below. */
const SYSTEMS_WITH_SCALE: ReadonlySet<PlannedRollout['system']> = new Set(['kubernetes', 'argo-rollouts', 'lws']);
const KINDS_WITHOUT_SCALE: ReadonlySet<string> = new Set(['DisaggregatedSet']);

/** Reports whether pods of a StatefulSet get other ordinals, which no scale undoes. */
function isMoved({ before, after }: ScaleChange): boolean {
  return after.kind === 'StatefulSet' && startOfOrdinals(before) !== startOfOrdinals(after);
}

/** Reports whether a StatefulSet with claims gets fewer pods, or pods with other ordinals. */
function leavesClaims({ before, after }: ScaleChange): boolean {
  if (after.kind !== 'StatefulSet' || getListAt(after, 'spec', 'volumeClaimTemplates').length === 0) return false;
  return getStoredReplicas(after) < getStoredReplicas(before) || isMoved({ before, after });
}

const DELETED_CLAIMS = 'whenScaled is Delete, so the claims of the removed pods are deleted, and the pods return with empty ones';

/** Plans how to restore the old number of pods. "kubectl rollout undo" restores only templates. */
function planScaleRollback(object: Manifest, system: PlannedRollout['system'], scaleChange: ScaleChange): RolloutRollback {
  const hasClaims = leavesClaims(scaleChange);
  const works = !hasClaims || !isDeletingClaimsOnScale(scaleChange.after);
  const claims = hasClaims ? `; ${works ? 'the pods reuse their claims' : DELETED_CLAIMS}` : '';
  if (scaleChange.autoscaler !== undefined) {
    return {
      works,
      message: `${scaleChange.autoscaler} sets the number of pods: ${APPLY_OLD} to restore its bounds, within which its metrics decide${claims}`,
    };
  }
  if (isMoved(scaleChange)) return { works, message: `${APPLY_OLD}: the pods with the old ordinals are created again${claims}` };
  if (!SYSTEMS_WITH_SCALE.has(system) || KINDS_WITHOUT_SCALE.has(object.kind)) return { works, message: `${APPLY_OLD}${claims}` };
  const replicas = getStoredReplicas(scaleChange.before);
  return {
    works,
    message: `the old number of pods is restored, and nothing is replaced; the next apply of NEW scales again${claims}`,
    command: `kubectl scale ${object.kind.toLowerCase()}/${nameOf(object)} --replicas=${replicas}${formatNamespaceFlag(object)}`,
  };
}

/**
 * Plans how to undo a change that went wrong; undefined if no pod is replaced, added or removed, or if the rollout is mapped.
 *
 * @param scaleChange - set if the apply changes the desired number of pods of the object
 */
export function planRollback(object: Manifest, rollout: PlannedRollout, scaleChange?: ScaleChange): RolloutRollback | undefined {
  const { system } = rollout;
  // What its operator does with an old template was not analysed.
  if (rollout.mapped) return undefined;
  const templateRollback = planTemplateRollback(object, rollout);
  if (!scaleChange) return templateRollback;
  const scaleRollback = planScaleRollback(object, system, scaleChange);
  if (!templateRollback) return scaleRollback;
  // Applying OLD again also restores its number of pods.
  if (system !== 'kubernetes' || templateRollback.command === undefined) return templateRollback;
  return {
    works: templateRollback.works && scaleRollback.works,
    message: `${templateRollback.message}; for the number of pods: ${scaleRollback.message}`,
    command: [templateRollback.command, ...(scaleRollback.command === undefined ? [] : [scaleRollback.command])].join(' && '),
  };
}
