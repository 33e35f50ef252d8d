import { isInt32 } from '../../../core/values/int-or-percent';
import { getValueAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import type { PlanContext } from '../../../cluster/context/context';
import { knativeConfigOf } from '../../../workloads/revision/config';
import type { KnativeConfig } from '../../../workloads/revision/config';
import { resolveScale } from '../../../workloads/revision/scale';
import type { RevisionScale } from '../../../workloads/revision/scale';
import { buildKserveDeployments } from '../deployments';
import type { ComponentDeployment } from '../deployments';
import type { KserveService } from '../service';
import type { DeploymentMode } from '../types';
import { hasMinScaleAsInitialScale } from './versions';

/** The versions that affect a scale. */
interface ScaleVersions {
  readonly kserve: string;
  readonly knative: string;
}

/**
 * Resolves the settings that Knative scales a component by. minReplicas is written as min-scale, 1 if omitted.
 *
 * Source: KServe, reconcilers/knative/ksvc_reconciler.go, `createKnativeService`.
 */
export function resolveRevisionScale(
  service: KserveService,
  component: Fields,
  versions: ScaleVersions,
  config: KnativeConfig,
): RevisionScale {
  const { canaryTrafficPercent, minReplicas } = component;
  return resolveScale(
    {
      readAnnotation: (name) => getValueAt(component, 'annotations', name) ?? service.annotations[name],
      minScale: isInt32(minReplicas) ? Math.max(0, minReplicas) : 1,
      startsAtMinScale: hasMinScaleAsInitialScale(versions.kserve),
      trafficPercent: isInt32(canaryTrafficPercent) ? canaryTrafficPercent : 100,
    },
    versions.knative,
    config,
  );
}

/**
 * Builds the Deployments of the components of a service. In mode Knative, they have the fewest pods of their Revisions, which may be none.
 *
 * @param runtime - the spec of the serving runtime, if known
 */
export function buildComponents(
  service: KserveService,
  mode: DeploymentMode,
  runtime: Fields,
  context: PlanContext,
): readonly ComponentDeployment[] {
  const deployments = buildKserveDeployments(service, runtime);
  if (mode !== 'Knative') return deployments;
  const config = knativeConfigOf(context);
  return deployments.map((deployment) => {
    const component = service.components.find(({ name }) => name === deployment.component);
    if (!component) return deployment;
    return { ...deployment, replicas: resolveRevisionScale(service, component.spec, context.versions, config).minScale };
  });
}
