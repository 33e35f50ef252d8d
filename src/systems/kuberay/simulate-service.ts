import { valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { RayServiceSimulation } from '../../core/rollout';
import { operatorGateway, operatorRoute } from './objects';
import { isAutoscaled, readServeConfig } from './serve-config';
import { simulateIncrementalUpgrade, simulateNewCluster, simulateNone } from './simulate';
import { INCREMENTAL, optionsOf, paceOf, typeOf } from './strategy';
import { behaviourOf } from './versions';

/**
 * What the next change of a RayService's cluster will do, if nothing refuses the RayService.
 *
 * @param version of KubeRay
 * @param startupSeconds that a pod takes to become ready
 */
export function simulateRayService(rayService: Manifest, version: string, startupSeconds: number): RayServiceSimulation {
  const type = typeOf(rayService);
  const options = optionsOf(rayService);
  if (type === 'None') return simulateNone();
  if (type !== INCREMENTAL || !options) return simulateNewCluster(startupSeconds);

  const everyRaiseWaits = !isAutoscaled(readServeConfig(valueAt(rayService, 'spec', 'serveConfigV2')).config);
  return simulateIncrementalUpgrade(paceOf(options), {
    startup: { seconds: startupSeconds, everyRaiseWaits },
    rollsBack: behaviourOf(version).rollsBack,
    previews: (first, last) => [
      operatorGateway(rayService, String(options.gatewayClassName)),
      operatorRoute(rayService, first),
      operatorRoute(rayService, last),
    ],
  });
}
