import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { isAtLeast } from '../../core/values/versions';
import type { RayServicePaths } from './field-paths';

export const V1 = 'ray.io/v1';
export const V1ALPHA1 = 'ray.io/v1alpha1';

/**
 * Reports whether the object is a RayService of an apiVersion that KubeRay serves.
 *
 * Source: its CRD in v1.5.1 and v1.7.0, which serves both.
 */
export function isRayService({ apiVersion, kind }: Manifest): boolean {
  return kind === 'RayService' && (apiVersion === V1 || apiVersion === V1ALPHA1);
}

/** A map of a RayService with fields that some versions lack. */
type SpecSection = 'spec' | 'cluster' | 'head' | 'workers' | 'autoscaler' | 'auth' | 'faultTolerance';

/**
 * Fields that v1 has and v1alpha1 lacks, by section. The API server drops them from a v1alpha1 object.
 *
 * Source: the CRD of KubeRay v1.5.1 and v1.7.0.
 */
const V1_ONLY: Readonly<Partial<Record<SpecSection, readonly string[]>>> = {
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
};

function listV1OnlyFields(section: SpecSection): readonly string[] {
  return V1_ONLY[section] ?? [];
}

/**
 * Fields that a later version of KubeRay added, by section. With an older version, the API server drops them.
 *
 * Source: the CRDs of v1.5.1 and v1.7.0; apis/ray/v1 of v1.6.2.
 */
const FIELD_VERSIONS: Readonly<Partial<Record<SpecSection, Readonly<Record<string, string>>>>> = {
  spec: { managedBy: '1.6', suspend: '1.7' },
  cluster: { historyServerOptions: '1.7', networkPolicy: '1.7', tlsOptions: '1.7', upgradeStrategy: '1.6' },
  head: { ingressOptions: '1.7' },
  workers: { priority: '1.7' },
  autoscaler: { args: '1.7', command: '1.7' },
  auth: { enableK8sTokenAuth: '1.6', secretName: '1.6' },
  faultTolerance: { backend: '1.7', storage: '1.7' },
};

/**
 * All fields that any supported version of KubeRay has, by section. A RayCluster has those of the cluster of a RayService.
 *
 * Source: the CRDs of v1.5.1 and v1.7.0.
 */
export const RAY_FIELD_NAMES: Readonly<Record<SpecSection, readonly string[]>> = {
  spec: [
    'serveConfigV2',
    'rayClusterConfig',
    'upgradeStrategy',
    'serveService',
    'rayClusterDeletionDelaySeconds',
    'excludeHeadPodFromServeSvc',
    'deploymentUnhealthySecondThreshold',
    'serviceUnhealthySecondThreshold',
    'managedBy',
    'suspend',
    // No version has it, and kuberay/ray-cluster-spec reports it.
    'rayClusterSpec',
  ],
  cluster: [
    'rayVersion',
    'headGroupSpec',
    'workerGroupSpecs',
    'enableInTreeAutoscaling',
    'autoscalerOptions',
    'headServiceAnnotations',
    'gcsFaultToleranceOptions',
    'authOptions',
    'historyServerOptions',
    'networkPolicy',
    'tlsOptions',
    'upgradeStrategy',
    'managedBy',
    'suspend',
  ],
  head: ['template', 'rayStartParams', 'serviceType', 'headService', 'enableIngress', 'ingressOptions', 'labels', 'resources'],
  workers: [
    'groupName',
    'replicas',
    'minReplicas',
    'maxReplicas',
    'numOfHosts',
    'template',
    'rayStartParams',
    'scaleStrategy',
    'idleTimeoutSeconds',
    'labels',
    'priority',
    'resources',
    'suspend',
  ],
  autoscaler: [
    'resources',
    'image',
    'imagePullPolicy',
    'securityContext',
    'idleTimeoutSeconds',
    'upscalingMode',
    'version',
    'env',
    'envFrom',
    'volumeMounts',
    'command',
    'args',
  ],
  auth: ['mode', 'enableK8sTokenAuth', 'secretName'],
  faultTolerance: ['externalStorageNamespace', 'redisAddress', 'redisUsername', 'redisPassword', 'backend', 'storage'],
};

function isV1Alpha1({ apiVersion }: Manifest): boolean {
  return apiVersion === V1ALPHA1;
}

function listNewerFields(section: SpecSection, version: string): string[] {
  return Object.entries(FIELD_VERSIONS[section] ?? {}).flatMap(([field, since]) => (isAtLeast(version, since) ? [] : [field]));
}

/** Drops fields from a map that its apiVersion or the version of KubeRay lacks. Values of other types are unchanged. */
type FieldDropper = (value: unknown, section: SpecSection) => unknown;

