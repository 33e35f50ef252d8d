import { trimEndCharacters } from '../core/text/trim-end';
import { CONTEXT_KINDS, POD_KINDS, formatKindKey } from '../cluster/kinds/context-kinds';
import { groupOf, nameOf, namespaceOf, kindKeyOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { sortBy } from '../core/collections/sort-by';
import type { Product } from '../core/values/versions';
import { ClusterError, describeFailure, isForbidden } from './kubectl';
import type { Kubectl, KubectlResult, ReadCommand } from './kubectl';
import { detectOperator, detectServerVersion, OPERATORS } from './operators';
import type { Operator } from './operators';
import { pruneObject } from './prune-object';
import { parseAnswer, parseObjects } from './read-answer';
import { formatQuery, listGroupsToRead, listReadQueries, listWholeKinds } from './read-queries';
import type { ReadQuery, SnapshotScope } from './read-queries';
import { formatResourceType, parseMissingGroups, parseResourceTypes } from './resource-types';
import type { ResourceTypes } from './resource-types';
import { formatNamedObject, formatSnapshot } from './snapshot-file';
import type { UnreadKind } from './snapshot-file';

/** What to read, and what receives the progress. */
export interface SnapshotRequest {
  /** Objects to apply. @default - none: the namespaces are read completely */
  readonly objects: readonly Manifest[];
  /** Context of kubectl. @default - the current one */
  readonly context?: string;
  /** Further namespaces. */
  readonly namespaces: readonly string[];
  /** Whether all namespaces are read if neither an object nor a namespace is given. @default false: that of the context */
  readonly readsAllNamespaces?: boolean;
  /** Receives the context before the cluster is asked anything. */
  readonly onContext?: (context: string) => void;
  /** Receives the namespaces before anything in them is read (undefined for all), and those beyond the maximum, which are not read. */
  readonly onNamespaces?: (namespaces: readonly string[] | undefined, unasked: readonly string[]) => void;
  /** Receives the number of finished reads, and of all. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Number of reads at the same time. */
const PARALLEL_READS = 8;

/**
 * Maximum number of namespaces of objects that are read. Each takes about 25 commands, and a pull request may name any number of namespaces.
 * Those of the command line are read in addition.
 */
const MAX_NAMESPACES = 100;

/** Seconds after which a server that does not answer counts as unreachable. */
const CONNECT_SECONDS = 15;

const NODE = formatKindKey(CONTEXT_KINDS.node);
const POD = formatKindKey(POD_KINDS.pod);

/** Creates the error of a cluster that does not answer at all. */
function createUnreachableError({ context }: Kubectl, result: KubectlResult, command: ReadCommand = 'version'): ClusterError {
  return new ClusterError(
    `cannot read the cluster of context ${context}: ${describeFailure(result)}; check it with kubectl --context=${context} ${command}`,
  );
}

/** Reads the version of the API server; undefined if it is none that plans know. @throws ClusterError if the server does not answer */
async function readServerVersion(kubectl: Kubectl): Promise<string | undefined> {
  const result = await kubectl.run('version', ['--output=json', `--request-timeout=${CONNECT_SECONDS}s`]);
  // kubectl prints what the server answers, and fails afterwards if it cannot compare that version with its own.
  const hasAnswer = result.stdout.includes('serverVersion');
  if (!hasAnswer) throw createUnreachableError(kubectl, result);
  return detectServerVersion(parseAnswer(result.stdout.toString('utf8'), 'version'));
}

/** Returns the context to read. @throws ClusterError if none is given and kubectl has no current one */
async function resolveContext(kubectl: Kubectl, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const { stdout, succeeded } = await kubectl.run('config current-context');
  const context = trimEndCharacters(stdout.toString('utf8'), '\r\n');
  if (succeeded && context !== '') return context;
  throw new ClusterError('kubectl has no current context; name one, as in --from cluster:CONTEXT or --context CONTEXT');
}

/** A kubectl with its context, and the namespace of objects that name none. */
export interface ResolvedContext {
  readonly kubectl: Kubectl;
  readonly defaultNamespace: string;
}

/** Resolves the context and its namespace without asking the cluster. @throws ClusterError if there is no context */
export async function readContext(kubectl: Kubectl, given: string | undefined): Promise<ResolvedContext> {
  const resolved = kubectl.withContext(await resolveContext(kubectl, given));
  return { kubectl: resolved, defaultNamespace: await readDefaultNamespace(resolved) };
}

const NAMESPACE_NAME = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** Returns the namespace of objects that name none. @throws ClusterError if it cannot be read, since the objects would be searched in another one */
async function readDefaultNamespace(kubectl: Kubectl): Promise<string> {
  const result = await kubectl.run('config view', ['--minify', '--output=jsonpath={..namespace}']);
  if (!result.succeeded) throw createUnreachableError(kubectl, result, 'config view');
  const namespace = result.stdout.toString('utf8').trim() || 'default';
  if (NAMESPACE_NAME.test(namespace)) return namespace;
  throw new ClusterError(
    `the namespace of context ${kubectl.context} is "${namespace}", which is no name; set it with kubectl config set-context`,
  );
}

type ReadOutcome = { readonly objects: readonly Manifest[] } | { readonly unread: UnreadKind };

/** Last line of kubectl if the server does not have a type, or a version of it. */
const ABSENT =
  /^(?:error: |Error from server \(NotFound\)).*(?:doesn't have a resource type|no matches for kind|could not find the requested resource)/;

async function readObjects(kubectl: Kubectl, query: ReadQuery): Promise<ReadOutcome> {
  const result = await kubectl.run('get', formatQuery(query));
  const { stdout, stderr, succeeded } = result;
  if (succeeded) return { objects: parseObjects(stdout, query).map(pruneObject) };
  const { resource, preferred, kind, namespace } = query;
  if (isForbidden(stderr)) return { unread: { resource, kind, ...(namespace !== undefined && { namespace }) } };
  // The server has no such version, and may have the object in another one.
  const isAbsent = ABSENT.test(stderr.trimEnd().split('\n').at(-1)!);
  if (isAbsent && preferred !== undefined && preferred !== resource) return readObjects(kubectl, { ...query, resource: preferred });
  throw new ClusterError(`cannot read ${resource} of context ${kubectl.context}: ${describeFailure(result)}; run the command again`);
}

/** Runs tasks, some of them at the same time, and returns their results in order. The first failure stops the rest. */
async function runInParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) {
      try {
        results[index] = await run(items[index]!);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL_READS, items.length) }, work));
  return results;
}

