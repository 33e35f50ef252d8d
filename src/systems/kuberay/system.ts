import { resourceOf } from '../../core/rollout';
import type { Manifest } from '../../core/manifest';
import type { PlanContext, RolloutSystem } from '../../cluster/context';
import type { SystemRollout } from '../../cluster/workload';
import { clusterPodsOf } from './cluster-pods';
import { judge } from './findings';
import { storedStrategy, strategyProvenance } from './provenance';
import { readRayService } from './ray-service';
import { KUBERAY_RULES } from './rules';
import { ownedNameFindings } from './rules/operator-owned-name';
import { simulateRayService, startupOf } from './simulate-service';
import { workersOf } from './sizing';
import { isRayService } from './served-fields';
import { rayServiceEffect } from './trigger';
import { capacityRows } from './upgrade-loop';

function planRayService(object: Manifest, context: PlanContext): SystemRollout {
  const service = readRayService(object, context.versions.kuberay);
  const resource = resourceOf(object, service.name, service.namespace);
  const judged = judge(service);
  const findings = [...judged.findings, ...ownedNameFindings(service, context)];
  if (judged.isRefused) return { system: 'kuberay', resource, strategy: null, provenance: [], simulation: null, findings };

  const startup = startupOf(service, context.startupSeconds);
  const simulation = simulateRayService(service, startup);
  const workers = workersOf(service, capacityRows(simulation));
  return {
    system: 'kuberay',
    resource,
    strategy: storedStrategy(service),
    provenance: strategyProvenance(service),
    simulation,
    pods: { of: 'clusters', clusters: clusterPodsOf(service, simulation, startup) },
    ...(workers && simulation.outcome !== 'none' && { workers }),
    findings,
  };
}

/** RayServices of ray.io/v1 and v1alpha1; one of v1alpha1 has no upgradeStrategy, so its upgrades are NewCluster. */
export const kuberaySystem: RolloutSystem = {
  name: 'kuberay',
  rules: () => KUBERAY_RULES,
  recognises: isRayService,
  plan: (object, context) => [planRayService(object, context)],
  effects: (old, next) => [rayServiceEffect(old.object, next.object, next.context.versions.kuberay)],
};
