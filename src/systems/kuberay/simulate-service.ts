import { fieldsAt, listAt, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { RayServiceSimulation } from '../../core/rollout';
import { startupSecondsOf } from '../../core/startup';
import { operatorGateway, operatorRoute } from './objects';
import { isAutoscaled, serveConfigOf } from './serve-config';
import { simulateIncrementalUpgrade, simulateNewCluster, simulateNone } from './simulate';
import type { Startup } from './simulate';
import { INCREMENTAL, optionsOf, paceOf, typeOf } from './strategy';
import { behaviourOf } from './versions';

/**
 * How long the pods of a RayService take to become ready, by the annotations of their templates, else as given for the plan; undefined
 * where neither says. Of several worker groups the slowest counts.
 */
export function startupOf(rayService: Manifest, givenSeconds: number): Startup | undefined {
  const cluster = fieldsAt(rayService, 'spec', 'rayClusterConfig');
  const head = startupSecondsOf(valueAt(cluster, 'headGroupSpec', 'template'), givenSeconds);
  const workers = listAt(cluster, 'workerGroupSpecs').flatMap((group) => startupSecondsOf(valueAt(group, 'template'), givenSeconds) ?? []);
  if (head === undefined && workers.length === 0) return undefined;
  return {
    headSeconds: head ?? 0,
    workerSeconds: Math.max(0, ...workers),
    everyRaiseWaits: everyRaiseWaits(rayService),
  };
}

/**
 * Does traffic wait for the pods of every raise of the new cluster's capacity? Of the first alone where Serve's autoscaler adds replicas.
 */
export function everyRaiseWaits(rayService: Manifest): boolean {
  return !isAutoscaled(serveConfigOf(rayService).config);
}

/**
 * What the next change of a RayService's cluster will do, if nothing refuses the RayService.
 *
 * @param version of KubeRay
 * @param startup of its pods; they are ready at once where it is not known
 */
export function simulateRayService(rayService: Manifest, version: string, startup: Startup | undefined): RayServiceSimulation {
  const type = typeOf(rayService);
  const options = optionsOf(rayService);
  if (type === 'None') return simulateNone();
  if (type !== INCREMENTAL || !options) return simulateNewCluster(startup);

  return simulateIncrementalUpgrade(paceOf(options), {
    startup,
    rollsBack: behaviourOf(version).rollsBack,
    previews: (first, last) => [
      operatorGateway(rayService, String(options.gatewayClassName)),
      operatorRoute(rayService, first),
      operatorRoute(rayService, last),
    ],
  });
}
