import { toResourceRef } from '../../core/document/rollout';
import { getFieldsAt, nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanContext, RolloutSystem } from '../../cluster/context/context';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import { computeClusterPods } from './cluster-pods';
import { checkRayServiceFields, validateRayService } from './validate-ray-service';
import { applyUpgradeStrategyDefaults, buildRayServiceProvenance } from './provenance';
import { isRayServiceSuspended, readRayService } from './ray-service';
import { KUBERAY_RULES } from './rules';
import { reportSuspended, reportSuspendedCluster } from './rules/suspended';
import { checkOperatorOwnedName } from './rules/operator-owned-name';
import { buildServeServices } from './serve-services';
import { simulateRayService, resolveRayStartup } from './simulate-service';
import { computeRayTermination } from './replica-termination';
import { computeRolloutWorkers } from './cluster-size';
import { isRayService } from './crd-fields';
import { computeRayServiceEffect } from './trigger';
import { listCapacityRows } from './upgrade-loop';

/** Reports whether Kueue suspends the clusters of a service until it admits them. */
function isQueued(object: Manifest): boolean {
  return Object.hasOwn(getFieldsAt(object, 'metadata', 'labels'), 'kueue.x-k8s.io/queue-name');
}

function planRayService(object: Manifest, context: PlanContext): SystemRollout {
  const service = readRayService(object, context.versions.kuberay);
  const resource = toResourceRef(object, service.name, service.namespace);
  const validated = validateRayService(service);
  const ownFindings = service.cluster.suspend === true && !isQueued(object) ? [reportSuspendedCluster()] : [];
  const findings = [...validated.findings, ...ownFindings, ...checkOperatorOwnedName(service, context)];
  if (validated.isRefused) return { system: 'kuberay', resource, strategy: null, provenance: [], simulation: null, findings };

  const described = {
    system: 'kuberay',
    resource,
    strategy: applyUpgradeStrategyDefaults(service),
    provenance: buildRayServiceProvenance(service),
  } as const;
  if (isRayServiceSuspended(service)) return { ...described, simulation: null, findings: [...findings, reportSuspended()] };
  const startup = resolveRayStartup(service, context.startupSeconds);
  const simulation = simulateRayService(service, startup);
  const former = context.changedPods?.(object)?.start?.former;
  const running = former && readRayService(former, context.versions.kuberay);
  const workers = computeRolloutWorkers(service, listCapacityRows(simulation), running?.groups);
  const termination = computeRayTermination(service, simulation);
  const clusterServices = buildServeServices(service, simulation);
  // The names of the Services of an incremental upgrade end with random characters.
  const moving = clusterServices.find(({ role }) => role === 'active');
  return {
    ...described,
    simulation,
    pods: { kind: 'clusters', clusters: computeClusterPods(service, simulation, startup, running) },
    ...(termination && { termination }),
    clusterServices,
    ...(moving && { createdService: nameOf(moving.service) }),
    ...(workers && simulation.outcome !== 'none' && { workers }),
    findings,
  };
}

/** Plans RayServices of ray.io/v1 and v1alpha1. A v1alpha1 RayService has no upgradeStrategy, so its upgrades are NewCluster. */
export const kuberaySystem: RolloutSystem = {
  name: 'kuberay',
  rules: () => KUBERAY_RULES,
  recognises: isRayService,
  droppedFields: (object, { kuberay: version }) => checkRayServiceFields(readRayService(object, version)),
  plan: (object, context) => [planRayService(object, context)],
  effects: (old, next) => [computeRayServiceEffect(old.object, next.object, next.context.versions.kuberay)],
};
