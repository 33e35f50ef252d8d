import { nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { resourceOf } from '../../core/rollout';
import type { PlanContext, RolloutSystem } from '../../cluster/context';
import type { SystemRollout } from '../../cluster/workload';
import { KUBERAY_CATALOGUE } from './catalogue';
import { capacityRows, clusterPodsOf } from './cluster-pods';
import { ownedNameFindings, rayServiceFindings } from './rules';
import { serveConfigFindings } from './serve-config';
import { everyRaiseWaits, simulateRayService, startupOf } from './simulate-service';
import { surgeSize } from './sizing';
import { INCREMENTAL, storedStrategy, strategyProvenance, typeOf } from './strategy';
import { rayServiceChanges } from './trigger';
import { rayServiceRefusals } from './validation';
import { workerGroupsOf } from './worker-groups';

function planRayService(rayService: Manifest, context: PlanContext): SystemRollout {
  const version = context.versions.kuberay;
  const resource = resourceOf(rayService, nameOf(rayService), namespaceOf(rayService));
  // These hold whether or not the spec is refused.
  const alongside = [
    ...serveConfigFindings(rayService),
    ...(typeOf(rayService) === INCREMENTAL ? ownedNameFindings(rayService, context) : []),
  ];
  const refusals = rayServiceRefusals(rayService, version);
  if (refusals.length > 0) {
    return { system: 'kuberay', resource, strategy: null, provenance: [], simulation: null, findings: [...refusals, ...alongside] };
  }
  const startup = startupOf(rayService, context.startupSeconds);
  const simulation = simulateRayService(rayService, version, startup);
  const groups = workerGroupsOf(valueAt(rayService, 'spec', 'rayClusterConfig'));
  const workers = surgeSize(groups, capacityRows(simulation));
  return {
    system: 'kuberay',
    resource,
    strategy: storedStrategy(rayService),
    provenance: strategyProvenance(rayService),
    simulation,
    clusterPods: clusterPodsOf(rayService, groups, simulation, everyRaiseWaits(rayService), startup),
    ...(workers.pods > 0 && simulation.outcome !== 'none' && { workers }),
    findings: [...rayServiceFindings(rayService, version), ...alongside],
  };
}

/** RayServices of ray.io/v1. (v1alpha1 has no upgradeStrategy, so it has no upgrade to plan.) */
export const kuberaySystem: RolloutSystem = {
  name: 'kuberay',
  catalogue: KUBERAY_CATALOGUE,
  recognises: (object) => object.apiVersion === 'ray.io/v1' && object.kind === 'RayService',
  plan: (object, context) => [planRayService(object, context)],
  changes: rayServiceChanges,
};
