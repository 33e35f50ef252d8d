import { CONTEXT_KINDS, formatKindKey } from '../cluster/kinds/context-kinds';
import { groupBy } from '../core/collections/group-by';
import { nameOf, namespaceOf, kindKeyOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { sortBy } from '../core/collections/sort-by';
import { formatResourceType } from './resource-types';
import type { ResourceType, ResourceTypes } from './resource-types';
import { KINDS_OF_ALL_NAMESPACES, listSurroundingKinds } from './surroundings';

/** One `kubectl get`. */
export interface ReadQuery {
  /** Type as kubectl takes it: `deployments.apps`. */
  readonly resource: string;
  /** Type without a version. @default - the resource names none */
  readonly preferred?: string;
  /** Group and kind: `apps/Deployment`. */
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** Namespace; absent for all namespaces, and for a type without namespaces. */
  readonly namespace?: string;
  /** Names of the objects. @default - all */
  readonly names?: readonly string[];
  readonly fieldSelector?: string;
}

/** What is applied, and where. */
export interface SnapshotScope {
  /** Objects to apply. */
  readonly objects: readonly Manifest[];
  /** Namespace of objects that name none. */
  readonly defaultNamespace: string;
  /** Namespaces to read, sorted. Undefined for all of them, without ConfigMaps and Secrets that nothing names. */
  readonly namespaces: readonly string[] | undefined;
}

const SECRET = '/Secret';
const CONFIG_MAP = '/ConfigMap';
const NAMESPACE = formatKindKey(CONTEXT_KINDS.namespace);

/** Number of names from which all objects of a type are listed instead, because a command line has a limit. */
const MAX_NAMES = 200;

/** Names that are safe as arguments of kubectl, which would read `--server=…` as an option. */
const OBJECT_NAME = /^[A-Za-z0-9][A-Za-z0-9.:_-]*$/;

/** Size of the pages in which kubectl reads a list, in objects. */
const CHUNK_SIZE = 500;

/** Returns the arguments of a query after `get`. Values follow an equals sign, so none is read as an option. */
export function formatQuery({ resource, isNamespaced, namespace, names = [], fieldSelector }: ReadQuery): string[] {
  return [
    resource,
    ...names,
    ...(namespace === undefined ? (isNamespaced ? ['--all-namespaces'] : []) : [`--namespace=${namespace}`]),
    ...(fieldSelector === undefined ? [] : [`--field-selector=${fieldSelector}`]),
    ...(names.length > 0 ? ['--ignore-not-found'] : [`--chunk-size=${CHUNK_SIZE}`]),
    '--show-managed-fields',
    '--output=json',
  ];
}

/** Lists the queries of one type that is listed completely. */
function listWholeType(type: ResourceType, key: string, { namespaces }: SnapshotScope): ReadQuery[] {
  const query = { resource: formatResourceType(type), kind: key, isNamespaced: type.isNamespaced };
  if (namespaces === undefined) return [query];
  if (key === NAMESPACE) {
    const names = namespaces.filter((name) => OBJECT_NAME.test(name));
    return names.length === 0 ? [] : [{ ...query, names }];
  }
  if (!type.isNamespaced || KINDS_OF_ALL_NAMESPACES.has(key)) return [query];
  return namespaces.map((namespace) => ({ ...query, namespace }));
}

/** Reports whether kubectl can be asked for names. All objects of the type are listed otherwise, as the server has a ClusterRole of any name. */
function areArguments(names: ReadonlySet<string>): boolean {
  return names.size <= MAX_NAMES && [...names].every((name) => OBJECT_NAME.test(name));
}

/** A name that a version can have. kubectl would read any other text as several types. */
const VERSION_NAME = /^[a-z][a-z0-9-]*$/;

/** Lists the queries for the objects of one kind that are applied, by name. */
function listNamedObjects(type: ResourceType, objects: readonly Manifest[], scope: SnapshotScope): ReadQuery[] {
  const { apiVersion } = objects[0]!;
  const version = apiVersion.split('/').at(-1)!;
  const resource = VERSION_NAME.test(version) ? formatResourceType(type, version) : formatResourceType(type);
  const byNamespace = new Map<string | undefined, Set<string>>();
  const readNamespaces = new Set(scope.namespaces);
  for (const object of objects) {
    const name = nameOf(object);
    const namespace = type.isNamespaced ? (namespaceOf(object) ?? scope.defaultNamespace) : undefined;
    if (namespace !== undefined && !readNamespaces.has(namespace)) continue;
    byNamespace.set(namespace, (byNamespace.get(namespace) ?? new Set()).add(name));
  }
  return [...byNamespace].map(([namespace, names]) => ({
    resource,
    preferred: formatResourceType(type),
    kind: formatKindKey(type),
    isNamespaced: type.isNamespaced,
    ...(namespace !== undefined && { namespace }),
    ...(areArguments(names) && { names: sortBy([...names], (name) => name) }),
  }));
}

/** Lists the queries for Secrets when nothing is named. Releases of Helm are omitted: they are large, and no pod reads them. */
function listSecrets(namespaces: readonly string[]): ReadQuery[] {
  return namespaces.map((namespace) => ({
    resource: 'secrets',
    kind: SECRET,
    isNamespaced: true,
    namespace,
    fieldSelector: 'type!=helm.sh/release.v1',
  }));
}

function listConfigMaps(namespaces: readonly string[]): ReadQuery[] {
  return namespaces.map((namespace) => ({ resource: 'configmaps', kind: CONFIG_MAP, isNamespaced: true, namespace }));
}

/** Lists the queries for what pods mount, when nothing is named. */
function listMountedConfigs(types: ResourceTypes, { namespaces = [] }: SnapshotScope): ReadQuery[] {
  return [...(types.has(SECRET) ? listSecrets(namespaces) : []), ...listConfigMaps(namespaces)];
}

/** Returns the groups of the kinds that are read for objects. */
export function listGroupsToRead(objects: readonly Manifest[]): ReadonlySet<string> {
  const keys = new Set(objects.map(kindKeyOf));
  return new Set([...keys, ...listSurroundingKinds(keys)].map((key) => key.slice(0, key.indexOf('/'))));
}

/** Lists the kinds of which a snapshot has all objects in the namespaces that are read, as group and kind, sorted. */
export function listWholeKinds(types: ResourceTypes, { objects, namespaces }: SnapshotScope): readonly string[] {
  const surroundings = listSurroundingKinds(new Set(objects.map(kindKeyOf)));
  const configs = objects.length === 0 && namespaces !== undefined ? [SECRET, CONFIG_MAP] : [];
  const listed = [...surroundings].filter((key) => key !== NAMESPACE || namespaces === undefined);
  return sortBy([...new Set([...listed, ...configs])], (key) => key).filter((key) => types.has(key));
}

/** Lists the reads of a snapshot: one per type and namespace. Types that the server does not have are not read. */
export function listReadQueries(types: ResourceTypes, scope: SnapshotScope): readonly ReadQuery[] {
  const byKind = groupBy(scope.objects, kindKeyOf);
  const surroundings = listSurroundingKinds(new Set(byKind.keys()));
  const listed = [...surroundings].flatMap((key) => {
    const type = types.get(key);
    return type ? listWholeType(type, key, scope) : [];
  });
  const named = [...byKind].flatMap(([key, objects]) => {
    const type = types.get(key);
    return type && !surroundings.has(key) ? listNamedObjects(type, objects, scope) : [];
  });
  const configs = byKind.size > 0 ? [] : listMountedConfigs(types, scope);
  return sortBy([...listed, ...named, ...configs], (query) => formatQuery(query).join(' '));
}
