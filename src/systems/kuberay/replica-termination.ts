import { findMax } from '../../core/values/min-max';
import { getFieldsAt, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import type { RequestTermination } from '../../core/document/request-termination';
import { getGraceSeconds } from '../../cluster/services/termination';
import type { ParsedRayService } from './ray-service';

/** Seconds that KubeRay keeps the old cluster by default. Source: KubeRay 1.7, rayservice_controller.go, `RayClusterDeletionDelayDuration`. */
export const DEFAULT_DELETION_SECONDS = 60;

function getHeadGraceSeconds({ cluster }: Pick<ParsedRayService, 'cluster'>): number {
  return getGraceSeconds(getFieldsAt(cluster, 'headGroupSpec', 'template').spec);
}

/**
 * Returns the time that a running request certainly has after a NewCluster upgrade has moved the Service: the operator keeps the old cluster for it.
 * What Ray does at SIGTERM afterwards is not known.
 */
function computeClusterTermination(service: ParsedRayService): RequestTermination {
  const written = service.spec.rayClusterDeletionDelaySeconds;
  const seconds = typeof written === 'number' ? written : DEFAULT_DELETION_SECONDS;
  const graceSeconds = getHeadGraceSeconds(service);
  return { requestSeconds: seconds, preStopSeconds: 0, drainSeconds: seconds, graceSeconds, endedBy: 'cluster-deletion' };
}

/**
 * Returns how long a running request lives while the cluster of a RayService is replaced; undefined if that is not known. A second cluster of
 * another version takes over at once (NewCluster), or while the old one shrinks.
 */
export function computeRayTermination(service: ParsedRayService, { type, outcome }: RayServiceSimulation): RequestTermination | undefined {
  if (outcome === 'none') return undefined;
  return type === 'NewCluster' ? computeClusterTermination(service) : computeReplicaTermination(service);
}

/**
 * Returns how long a running request lives while an incremental upgrade shrinks the old cluster: Serve stops its replicas, and each of them has the
 * longest `graceful_shutdown_timeout_s` to finish. Undefined unless every application lists all of its deployments with a limit, because the code
 * of a deployment may set another one.
 *
 * With limits of 20 s and 60 s: 60 s. Source: ray 2.46, python/ray/serve/_private/deployment_state.py, `check_stopped`.
 */
function computeReplicaTermination(service: ParsedRayService): RequestTermination | undefined {
  const applications = getListAt(service.serveConfig.config, 'applications');
  if (applications.length === 0) return undefined;
  const limits = applications.map((application) =>
    getListAt(application, 'deployments').map((deployment) => getValueAt(deployment, 'graceful_shutdown_timeout_s')),
  );
  const seconds = limits.flat().filter((limit) => typeof limit === 'number');
  if (limits.some((one) => one.length === 0) || seconds.length < limits.flat().length) return undefined;
  const drainSeconds = findMax(seconds, 0);
  return {
    requestSeconds: drainSeconds,
    preStopSeconds: 0,
    drainSeconds,
    graceSeconds: getHeadGraceSeconds(service),
    endedBy: 'ray-serve',
  };
}