function createFieldDropper(object: Manifest, version: string): FieldDropper {
  return (value, section) => {
    if (!isFields(value)) return value;
    const names = [...listNewerFields(section, version), ...(isV1Alpha1(object) ? listV1OnlyFields(section) : [])];
    return names.some((name) => name in value)
      ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
      : value;
  };
}

/** Returns the map with one field replaced, if it has the field. */
function replaceField(fields: Fields, name: string, replace: (value: unknown) => unknown): Fields {
  return name in fields ? { ...fields, [name]: replace(fields[name]) } : fields;
}

function dropClusterFields(manifest: unknown, drop: FieldDropper): unknown {
  const cluster = drop(manifest, 'cluster');
  if (!isFields(cluster)) return cluster;
  const withHead = replaceField(cluster, 'headGroupSpec', (head) => drop(head, 'head'));
  const withWorkers = replaceField(withHead, 'workerGroupSpecs', (groups) =>
    Array.isArray(groups) ? groups.map((group: unknown) => drop(group, 'workers')) : groups,
  );
  const withAutoscaler = replaceField(withWorkers, 'autoscalerOptions', (options) => drop(options, 'autoscaler'));
  const withAuth = replaceField(withAutoscaler, 'authOptions', (options) => drop(options, 'auth'));
  return replaceField(withAuth, 'gcsFaultToleranceOptions', (options) => drop(options, 'faultTolerance'));
}

/**
 * Returns the object without the fields that the API server drops because its apiVersion or this version of KubeRay lacks them.
 *
 * @param version KubeRay version
 */
export function dropUnsupportedFields(object: Manifest, version: string): Manifest {
  const drop = createFieldDropper(object, version);
  const spec = drop(object.spec, 'spec');
  return isFields(spec)
    ? { ...object, spec: replaceField(spec, 'rayClusterConfig', (cluster) => dropClusterFields(cluster, drop)) }
    : object;
}

/** A field that is written but dropped. `since` is the first version of KubeRay that has it, if the version is the reason. */
export interface DroppedField {
  readonly path: FieldPath;
  readonly field: string;
  readonly value: unknown;
  readonly since?: string;
}

/** Lists the sections of an object that may have fields of only some versions, with their paths. */
function listSections(manifest: Manifest, paths: RayServicePaths): (readonly [SpecSection, Fields, FieldPath])[] {
  const spec = getFieldsAt(manifest, 'spec');
  const cluster = getFieldsAt(spec, 'rayClusterConfig');
  return [
    ['spec', spec, paths.spec],
    ['cluster', cluster, paths.cluster],
    ['head', getFieldsAt(cluster, 'headGroupSpec'), toFieldPath`${paths.cluster}.headGroupSpec`],
    ...getListAt(cluster, 'workerGroupSpecs').map(
      (group, index) => ['workers', getFieldsAt(group), toFieldPath`${paths.cluster}.workerGroupSpecs[${index}]`] as const,
    ),
    ['autoscaler', getFieldsAt(cluster, 'autoscalerOptions'), toFieldPath`${paths.cluster}.autoscalerOptions`],
    ['auth', getFieldsAt(cluster, 'authOptions'), toFieldPath`${paths.cluster}.authOptions`],
    ['faultTolerance', getFieldsAt(cluster, 'gcsFaultToleranceOptions'), toFieldPath`${paths.cluster}.gcsFaultToleranceOptions`],
  ];
}

/**
 * Lists the written fields of an object that are dropped because its apiVersion, or this version of KubeRay, lacks them.
 *
 * @param version KubeRay version
 */
export function listDroppedFields(manifest: Manifest, paths: RayServicePaths, version: string): DroppedField[] {
  return listSections(manifest, paths).flatMap(([section, fields, path]) => {
    const missingInVersion = isV1Alpha1(manifest) ? listV1OnlyFields(section) : [];
    const newer = listNewerFields(section, version).filter((field) => !missingInVersion.includes(field));
    const isSet = (field: string) => fields[field] !== undefined;
    return [
      ...missingInVersion.filter(isSet).map((field) => ({ path: toFieldPath`${path}.${field}`, field, value: fields[field] })),
      ...newer
        .filter(isSet)
        .map((field) => ({ path: toFieldPath`${path}.${field}`, field, value: fields[field], since: FIELD_VERSIONS[section]![field]! })),
    ];
  });
}

/** Reports whether the object's apiVersion requires rayStartParams in each group. */
export function mustHaveStartParams(object: Manifest): boolean {
  return isV1Alpha1(object);
}

/** Lists the maps of an object in which every field is known, with their paths and fields. */
export function listKnownFields(
  manifest: Manifest,
  paths: RayServicePaths,
): { readonly value: Fields; readonly path: FieldPath; readonly knownFields: readonly string[] }[] {
  return listSections(manifest, paths).map(([section, value, path]) => ({ value, path, knownFields: RAY_FIELD_NAMES[section] }));
}
