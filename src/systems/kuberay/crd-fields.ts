import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { isAtLeast } from '../../core/versions';
import type { RayServicePaths } from './field-paths';

export const V1 = 'ray.io/v1';
export const V1ALPHA1 = 'ray.io/v1alpha1';

/** Is this a RayService, of one of the versions that KubeRay serves? Source: its CRD in v1.5.1 and v1.7.0, which serves both. */
export function isRayService({ apiVersion, kind }: Manifest): boolean {
  return kind === 'RayService' && (apiVersion === V1 || apiVersion === V1ALPHA1);
}

/** A map of a RayService some of whose fields not every version has. */
type SpecSection = 'spec' | 'cluster' | 'head' | 'workers' | 'autoscaler' | 'auth' | 'faultTolerance';

/**
 * The fields that v1 has and v1alpha1 lacks, by the map that holds them: the API server drops them from an object of v1alpha1.
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
 * The fields that came with a version of KubeRay, by the map that holds them: the API server of an older one drops them.
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

/** Is it of the older version? */
function isV1Alpha1({ apiVersion }: Manifest): boolean {
  return apiVersion === V1ALPHA1;
}

function listNewerFields(section: SpecSection, version: string): string[] {
  return Object.entries(FIELD_VERSIONS[section] ?? {}).flatMap(([field, since]) => (isAtLeast(version, since) ? [] : [field]));
}

/** Drops from a map what its apiVersion lacks, or this version of KubeRay; what has another type stays as it is. */
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

/** A map with one of its fields replaced, where it has the field. */
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
 * The object without the fields that the API server drops since its apiVersion lacks them, or this version of KubeRay.
 *
 * @param version of KubeRay
 */
export function dropUnsupportedFields(object: Manifest, version: string): Manifest {
  const drop = createFieldDropper(object, version);
  const spec = drop(object.spec, 'spec');
  return isFields(spec)
    ? { ...object, spec: replaceField(spec, 'rayClusterConfig', (cluster) => dropClusterFields(cluster, drop)) }
    : object;
}

/** A field that is written and dropped, and the version of KubeRay that has it first where it is that. */
export interface DroppedField {
  readonly path: FieldPath;
  readonly field: string;
  readonly value: unknown;
  readonly since?: string;
}

/** The maps of an object that hold fields of some versions alone, and where they stand. */
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
 * The fields of an object as it is written that are dropped: those that its apiVersion lacks, or else this version of KubeRay.
 *
 * @param version of KubeRay
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

/** Does an object of this apiVersion have to have rayStartParams in each of its groups? */
export function mustHaveStartParams(object: Manifest): boolean {
  return isV1Alpha1(object);
}
