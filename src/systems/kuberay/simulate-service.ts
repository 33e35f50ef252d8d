import { getListAt, getValueAt } from '../../core/manifest';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import { resolveStartupSeconds } from '../../core/startup-seconds';
import { buildOperatorGateway, buildOperatorRoute } from './objects';
import type { ParsedRayService } from './ray-service';
import { isServeAutoscaled, getUnreachableCapacity } from './serve-config';
import { simulateIncrementalUpgrade, simulateNewCluster, simulateNoUpgrade } from './simulate';
import type { RayStartup } from './simulate';
import { INCREMENTAL_UPGRADE, upgradePaceOf } from './strategy';
import { findMax } from '../../core/min-max';

/**
 * How long the pods of a RayService take to become ready, by the annotations of their templates, else as given for the plan; undefined
 * where neither says. Of several worker groups the slowest counts.
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
 * Does traffic wait for the pods of every raise of the new cluster's capacity? Of the first alone where Serve's autoscaler adds replicas.
 */
export function mustWaitForEveryRaise({ serveConfig }: ParsedRayService): boolean {
  return !isServeAutoscaled(serveConfig.config);
}

/**
 * What the next change of a RayService's cluster will do, if nothing refuses the RayService.
 *
 * @param startup of its pods; they are ready at once where it is not known
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
      buildOperatorGateway(object, String(options.gatewayClassName)),
      buildOperatorRoute(object, first),
      buildOperatorRoute(object, last),
    ],
  });
}
