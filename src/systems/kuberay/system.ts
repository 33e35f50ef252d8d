import { resourceOf } from '../../core/rollout';
import type { Manifest } from '../../core/manifest';
import type { PlanContext, RolloutSystem } from '../../cluster/context';
import type { SystemRollout } from '../../cluster/workload';
import { capacityRows, clusterPodsOf } from './cluster-pods';
import { judge } from './findings';
import { storedStrategy, strategyProvenance } from './provenance';
import { readRayService } from './ray-service';
import { KUBERAY_RULES } from './rules';
import { ownedNameFindings } from './rules/operator-owned-name';
import { simulateRayService, startupOf } from './simulate-service';
import { surgeSize } from './sizing';
import { rayServiceChanges } from './trigger';

function planRayService(object: Manifest, context: PlanContext): SystemRollout {
  const service = readRayService(object, context.versions.kuberay);
  const resource = resourceOf(object, service.name, service.namespace);
  const judged = judge(service);
  const findings = [...judged.findings, ...ownedNameFindings(service, context)];
  if (judged.isRefused) return { system: 'kuberay', resource, strategy: null, provenance: [], simulation: null, findings };

  const startup = startupOf(service, context.startupSeconds);
  const simulation = simulateRayService(service, startup);
  const workers = surgeSize(service.groups, capacityRows(simulation));
  return {
    system: 'kuberay',
    resource,
    strategy: storedStrategy(service),
    provenance: strategyProvenance(service),
    simulation,
    pods: { of: 'clusters', clusters: clusterPodsOf(service, simulation, startup) },
    ...(workers.pods > 0 && simulation.outcome !== 'none' && { workers }),
    findings,
  };
}

/** RayServices of ray.io/v1. (v1alpha1 has no upgradeStrategy, so it has no upgrade to plan.) */
export const kuberaySystem: RolloutSystem = {
  name: 'kuberay',
  rules: KUBERAY_RULES,
  recognises: (object) => object.apiVersion === 'ray.io/v1' && object.kind === 'RayService',
  plan: (object, context) => [planRayService(object, context)],
  changes: rayServiceChanges,
};