/** Namespaces of a run, sorted. */
interface SelectedNamespaces {
  /** Undefined for all. */
  readonly read: readonly string[] | undefined;
  /** Namespaces beyond the maximum, which are not read. */
  readonly unasked: readonly string[];
}

/** Selects the namespaces to read: those of the command line, and those that objects name or get, up to a maximum. */
function selectNamespaces(
  { objects, namespaces, readsAllNamespaces }: SnapshotRequest,
  types: ResourceTypes,
  defaultNamespace: string,
): SelectedNamespaces {
  const named = objects.flatMap((object) => {
    const type = types.get(kindKeyOf(object));
    return type?.isNamespaced === false ? [] : [namespaceOf(object) ?? defaultNamespace];
  });
  const given = new Set(namespaces);
  const further = sortBy([...new Set(named)], (name) => name).filter((name) => !given.has(name));
  const read = [...given, ...further.slice(0, MAX_NAMESPACES)];
  if (read.length === 0) return { read: readsAllNamespaces ? undefined : [defaultNamespace], unasked: [] };
  return { read: sortBy(read, (name) => name), unasked: further.slice(MAX_NAMESPACES) };
}

/** Returns the keys of the objects that are read by name, sorted. Namespaces are read by name if not all of them are. */
function listNamedObjects({ objects }: SnapshotRequest, types: ResourceTypes, scope: SnapshotScope, whole: readonly string[]): string[] {
  const kinds = new Set(whole);
  const named = objects
    .filter((object) => !kinds.has(kindKeyOf(object)))
    .map((object) => {
      const isNamespaced = types.get(kindKeyOf(object))?.isNamespaced !== false;
      return formatNamedObject(object, isNamespaced ? (namespaceOf(object) ?? scope.defaultNamespace) : undefined);
    });
  const namespaces = (scope.namespaces ?? []).map((name) =>
    formatNamedObject({ apiVersion: 'v1', kind: CONTEXT_KINDS.namespace.kind, metadata: { name } }, undefined),
  );
  return sortBy([...new Set([...named, ...namespaces])], (key) => key);
}

