import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { fieldsAt, isFields, listAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { isAtLeast } from '../../core/versions';
import type { RayServicePlaces } from './places';

export const V1 = 'ray.io/v1';
export const V1ALPHA1 = 'ray.io/v1alpha1';

/** Is this a RayService, of one of the versions that KubeRay serves? Source: its CRD in v1.5.1 and v1.7.0, which serves both. */
export function isRayService({ apiVersion, kind }: Manifest): boolean {
  return kind === 'RayService' && (apiVersion === V1 || apiVersion === V1ALPHA1);
}

/** A map of a RayService some of whose fields not every version has. */
type Holder = 'spec' | 'cluster' | 'head' | 'workers' | 'autoscaler' | 'auth' | 'faultTolerance';

/**
 * The fields that v1 has and v1alpha1 lacks, by the map that holds them: the API server drops them from an object of v1alpha1.
 *
 * Source: the CRD of KubeRay v1.5.1 and v1.7.0.
 */
const V1_ONLY: Readonly<Partial<Record<Holder, readonly string[]>>> = {
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

function v1OnlyFields(holder: Holder): readonly string[] {
  return V1_ONLY[holder] ?? [];
}

/**
 * The fields that came with a version of KubeRay, by the map that holds them: the API server of an older one drops them.
 *
 * Source: the CRDs of v1.5.1 and v1.7.0; apis/ray/v1 of v1.6.2.
 */
const NEWER: Readonly<Partial<Record<Holder, Readonly<Record<string, string>>>>> = {
  spec: { managedBy: '1.6', suspend: '1.7' },
  cluster: { historyServerOptions: '1.7', networkPolicy: '1.7', tlsOptions: '1.7', upgradeStrategy: '1.6' },
  head: { ingressOptions: '1.7' },
  workers: { priority: '1.7' },
  autoscaler: { args: '1.7', command: '1.7' },
  auth: { enableK8sTokenAuth: '1.6', secretName: '1.6' },
  faultTolerance: { backend: '1.7', storage: '1.7' },
};

/** Is it of the older version? */
function isOld({ apiVersion }: Manifest): boolean {
  return apiVersion === V1ALPHA1;
}

function newerFields(holder: Holder, version: string): string[] {
  return Object.entries(NEWER[holder] ?? {}).flatMap(([field, since]) => (isAtLeast(version, since) ? [] : [field]));
}

/** Drops from a map what its apiVersion lacks, or this version of KubeRay; what has another type stays as it is. */
type Dropping = (value: unknown, holder: Holder) => unknown;

function droppingFor(object: Manifest, version: string): Dropping {
  return (value, holder) => {
    if (!isFields(value)) return value;
    const names = [...newerFields(holder, version), ...(isOld(object) ? v1OnlyFields(holder) : [])];
    return names.some((name) => name in value)
      ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
      : value;
  };
}

/** A map with one of its fields replaced, where it has the field. */
function replaced(fields: Fields, name: string, replace: (value: unknown) => unknown): Fields {
  return name in fields ? { ...fields, [name]: replace(fields[name]) } : fields;
}

function storedCluster(written: unknown, drop: Dropping): unknown {
  const cluster = drop(written, 'cluster');
  if (!isFields(cluster)) return cluster;
  const withHead = replaced(cluster, 'headGroupSpec', (head) => drop(head, 'head'));
  const withWorkers = replaced(withHead, 'workerGroupSpecs', (groups) =>
    Array.isArray(groups) ? groups.map((group: unknown) => drop(group, 'workers')) : groups,
  );
  const withAutoscaler = replaced(withWorkers, 'autoscalerOptions', (options) => drop(options, 'autoscaler'));
  const withAuth = replaced(withAutoscaler, 'authOptions', (options) => drop(options, 'auth'));
  return replaced(withAuth, 'gcsFaultToleranceOptions', (options) => drop(options, 'faultTolerance'));
}

/**
 * The object without the fields that the API server drops since its apiVersion lacks them, or this version of KubeRay.
 *
 * @param version of KubeRay
 */
export function storedObject(object: Manifest, version: string): Manifest {
  const drop = droppingFor(object, version);
  const spec = drop(object.spec, 'spec');
  return isFields(spec) ? { ...object, spec: replaced(spec, 'rayClusterConfig', (cluster) => storedCluster(cluster, drop)) } : object;
}

/** A field that is written and dropped, and the version of KubeRay that has it first where it is that. */
export interface DroppedField {
  readonly path: FieldPath;
  readonly field: string;
  readonly value: unknown;
  readonly since?: string;
}

/** The maps of an object that hold fields of some versions alone, and where they stand. */
function holdersOf(written: Manifest, places: RayServicePlaces): (readonly [Holder, Fields, FieldPath])[] {
  const spec = fieldsAt(written, 'spec');
  const cluster = fieldsAt(spec, 'rayClusterConfig');
  return [
    ['spec', spec, places.spec],
    ['cluster', cluster, places.cluster],
    ['head', fieldsAt(cluster, 'headGroupSpec'), at`${places.cluster}.headGroupSpec`],
    ...listAt(cluster, 'workerGroupSpecs').map(
      (group, index) => ['workers', fieldsAt(group), at`${places.cluster}.workerGroupSpecs[${index}]`] as const,
    ),
    ['autoscaler', fieldsAt(cluster, 'autoscalerOptions'), at`${places.cluster}.autoscalerOptions`],
    ['auth', fieldsAt(cluster, 'authOptions'), at`${places.cluster}.authOptions`],
    ['faultTolerance', fieldsAt(cluster, 'gcsFaultToleranceOptions'), at`${places.cluster}.gcsFaultToleranceOptions`],
  ];
}

/**
 * The fields of an object as it is written that are dropped: those that its apiVersion lacks, or else this version of KubeRay.
 *
 * @param version of KubeRay
 */
export function droppedFields(written: Manifest, places: RayServicePlaces, version: string): DroppedField[] {
  return holdersOf(written, places).flatMap(([holder, fields, path]) => {
    const lacking = isOld(written) ? v1OnlyFields(holder) : [];
    const newer = newerFields(holder, version).filter((field) => !lacking.includes(field));
    const isWritten = (field: string) => fields[field] !== undefined;
    return [
      ...lacking.filter(isWritten).map((field) => ({ path: at`${path}.${field}`, field, value: fields[field] })),
      ...newer
        .filter(isWritten)
        .map((field) => ({ path: at`${path}.${field}`, field, value: fields[field], since: NEWER[holder]![field]! })),
    ];
  });
}

/** Does an object of this apiVersion have to have rayStartParams in each of its groups? */
export function needsStartParams(object: Manifest): boolean {
  return isOld(object);
}
