import { nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { resourceOf } from '../../core/rollout';
import type { Rollout } from '../../core/rollout';
import type { PlanContext, RolloutSystem } from '../../core/system';
import { KUBERAY_CATALOGUE } from './catalogue';
import { ownedNameFindings, rayServiceFindings } from './rules';
import { serveConfigFindings } from './serve-config';
import { simulateRayService } from './simulate-service';
import { describeSurge } from './sizing';
import { INCREMENTAL, optionsOf, storedStrategy, strategyProvenance, surgeOf, typeOf } from './strategy';
import { rayServiceRefusals } from './validation';

function planRayService(rayService: Manifest, context: PlanContext): Rollout {
  const version = context.versions.kuberay;
  const resource = resourceOf(rayService, nameOf(rayService), namespaceOf(rayService));
  // These hold whether or not the spec is refused.
  const alongside = [
    ...serveConfigFindings(rayService),
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

/** RayServices of ray.io/v1. (v1alpha1 has no upgradeStrategy, so it has no upgrade to plan.) */
export const kuberaySystem: RolloutSystem = {
  name: 'kuberay',
  catalogue: KUBERAY_CATALOGUE,
  recognises: (object) => object.apiVersion === 'ray.io/v1' && object.kind === 'RayService',
  plan: (object, context) => [planRayService(object, context)],
};
