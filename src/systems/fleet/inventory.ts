import { OptionError } from '../../core/errors/option-error';
import { ROOT_PATH, toFieldPath, getFieldName, buildFieldPath, parseFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { getFieldsAt, groupOf as apiGroupOf, isFields, isManifest, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { findClosestName } from '../../core/errors/did-you-mean';
import { describeType } from '../../core/values/field-type';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import type { FieldSchema, ProblemOf } from '../../core/values/schema';
import { describeValue } from '../../core/text/display-value';
import { joinWords } from '../../core/text/text-format';
import type { FleetCluster, FleetClusterGroup, FleetInventory } from './clusters';
import type { WrongField } from './field-findings';
import { FLEET_GROUP, FLEET_GROUP_VERSION } from './fleet-yaml';
import { FLEET_CLUSTER_SCHEMA, CLUSTER_ENTRY_SCHEMA, FLEET_CLUSTER_GROUP_SCHEMA, GROUP_ENTRY_SCHEMA } from './schemas';

/** Thrown for an inventory that cannot be read. The message names the field and how to fix it. */
export class InventoryError extends OptionError {
  override readonly name = 'InventoryError';
}

const CLUSTER_FIELDS: ReadonlySet<string> = new Set(Object.keys(CLUSTER_ENTRY_SCHEMA.fields ?? {}));

const ACCEPTED_FORMS = `use Cluster and ClusterGroup objects of ${FLEET_GROUP_VERSION} or {"clusters": […], "groups": […]}`;

function isStringMap(value: unknown): boolean {
  if (!isFields(value)) return false;
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
}

function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

/** Reports whether a cluster is well-formed. Nearly all are, and an inventory may have a million, so this avoids the slow schema check. */
function isPlainCluster({ name, namespace, labels, paused, notReady, notRegistered, outsideSchedule }: Fields): boolean {
  return (
    typeof name === 'string' &&
    name !== '' &&
    (namespace === undefined || typeof namespace === 'string') &&
    (labels === undefined || isStringMap(labels)) &&
    isOptionalBoolean(paused) &&
    isOptionalBoolean(notReady) &&
    isOptionalBoolean(notRegistered) &&
    isOptionalBoolean(outsideSchedule)
  );
}

/** An inventory contains no tokens. */
const INVENTORY_READER = { allowsTokens: false };

/** Finds a missing or empty name, if its parent is well-formed or missing too. */
function findMissingName(value: Fields, path: FieldPath): WrongField[] {
  const parts = parseFieldPath(path);
  const parent = getValueAt(value, ...parts.slice(0, -1));
  const name = getValueAt(value, ...parts);
  const isMissing = (parent === undefined || parent === null || isFields(parent)) && (name === undefined || name === '');
  return isMissing ? [{ path, value: name, expected: 'string' }] : [];
}

/** Finds the fields of the wrong type, including a missing name. */
function findWrongFields(value: Fields, schema: FieldSchema, namePath: FieldPath): WrongField[] {
  return [
    ...filterProblems(findSchemaProblems(value, schema, ROOT_PATH, INVENTORY_READER), 'wrong-type'),
    ...findMissingName(value, namePath),
  ];
}

function createWrongFieldError(location: string, { path, value, expected }: WrongField): InventoryError {
  const subject = path === ROOT_PATH ? location : `${location}: ${path}`;
  return new InventoryError(`${subject} is ${describeValue(value)}, but must be ${describeType(expected)}`);
}

function createUnknownFieldError(location: string, { path, knownFields }: ProblemOf<'unknown'>): InventoryError {
  const field = getFieldName(path);
  const parent = buildFieldPath(...parseFieldPath(path).slice(0, -1));
  const subject = parent === ROOT_PATH ? location : `${location}: ${parent}`;
  return new InventoryError(
    `${subject}: "${field}" is not a field here; use ${findClosestName(field, knownFields) ?? joinWords(knownFields, 'or')}`,
  );
}

/** @throws InventoryError for a compact entry with an unknown field or a field of the wrong type */
function assertEntry(entry: unknown, schema: FieldSchema, location: string): asserts entry is Fields {
  if (!isFields(entry)) throw createWrongFieldError(location, { path: ROOT_PATH, value: entry, expected: 'map' });
  const [unknown] = filterProblems(findSchemaProblems(entry, schema, ROOT_PATH, INVENTORY_READER), 'unknown');
  if (unknown) throw createUnknownFieldError(location, unknown);
  const [wrong] = findWrongFields(entry, schema, toFieldPath`name`);
  if (wrong) throw createWrongFieldError(location, wrong);
}

/** Converts an entry. A null counts as unset, as in the API. */
function toCluster({ name, namespace, labels }: Fields, paused: unknown): FleetCluster {
  return { name, namespace: namespace ?? undefined, labels: labels ?? undefined, paused: paused === true } as FleetCluster;
}

function toClusterGroup({ name, namespace, labels }: Fields, selector: unknown): FleetClusterGroup {
  return { name, namespace: namespace ?? undefined, labels: labels ?? undefined, selector: selector ?? undefined } as FleetClusterGroup;
}

/** Finds the problems of a Cluster or ClusterGroup object. */
export function findInventoryProblems(object: Manifest): WrongField[] {
  if (object.kind === 'ClusterGroup') return findWrongFields(object, FLEET_CLUSTER_GROUP_SCHEMA, toFieldPath`metadata.name`);
  const { metadata, spec } = object;
  const isPlain =
    (spec === undefined || isFields(spec)) && isFields(metadata) && isPlainCluster({ ...metadata, paused: getValueAt(spec, 'paused') });
  return isPlain ? [] : findWrongFields(object, FLEET_CLUSTER_SCHEMA, toFieldPath`metadata.name`);
}

/**
 * Reports whether the status of a Cluster says that it is not ready.
 *
 * Source: rancher/fleet v0.16.1 cluster_controller.go, condition Ready.
 */
function isReportedNotReady(object: Manifest): boolean {
  const conditions = getListAt(object, 'status', 'conditions');
  return conditions.some((condition) => getValueAt(condition, 'type') === 'Ready' && getValueAt(condition, 'status') === 'False');
}

/** Reads the status of a Cluster; empty if it has none. Source: rancher/fleet v0.16.1, target/builder.go and crds.yaml. */
function readReportedStatus(object: Manifest): Pick<FleetCluster, 'notReady' | 'notRegistered' | 'outsideSchedule'> {
  const { status } = object;
  // Tools that generate manifests write an empty status.
  if (!isFields(status) || Object.keys(status).length === 0) return {};
  return {
    ...(isReportedNotReady(object) && { notReady: true }),
    ...((status.namespace ?? '') === '' && { notRegistered: true }),
    ...(status.scheduled === true && status.activeSchedule !== true && { outsideSchedule: true }),
  };
}

interface InventoryEntries {
  readonly clusters: FleetCluster[];
  readonly groups: FleetClusterGroup[];
  readonly deployments: Manifest[];
}

/** Maximum number of Lists in each other. An inventory of kubectl has one. */
const MAX_LISTS = 10;

function addObject(object: Manifest, location: string, found: InventoryEntries, lists: number): void {
  if (Array.isArray(object.items) && object.kind.endsWith('List')) {
    if (lists === MAX_LISTS) throw new InventoryError(`${location} is a List in ${MAX_LISTS} others; ${ACCEPTED_FORMS}`);
    for (const [index, item] of object.items.entries()) addDocument(item, `${location}, ${toFieldPath`items[${index}]`}`, found, lists + 1);
    return;
  }
  if (apiGroupOf(object) === FLEET_GROUP && object.kind === 'BundleDeployment') {
    found.deployments.push(object);
    return;
  }
  if (apiGroupOf(object) !== FLEET_GROUP || (object.kind !== 'Cluster' && object.kind !== 'ClusterGroup')) {
    throw new InventoryError(`${location} is a ${object.kind} of ${object.apiVersion}; ${ACCEPTED_FORMS}`);
  }
  const [wrong] = findInventoryProblems(object);
  if (wrong) throw createWrongFieldError(`${location}, ${object.kind}`, wrong);
  const metadata = getFieldsAt(object, 'metadata');
  if (object.kind === 'Cluster') {
    found.clusters.push({ ...toCluster(metadata, getValueAt(object, 'spec', 'paused')), ...readReportedStatus(object) });
  } else found.groups.push(toClusterGroup(metadata, getValueAt(object, 'spec', 'selector')));
}

function hasUnknownField(entry: Fields): boolean {
  for (const field in entry) if (!CLUSTER_FIELDS.has(field)) return true;
  return false;
}

/** Adds a cluster. A well-formed entry is not copied, since a million copies would cost more than the rest of the plan. */
function addCluster(entry: unknown, location: () => string, found: InventoryEntries): void {
  if (isFields(entry) && isPlainCluster(entry) && !hasUnknownField(entry)) {
    found.clusters.push(entry as unknown as FleetCluster);
    return;
  }
  assertEntry(entry, CLUSTER_ENTRY_SCHEMA, location());
  const { notReady, notRegistered, outsideSchedule } = entry as unknown as FleetCluster;
  found.clusters.push({ ...toCluster(entry, entry.paused), notReady, notRegistered, outsideSchedule });
}

function addGroup(entry: unknown, location: string, found: InventoryEntries): void {
  assertEntry(entry, GROUP_ENTRY_SCHEMA, location);
  found.groups.push(toClusterGroup(entry, entry.selector));
}

function addCompactDocument(document: Fields, location: string, found: InventoryEntries): void {
  for (const field of Object.keys(document)) {
    if (field !== 'clusters' && field !== 'groups') {
      throw new InventoryError(`${location}: "${field}" is not a field of an inventory; use "clusters" and "groups"`);
    }
  }
  const entriesOf = (field: string): readonly unknown[] => {
    const list = document[field] ?? [];
    if (!Array.isArray(list)) throw new InventoryError(`${location}: ${field} is ${describeValue(list)}, but must be a list`);
    return list;
  };
  // A list with holes is refused at the first one: `forEach` would visit each of a billion.
  for (const [index, entry] of entriesOf('clusters').entries()) {
    addCluster(entry, () => `${location}, ${toFieldPath`clusters[${index}]`}`, found);
  }
  for (const [index, entry] of entriesOf('groups').entries()) addGroup(entry, `${location}, ${toFieldPath`groups[${index}]`}`, found);
}

/** Maximum number of fields among which a misspelt one is looked for. */
const MAX_COMPARED_FIELDS = 100;

/** Names the field that a misspelt one probably means. */
function formatClosestField(document: unknown): string {
  const fields = isFields(document) ? Object.keys(document).slice(0, MAX_COMPARED_FIELDS) : [];
  for (const field of fields) {
    const closest = findClosestName(field, ['clusters', 'groups']);
    if (closest !== undefined) return ` (it has ${field}: write ${closest})`;
  }
  return '';
}

function addDocument(document: unknown, location: string, found: InventoryEntries, lists = 0): void {
  if (isManifest(document)) addObject(document, location, found, lists);
  else if (isFields(document) && ('clusters' in document || 'groups' in document)) addCompactDocument(document, location, found);
  else if (isFields(document) && 'name' in document) addCluster(document, () => location, found);
  else throw new InventoryError(`${location} is not an inventory${formatClosestField(document)}; ${ACCEPTED_FORMS}`);
}

interface NamespacedName {
  readonly name: string;
  readonly namespace?: string;
}

/** Sorts by name, bytewise as Fleet does (cluster names are ASCII). If an entry occurs twice, only the last one is kept. */
function sortByName<T extends NamespacedName>(entries: readonly T[]): readonly T[] {
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const isRepeated = sorted.some((entry, index) => index > 0 && sorted[index - 1]!.name === entry.name);
  return isRepeated ? deduplicateByName(sorted) : sorted;
}

function deduplicateByName<T extends NamespacedName>(entries: readonly T[]): T[] {
  return [...new Map(entries.map((entry) => [clusterNamesOf(entry)[1], entry])).values()];
}

/**
 * Reads an inventory from documents and merges them.
 *
 * A document is a Kubernetes object, a List, a single entry of `clusters`, or
 * `{"clusters":[{"name","namespace"?,"labels"?,"paused"?,"notReady"?}],"groups":[{"name","labels"?,"selector"}]}`.
 * BundleDeployments report the state of a bundle on each cluster.
 *
 * @param location name of the documents in errors, such as the file
 * @throws InventoryError that names the document and the field that cannot be read
 */
export function parseInventory(documents: readonly unknown[], location = 'the inventory'): FleetInventory {
  const found: InventoryEntries = { clusters: [], groups: [], deployments: [] };
  for (const [index, document] of documents.entries()) {
    addDocument(document, documents.length === 1 ? location : `${location}, document ${index + 1}`, found);
  }
  const inventory = { clusters: sortByName(found.clusters), groups: sortByName(found.groups) };
  return found.deployments.length === 0 ? inventory : { ...inventory, deployments: found.deployments };
}

/** Returns the names that refer to a cluster on the command line: its name, or namespace/name. Names contain no "/". */
export function clusterNamesOf({ name, namespace = '' }: NamespacedName): readonly [name: string, qualified: string] {
  return [name, `${namespace}/${name}`];
}
