import { isInt32 } from '../../../core/values/int-or-percent';
import { getValueAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import type { KnativeConfig } from '../../../workloads/revision/config';
import { resolveScale } from '../../../workloads/revision/scale';
import type { RevisionScale } from '../../../workloads/revision/scale';
import type { KserveService } from '../service';
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
