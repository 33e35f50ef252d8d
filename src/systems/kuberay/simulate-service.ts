import { getListAt, getValueAt } from '../../core/manifest/manifest';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import { resolveStartupSeconds } from '../../core/values/startup-seconds';
import { buildOperatorGateway, buildOperatorRoute } from './objects';
import type { ParsedRayService } from './ray-service';
import { isServeAutoscaled, getUnreachableCapacity } from './serve-config';
import { simulateIncrementalUpgrade, simulateNewCluster, simulateNoUpgrade } from './simulate';
import type { RayStartup } from './simulate';
import { INCREMENTAL_UPGRADE, upgradePaceOf } from './strategy';
import { findMax } from '../../core/values/min-max';
import { toSafeText } from '../../core/text/value-text';

/**
 * Returns how long the pods of a RayService take to become ready. Undefined if neither their annotations nor the plan sets a time.
 *
 * The annotations of the pod templates take precedence. With several worker groups, the slowest one counts.
 *
 * @param defaultSeconds start-up time that is set for the plan
 */
export function resolveRayStartup(service: ParsedRayService, defaultSeconds: number): RayStartup | undefined {
  const { cluster } = service;
  const head = resolveStartupSeconds(getValueAt(cluster, 'headGroupSpec', 'template'), defaultSeconds);
  const workers = getListAt(cluster, 'workerGroupSpecs').flatMap(
    (group) => resolveStartupSeconds(getValueAt(group, 'template'), defaultSeconds) ?? [],
  );
  if (head === undefined && workers.length === 0) return undefined;
  return { headSeconds: head ?? 0, workerSeconds: findMax(workers, 0), waitsForEveryRaise: mustWaitForEveryRaise(service) };
}

/**
 * Reports whether traffic waits for the pods of every capacity increase of the new cluster.
 *
 * If Serve's autoscaler adds replicas, traffic waits only for the first one.
 */
export function mustWaitForEveryRaise({ serveConfig }: ParsedRayService): boolean {
  return !isServeAutoscaled(serveConfig.config);
}

/**
 * Simulates the next change of a RayService's cluster. The RayService must not be refused.
 *
 * @param startup start-up times of its pods; if not known, the pods are ready at once
 */
export function simulateRayService(service: ParsedRayService, startup: RayStartup | undefined): RayServiceSimulation {
  const { object, type, options, behaviour } = service;
  if (type === 'None') return simulateNoUpgrade();
  if (type !== INCREMENTAL_UPGRADE || !options) return simulateNewCluster(startup);

  return simulateIncrementalUpgrade(upgradePaceOf(options), {
    startup,
    canRollBack: behaviour.canRollBack,
    unreachableCapacity: getUnreachableCapacity(service.serveConfig.config),
    previews: (first, last) => [
      buildOperatorGateway(object, toSafeText(options.gatewayClassName)),
      buildOperatorRoute(object, first),
      buildOperatorRoute(object, last),
    ],
  });
}
