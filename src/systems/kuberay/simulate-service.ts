import { listAt, valueAt } from '../../core/manifest';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import { startupSecondsOf } from '../../core/startup';
import { operatorGateway, operatorRoute } from './objects';
import type { ReadRayService } from './ray-service';
import { isAutoscaled, unreachableCapacity } from './serve-config';
import { simulateIncrementalUpgrade, simulateNewCluster, simulateNone } from './simulate';
import type { Startup } from './simulate';
import { INCREMENTAL, paceOf } from './strategy';
import { greatest } from '../../core/extremes';

/**
 * How long the pods of a RayService take to become ready, by the annotations of their templates, else as given for the plan; undefined
 * where neither says. Of several worker groups the slowest counts.
 */
export function startupOf(service: ReadRayService, givenSeconds: number): Startup | undefined {
  const { cluster } = service;
  const head = startupSecondsOf(valueAt(cluster, 'headGroupSpec', 'template'), givenSeconds);
  const workers = listAt(cluster, 'workerGroupSpecs').flatMap((group) => startupSecondsOf(valueAt(group, 'template'), givenSeconds) ?? []);
  if (head === undefined && workers.length === 0) return undefined;
  return { headSeconds: head ?? 0, workerSeconds: greatest(workers, 0), everyRaiseWaits: everyRaiseWaits(service) };
}

/**
 * Does traffic wait for the pods of every raise of the new cluster's capacity? Of the first alone where Serve's autoscaler adds replicas.
 */
export function everyRaiseWaits({ serveConfig }: ReadRayService): boolean {
  return !isAutoscaled(serveConfig.config);
}

/**
 * What the next change of a RayService's cluster will do, if nothing refuses the RayService.
 *
 * @param startup of its pods; they are ready at once where it is not known
 */
export function simulateRayService(service: ReadRayService, startup: Startup | undefined): RayServiceSimulation {
  const { object, type, options, behaviour } = service;
  if (type === 'None') return simulateNone();
  if (type !== INCREMENTAL || !options) return simulateNewCluster(startup);

  return simulateIncrementalUpgrade(paceOf(options), {
    startup,
    rollsBack: behaviour.rollsBack,
    unreachable: unreachableCapacity(service.serveConfig.config),
    previews: (first, last) => [
      operatorGateway(object, String(options.gatewayClassName)),
      operatorRoute(object, first),
      operatorRoute(object, last),
    ],
  });
}
