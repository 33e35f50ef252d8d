import { isFields } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';

export const V1 = 'ray.io/v1';
export const V1ALPHA1 = 'ray.io/v1alpha1';

/** Is this a RayService, of one of the versions that KubeRay serves? Source: its CRD in v1.5.1 and v1.7.0, which serves both. */
export function isRayService({ apiVersion, kind }: Manifest): boolean {
  return kind === 'RayService' && (apiVersion === V1 || apiVersion === V1ALPHA1);
}

/**
 * The fields that v1 has and v1alpha1 lacks, by the map that holds them: the API server drops them from an object of v1alpha1.
 *
 * Source: the CRD of KubeRay v1.5.1 and v1.7.0.
 */
export const V1_ONLY = {
  spec: ['upgradeStrategy', 'rayClusterDeletionDelaySeconds', 'excludeHeadPodFromServeSvc', 'managedBy', 'suspend'],
  cluster: [
    'authOptions',
    'gcsFaultToleranceOptions',
    'historyServerOptions',
    'managedBy',
    'networkPolicy',
    'tlsOptions',
    'upgradeStrategy',
  ],
  head: ['ingressOptions', 'labels', 'resources'],
  workers: ['idleTimeoutSeconds', 'labels', 'numOfHosts', 'priority', 'resources', 'suspend'],
} as const;

/** Is it of the older version? */
export function isOld({ apiVersion }: Manifest): boolean {
  return apiVersion === V1ALPHA1;
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** The object without the fields that the API server drops since its apiVersion lacks them. What has another type stays as it is. */
export function storedObject(object: Manifest): Manifest {
  const { spec } = object;
  if (!isOld(object) || !isFields(spec)) return object;
  const { rayClusterConfig: cluster } = spec;
  if (!isFields(cluster)) return { ...object, spec: without(spec, V1_ONLY.spec) };
  const { headGroupSpec: head, workerGroupSpecs: workers } = cluster;
  const stored = {
    ...without(cluster, V1_ONLY.cluster),
    ...(isFields(head) && { headGroupSpec: without(head, V1_ONLY.head) }),
    ...(Array.isArray(workers) && {
      workerGroupSpecs: workers.map((group: unknown) => (isFields(group) ? without(group, V1_ONLY.workers) : group)),
    }),
  };
  return { ...object, spec: { ...without(spec, V1_ONLY.spec), rayClusterConfig: stored } };
}

/** Does an object of this apiVersion have to have rayStartParams in each of its groups? */
export function needsStartParams(object: Manifest): boolean {
  return isOld(object);
}
