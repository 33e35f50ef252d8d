import { findMax } from '../../core/min-max';
import { getFieldsAt, getListAt, getValueAt } from '../../core/manifest';
import type { RequestTermination } from '../../core/request-termination';
import { getGraceSeconds } from '../../cluster/services/termination';
import type { ParsedRayService } from './ray-service';

/**
 * Returns how long a running request lives while an incremental upgrade shrinks the old cluster: Serve stops its replicas, and each of them has the
 * longest `graceful_shutdown_timeout_s` to finish. Undefined unless every application lists all of its deployments with a limit, because the code
 * of a deployment may set another one. With another type no replica is stopped, and what Ray does at SIGTERM is not known.
 *
 * With limits of 20 s and 60 s: 60 s. Source: ray 2.46, python/ray/serve/_private/deployment_state.py, `check_stopped`.
 */
export function computeReplicaTermination({ type, cluster, serveConfig: { config } }: ParsedRayService): RequestTermination | undefined {
  const applications = getListAt(config, 'applications');
  if (type !== 'NewClusterWithIncrementalUpgrade' || applications.length === 0) return undefined;
  const limits = applications.map((application) =>
    getListAt(application, 'deployments').map((deployment) => getValueAt(deployment, 'graceful_shutdown_timeout_s')),
  );
  const seconds = limits.flat().filter((limit) => typeof limit === 'number');
  if (limits.some((one) => one.length === 0) || seconds.length < limits.flat().length) return undefined;
  const drainSeconds = findMax(seconds, 0);
  const graceSeconds = getGraceSeconds(getFieldsAt(cluster, 'headGroupSpec', 'template').spec);
  return { requestSeconds: drainSeconds, preStopSeconds: 0, drainSeconds, graceSeconds, endedBy: 'ray-serve' };
}