/** Returns the operators that decide about the objects, of those that the server may have. */
function selectOperators(objects: readonly Manifest[], types: ResourceTypes): Operator[] {
  const served = new Set([...types.values()].map(({ group }) => group));
  const applied = new Set(objects.map(groupOf));
  return OPERATORS.filter(
    ({ group, decidesFor }) => served.has(group) && (applied.size === 0 || decidesFor.some((decided) => applied.has(decided))),
  );
}

/** Returns the queries per namespace for types that the user may not list in all namespaces. */
function listFallbackQueries(queries: readonly ReadQuery[], unread: readonly UnreadKind[], namespaces: readonly string[]): ReadQuery[] {
  const refused = new Set(unread.filter(({ namespace }) => namespace === undefined).map(({ resource }) => resource));
  return queries
    .filter(({ resource, isNamespaced, namespace }) => isNamespaced && namespace === undefined && refused.has(resource))
    .flatMap((query) => namespaces.map((namespace) => ({ ...query, namespace })));
}

/**
 * Reads the types of the server. kubectl fails if it has none of the types of a group, as while an aggregated API is down, and still prints all others.
 *
 * @throws ClusterError if types are missing that decide about the objects: what they are not read of would be taken for new, or for absent
 */
async function readResourceTypes(kubectl: Kubectl, objects: readonly Manifest[]): Promise<ResourceTypes> {
  const discovered = await kubectl.run('api-resources', ['--verbs=list', '--no-headers']);
  const types = parseResourceTypes(discovered.stdout.toString('utf8'));
  const missing = discovered.succeeded ? [] : parseMissingGroups(discovered.stderr);
  const needed = listGroupsToRead(objects);
  const isIncomplete = !discovered.succeeded && (missing.length === 0 || missing.some((group) => needed.has(group)));
  if (types.size === 0 || isIncomplete) throw createUnreachableError(kubectl, discovered, 'api-resources');
  return types;
}

/** Returns the namespaces of objects, sorted, with further ones. */
function listNamespacesOf(objects: Iterable<Manifest>, further: readonly string[]): string[] {
  const isNamespace = ({ apiVersion, kind }: Manifest) => apiVersion === 'v1' && kind === 'Namespace';
  const named = [...objects].flatMap((object) => (isNamespace(object) ? nameOf(object) : (namespaceOf(object) ?? [])));
  return sortBy([...new Set([...named, ...further])], (name) => name);
}

/** Lists the queries for what an operator reads in its own namespace. */
function listOperatorConfigs({ configMaps, configKinds = [] }: Operator, namespace: string, types: ResourceTypes): ReadQuery[] {
  const presets = configKinds.flatMap((kind) => {
    const type = types.get(formatKindKey(kind));
    return type ? [{ resource: formatResourceType(type), kind: formatKindKey(kind), isNamespaced: true, namespace }] : [];
  });
  if (configMaps.length === 0) return presets;
  return [{ resource: 'configmaps', kind: '/ConfigMap', isNamespaced: true, namespace, names: configMaps }, ...presets];
}

/** Collects the results of reads. */
class SnapshotBuilder {
  readonly objects = new Map<string, Manifest>();
  readonly unread: UnreadKind[] = [];
  readonly versions: Partial<Record<Product, string>> = {};

  add(outcome: ReadOutcome): readonly Manifest[] {
    if ('unread' in outcome) {
      this.unread.push(outcome.unread);
      return [];
    }
    for (const object of outcome.objects) {
      const { apiVersion, kind, metadata } = object;
      this.objects.set([groupOf({ apiVersion }), kind, metadata?.namespace, metadata?.name].join('\0'), object);
    }
    return outcome.objects;
  }

  /** Removes the objects of a kind. */
  removeKind(key: string): void {
    for (const [id, object] of this.objects) if (kindKeyOf(object) === key) this.objects.delete(id);
  }
}

type ObjectReader = (query: ReadQuery) => Promise<ReadOutcome>;

