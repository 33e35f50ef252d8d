import { nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { resourceOf } from '../../core/rollout';
import type { RayServiceSimulation, Rollout } from '../../core/rollout';
import type { PlanContext, RolloutSystem } from '../../core/system';
import { KUBERAY_CATALOGUE } from './catalogue';
import { operatorGateway, operatorRoute } from './objects';
import { ownedNameFindings, rayServiceFindings } from './rules';
import { isAutoscaled, readServeConfig, serveConfigFindings } from './serve-config';
import { simulateIncrementalUpgrade, simulateNewCluster, simulateNone } from './simulate';
import { describeSurge } from './sizing';
import { INCREMENTAL, optionsOf, paceOf, storedStrategy, strategyProvenance, surgeOf, typeOf } from './strategy';
import { rayServiceRefusals } from './validation';
import { behaviourOf } from './versions';

function planRayService(rayService: Manifest, context: PlanContext): Rollout {
  const version = context.versions.kuberay;
  const resource = resourceOf(rayService, nameOf(rayService), namespaceOf(rayService));
  // These hold whether or not the spec is refused.
  const alongside = [
    ...serveConfigFindings(valueAt(rayService, 'spec', 'serveConfigV2')),
    ...(typeOf(rayService) === INCREMENTAL ? ownedNameFindings(rayService, context) : []),
  ];
  const refusals = rayServiceRefusals(rayService, version);
  if (refusals.length > 0) {
    return { system: 'kuberay', resource, strategy: null, provenance: [], simulation: null, findings: [...refusals, ...alongside] };
  }
  return {
    system: 'kuberay',
    resource,
    strategy: storedStrategy(rayService),
    provenance: strategyProvenance(rayService, surgeMeaning(rayService)),
    simulation: simulateRayService(rayService, version, context.startupSeconds),
    findings: [...rayServiceFindings(rayService, version), ...alongside],
  };
}

/** What the surge means in pods and GPUs, where that is known. */
function surgeMeaning(rayService: Manifest): string {
  const options = optionsOf(rayService);
  return options ? describeSurge(valueAt(rayService, 'spec', 'rayClusterConfig'), surgeOf(options) as number) : '';
}

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

/** RayServices of ray.io/v1. (v1alpha1 has no upgradeStrategy, so it has no upgrade to plan.) */
export const kuberaySystem: RolloutSystem = {
  name: 'kuberay',
  catalogue: KUBERAY_CATALOGUE,
  recognises: (object) => object.apiVersion === 'ray.io/v1' && object.kind === 'RayService',
  plan: (object, context) => [planRayService(object, context)],
};
