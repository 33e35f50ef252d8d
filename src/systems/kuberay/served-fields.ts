import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt, isFields, listAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { unknownField } from '../../core/rules/unknown-field';
import type { RayServicePlaces } from './places';

const V1 = 'ray.io/v1';
const V1ALPHA1 = 'ray.io/v1alpha1';

/** Is this a RayService, of one of the versions that KubeRay serves? Source: its CRD in v1.5.1 and v1.7.0, which serves both. */
export function isRayService({ apiVersion, kind }: Manifest): boolean {
  return kind === 'RayService' && (apiVersion === V1 || apiVersion === V1ALPHA1);
}

/**
 * The fields that v1 has and v1alpha1 lacks, by the map that holds them: the API server drops them from an object of v1alpha1.
 *
 * Source: the CRD of KubeRay v1.5.1 and v1.7.0.
 */
const V1_ONLY = {
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

function isOld({ apiVersion }: Manifest): boolean {
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

function droppedIn(holder: Fields, names: readonly string[], path: FieldPath): Finding[] {
  return names
    .filter((name) => holder[name] !== undefined)
    .map((field) => unknownField.finding('otherVersion', { path: at`${path}.${field}`, data: { field, apiVersion: V1ALPHA1, hasIt: V1 } }));
}

/** The fields of an object as it is written that the API server drops since its apiVersion lacks them. */
export function otherVersionFindings(written: Manifest, places: RayServicePlaces): Finding[] {
  if (!isOld(written)) return [];
  const spec = fieldsAt(written, 'spec');
  const cluster = fieldsAt(spec, 'rayClusterConfig');
  return [
    ...droppedIn(spec, V1_ONLY.spec, places.spec),
    ...droppedIn(cluster, V1_ONLY.cluster, places.cluster),
    ...droppedIn(fieldsAt(cluster, 'headGroupSpec'), V1_ONLY.head, at`${places.cluster}.headGroupSpec`),
    ...listAt(cluster, 'workerGroupSpecs').flatMap((group, index) =>
      droppedIn(fieldsAt(group), V1_ONLY.workers, at`${places.cluster}.workerGroupSpecs[${index}]`),
    ),
  ];
}

/** Does an object of this apiVersion have to have rayStartParams in each of its groups? */
export function needsStartParams(object: Manifest): boolean {
  return isOld(object);
}