/** Adds the versions and the settings of operators, which their Deployments show. */
async function addOperators(
  builder: SnapshotBuilder,
  operators: readonly Operator[],
  types: ResourceTypes,
  { readDeployment, readConfig }: { readonly readDeployment: ObjectReader; readonly readConfig: ObjectReader },
): Promise<void> {
  const deployments = await runInParallel(operators, ({ deployment }) =>
    readDeployment({
      resource: 'deployments.apps',
      kind: 'apps/Deployment',
      isNamespaced: true,
      fieldSelector: `metadata.name=${deployment}`,
    }),
  );
  const configs: ReadQuery[] = [];
  operators.forEach((operator, index) => {
    const outcome = deployments[index]!;
    if ('unread' in outcome) {
      builder.add(outcome);
      return;
    }
    const detected = detectOperator(operator, outcome.objects);
    if (detected.version !== undefined) builder.versions[operator.product] = detected.version;
    for (const namespace of detected.namespaces) for (const query of listOperatorConfigs(operator, namespace, types)) configs.push(query);
  });
  for (const outcome of await runInParallel(configs, readConfig)) builder.add(outcome);
}

/**
 * Reads what NEW names and what surrounds it, and returns the text of a snapshot. Runs only commands that read.
 *
 * @throws ClusterError if kubectl is missing, has no context, or cannot reach the server
 */
export async function collectSnapshot(anyKubectl: Kubectl, request: SnapshotRequest): Promise<string> {
  const { objects, onContext, onNamespaces, onProgress } = request;
  const kubectl = anyKubectl.withContext(await resolveContext(anyKubectl, request.context));
  const context = kubectl.context!;
  onContext?.(context);
  const defaultNamespace = await readDefaultNamespace(kubectl);
  const server = await readServerVersion(kubectl);
  const builder = new SnapshotBuilder();
  if (server !== undefined) builder.versions.kubernetes = server;
  const types = await readResourceTypes(kubectl, objects);

  const { read: namespaces, unasked } = selectNamespaces(request, types, defaultNamespace);
  onNamespaces?.(namespaces, unasked);
  const scope = { objects, defaultNamespace, namespaces };
  const queries = listReadQueries(types, scope);
  const operators = selectOperators(objects, types);
  const total = queries.length + operators.length;
  let done = 0;
  const readFurther = (query: ReadQuery) => readObjects(kubectl, query);
  const read = async (query: ReadQuery) => {
    const outcome = await readFurther(query);
    onProgress?.(++done, total);
    return outcome;
  };

  for (const outcome of await runInParallel(queries, read)) builder.add(outcome);
  const fallbacks = listFallbackQueries(queries, builder.unread, namespaces ?? [defaultNamespace]);
  for (const outcome of await runInParallel(fallbacks, readFurther)) builder.add(outcome);
  // Without all pods, nodes would look emptier than they are.
  if (builder.unread.some(({ kind, namespace }) => kind === POD && namespace === undefined)) builder.removeKind(NODE);
  await addOperators(builder, operators, types, { readDeployment: read, readConfig: readFurther });

  const wholeKinds = listWholeKinds(types, scope);
  const unserved = new Set(objects.map(kindKeyOf).filter((key) => !types.has(key)));
  const unread = new Map(builder.unread.map((each) => [JSON.stringify(each), each]));
  return formatSnapshot(
    {
      context,
      namespaces: namespaces ?? listNamespacesOf(builder.objects.values(), [defaultNamespace]),
      defaultNamespace,
      detectedVersions: builder.versions,
      ...(unasked.length > 0 && { unasked }),
      ...(!namespaces && { hasAllNamespaces: true as const }),
      wholeKinds,
      namedObjects: listNamedObjects(request, types, scope, wholeKinds),
      ...(unserved.size > 0 && { unserved: sortBy([...unserved], (key) => key) }),
      unread: sortBy([...unread.values()], ({ resource, namespace = '' }) => `${resource}\0${namespace}`),
      clusterScopedKinds: sortBy([...types.values()].filter(({ isNamespaced }) => !isNamespaced).map(formatKindKey), (key) => key),
    },
    [...builder.objects.values()],
  );
}
