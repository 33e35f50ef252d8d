import { getFieldsAt, getListAt, nameOf, namespaceOf, getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import type { RolloutRollback } from '../core/initial-state';
import type { ArgoRolloutSimulation } from '../core/simulations/argo-rollout';
import type { RayServiceSimulation } from '../core/simulations/rayservice';
import type { Simulation } from '../core/simulations/simulation';
import type { StatefulSetSimulation } from '../core/simulations/statefulset';
import { DEPLOYMENT_DEFAULTS } from '../workloads/deployment/strategy';
import { isDeletingClaimsOnScale } from './rules/claims-deleted';
import { getStoredReplicas } from './workload-effect';

function formatNamespaceFlag(object: Manifest): string {
  const namespace = namespaceOf(object);
  return namespace === undefined ? '' : ` -n ${namespace}`;
}

function formatUndoCommand(object: Manifest): string {
  return `kubectl rollout undo ${object.kind.toLowerCase()}/${nameOf(object)}${formatNamespaceFlag(object)}`;
}

function planDeploymentRollback(object: Manifest): RolloutRollback {
  const spec = getFieldsAt(object, 'spec');
  if ((spec.revisionHistoryLimit ?? DEPLOYMENT_DEFAULTS.revisionHistoryLimit) === 0) {
    return {
      works: false,
      message:
        'revisionHistoryLimit is 0, so the old ReplicaSet is deleted once the rollout is through, and "kubectl rollout undo" finds nothing; apply OLD again',
    };
  }
  const isRecreate = getValueAt(spec, 'strategy', 'type') === 'Recreate';
  return {
    works: true,
    message: isRecreate
      ? 'all pods are down since wave 1, and the old version comes back only once the new pods are gone'
      : 'the old ReplicaSet is found again; its pods that still run count, those of the new version that are not ready go at once',
    command: formatUndoCommand(object),
  };
}

const APPLY_OLD = 'apply OLD again';

/** What a rollout with this simulation was asked of, and by whom. */
interface RollbackInput<S extends Simulation> {
  readonly simulation: S;
  readonly object: Manifest;
  readonly system: PlannedRollout['system'];
}

/** Where a controller of another system writes the workload, it takes back what "kubectl rollout undo" does to it. */
function planControllerRollback(system: PlannedRollout['system']): RolloutRollback | undefined {
  if (system === 'kubernetes') return undefined;
  const controller = system === 'kserve' ? 'KServe' : 'the operator';
  return {
    works: true,
    message: `${APPLY_OLD}: ${controller} writes the Deployment, and takes back what "kubectl rollout undo" does to it`,
  };
}

/**
 * Its controller takes the old template for one more update: the partition goes up to all groups again, and then past each that is not ready or has that template.
 *
 * Source: lws v0.9.0 pkg/controllers/leaderworkerset_controller.go, `rollingUpdateParameters` and `rollingUpdatePartition`.
 */
function planLeaderWorkerSetRollback(): RolloutRollback {
  return {
    works: true,
    message: `${APPLY_OLD}: the controller goes down from the highest group again, within the same limits, and a group that is not ready does not hold it up`,
  };
}

/** The pod that a broken version blocks: the first that is replaced. */
function planStatefulSetRollback({ object, simulation }: RollbackInput<StatefulSetSimulation>): RolloutRollback | undefined {
  const [first] = simulation.order;
  if (first === undefined) return undefined;
  if (getValueAt(object, 'spec', 'podManagementPolicy') === 'Parallel') {
    return {
      works: true,
      message: 'pods of the new version that are not ready do not block the way back',
      command: formatUndoCommand(object),
    };
  }
  const pod = `${nameOf(object)}-${first}`;
  return {
    works: false,
    message: `if pod ${pod} never gets ready, the set waits for it even once the template is back (podManagementPolicy OrderedReady): put the template back, then delete that pod`,
    command: `${formatUndoCommand(object)} && kubectl delete pod ${pod}${formatNamespaceFlag(object)}`,
  };
}

function planRayServiceRollback({ simulation }: RollbackInput<RayServiceSimulation>): RolloutRollback | undefined {
  if (simulation.outcome !== 'promoted') return undefined;
  return simulation.rollback
    ? { works: true, message: `${APPLY_OLD} before the new cluster is promoted: the requests go back to the running one` }
    : { works: false, message: `${APPLY_OLD} makes a third cluster: the operator does not go back to the running one by itself` };
}

/** A restart has no other template to go back to; the controller stops it where it finds no `restartAt`. */
function planArgoRolloutRollback({ object, simulation }: RollbackInput<ArgoRolloutSimulation>): RolloutRollback {
  if (simulation.type === 'restart') {
    return {
      works: true,
      message: 'the pods keep their template, so there is nothing to go back to; to stop it where it stands, delete restartAt',
    };
  }
  if (simulation.rolledBackPods !== undefined) {
    return { works: true, message: `${APPLY_OLD}: it goes through all steps from the first` };
  }
  if (simulation.restartsSteps === true) {
    return { works: true, message: `${APPLY_OLD}: the same version goes through the old steps, from the first` };
  }
  return {
    works: true,
    message: `until it is promoted, abort it: the old pods take all requests again; then ${APPLY_OLD}`,
    command: `kubectl argo rollouts abort ${nameOf(object)}${formatNamespaceFlag(object)}`,
  };
}

type RollbackPlanner<S extends Simulation> = (undone: RollbackInput<S>) => RolloutRollback | undefined;

const ROLLBACK_PLANNERS: { readonly [K in Simulation['kind']]: RollbackPlanner<Extract<Simulation, { kind: K }>> } = {
  deployment: ({ object, system }) => planControllerRollback(system) ?? planDeploymentRollback(object),
  statefulset: planStatefulSetRollback,
  daemonset: ({ object }) => ({
    works: true,
    message: 'pods of the new version that are not ready are replaced first, whatever the limit',
    command: formatUndoCommand(object),
  }),
  revision: () => ({ works: true, message: `the old Revision keeps the requests until the new one is ready; ${APPLY_OLD}` }),
  leaderworkerset: planLeaderWorkerSetRollback,
  disaggregatedset: () => ({
    works: true,
    message: `${APPLY_OLD}: the groups that have the new version are replaced within the same limits, all roles together`,
  }),
  rayservice: planRayServiceRollback,
  fleet: () => ({
    works: true,
    message: `${APPLY_OLD}, or revert the commit: the clusters that have the change get the old one in the same waves`,
  }),
  argorollout: planArgoRolloutRollback,
  rollingsync: () => ({ works: true, message: `${APPLY_OLD}, or revert the commit: the Applications get the old one in the same steps` }),
};

function planTemplateRollback(object: Manifest, { simulation, system }: PlannedRollout): RolloutRollback | undefined {
  return simulation ? (ROLLBACK_PLANNERS[simulation.kind] as RollbackPlanner<Simulation>)({ simulation, object, system }) : undefined;
}

/** An apply that changes how many pods an object wants. */
export interface ScaleChange {
  /** As the server held it. */
  readonly before: Manifest;
  /** As the server holds it afterwards. */
  readonly after: Manifest;
  /** Who keeps the number: `HorizontalPodAutoscaler "web"`. */
  readonly autoscaler?: string;
}

/** Systems whose objects people write, and that have a subresource scale but for the kinds that have none. */
const SYSTEMS_WITH_SCALE: ReadonlySet<PlannedRollout['system']> = new Set(['kubernetes', 'argo-rollouts', 'lws']);
const KINDS_WITHOUT_SCALE: ReadonlySet<string> = new Set(['DisaggregatedSet']);

const LOST_CLAIMS_MESSAGE = 'whenScaled is Delete, so the claims of the pods that went are deleted, and the pods come back with empty ones';

/** Of a StatefulSet with claims that gets fewer pods, what becomes of their data. */
function describeClaimsAfterScale({ before, after }: ScaleChange): string | undefined {
  const isLess = getStoredReplicas(after) < getStoredReplicas(before);
  if (!isLess || after.kind !== 'StatefulSet' || getListAt(after, 'spec', 'volumeClaimTemplates').length === 0) return undefined;
  return isDeletingClaimsOnScale(after) ? LOST_CLAIMS_MESSAGE : 'the pods find their claims again';
}

/** What brings the old number back; "kubectl rollout undo" brings templates alone. */
function planScaleRollback(object: Manifest, system: PlannedRollout['system'], scaleChange: ScaleChange): RolloutRollback {
  const claims = describeClaimsAfterScale(scaleChange);
  const works = claims !== LOST_CLAIMS_MESSAGE;
  const appendClaims = (text: string) => (claims === undefined ? text : `${text}; ${claims}`);
  if (scaleChange.autoscaler !== undefined) {
    return {
      works,
      message: appendClaims(
        `${scaleChange.autoscaler} keeps the number of pods: ${APPLY_OLD} for its old bounds, within which its metrics decide`,
      ),
    };
  }
  if (!SYSTEMS_WITH_SCALE.has(system) || KINDS_WITHOUT_SCALE.has(object.kind)) return { works, message: appendClaims(APPLY_OLD) };
  const replicas = getStoredReplicas(scaleChange.before);
  return {
    works,
    message: appendClaims('the old number comes back, and nothing is replaced; the next apply of NEW scales again'),
    command: `kubectl scale ${object.kind.toLowerCase()}/${nameOf(object)} --replicas=${replicas}${formatNamespaceFlag(object)}`,
  };
}

/**
 * What undoes a change that went wrong; undefined where no pod is replaced, and none comes or goes.
 *
 * @param scaled - where the apply changes how many pods the object wants
 */
export function planRollback(object: Manifest, rollout: PlannedRollout, scaleChange?: ScaleChange): RolloutRollback | undefined {
  const { system } = rollout;
  const templateRollback = planTemplateRollback(object, rollout);
  if (!scaleChange) return templateRollback;
  const scaleRollback = planScaleRollback(object, system, scaleChange);
  if (!templateRollback) return scaleRollback;
  // Who applies OLD again gets its number with it.
  if (system !== 'kubernetes' || templateRollback.command === undefined) return templateRollback;
  return {
    works: templateRollback.works && scaleRollback.works,
    message: `${templateRollback.message}; of the number of pods: ${scaleRollback.message}`,
    command: [templateRollback.command, ...(scaleRollback.command === undefined ? [] : [scaleRollback.command])].join(' && '),
  };
}
