import { OptionError } from '../../core/option-error';
import { WHOLE_OBJECT, at, fieldName, fieldPath, fieldPathParts } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { fieldsAt, groupOf as apiGroupOf, isFields, isManifest, listAt, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { nearestName } from '../../core/nearest-name';
import { describeType } from '../../core/field-type';
import { ofKind, schemaProblems } from '../../core/schema';
import type { FieldSchema, ProblemOf } from '../../core/schema';
import { describeValue } from '../../core/seen';
import { listed } from '../../core/words';
import type { FleetCluster, FleetClusterGroup, Inventory } from './clusters';
import type { WrongField } from './field-findings';
import { FLEET_GROUP, FLEET_GROUP_VERSION } from './fleet-yaml';
import { CLUSTER, CLUSTER_ENTRY, CLUSTER_GROUP, GROUP_ENTRY } from './schemas';

/** Thrown for an inventory that cannot be read; the message names the field and what to write. */
export class InventoryError extends OptionError {
  override readonly name = 'InventoryError';
}

const CLUSTER_FIELDS: ReadonlySet<string> = new Set(Object.keys(CLUSTER_ENTRY.fields ?? {}));

const FORMS = `write Cluster and ClusterGroup objects of ${FLEET_GROUP_VERSION} or {"clusters": […], "groups": […]}`;

function isStringMap(value: unknown): boolean {
  if (!isFields(value)) return false;
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
}

/** Nearly every entry is well-formed, and an inventory may hold a million: one look instead of a walk along each field path. */
function isCluster({ name, namespace, labels, paused }: Fields): boolean {
  return (
    typeof name === 'string' &&
    name !== '' &&
    (namespace === undefined || typeof namespace === 'string') &&
    (labels === undefined || isStringMap(labels)) &&
    (paused === undefined || typeof paused === 'boolean')
  );
}

/** Nothing stands for a token in an inventory. */
const READER = { takesTokens: false };

/** A name that is missing or empty, where what would hold it is well-formed or missing too. */
function missingName(value: Fields, path: FieldPath): WrongField[] {
  const parts = fieldPathParts(path);
  const holder = valueAt(value, ...parts.slice(0, -1));
  const name = valueAt(value, ...parts);
  const isMissing = (holder === undefined || holder === null || isFields(holder)) && (name === undefined || name === '');
  return isMissing ? [{ path, value: name, expected: 'string' }] : [];
}

/** The fields of another type than wanted, a missing name among them. */
function wrongFields(value: Fields, schema: FieldSchema, namePath: FieldPath): WrongField[] {
  return [...ofKind(schemaProblems(value, schema, WHOLE_OBJECT, READER), 'wrong-type'), ...missingName(value, namePath)];
}

function wrongFieldError(place: string, { path, value, expected }: WrongField): InventoryError {
  const subject = path === WHOLE_OBJECT ? place : `${place}: ${path}`;
  return new InventoryError(`${subject} is ${describeValue(value)}, and must be ${describeType(expected)}`);
}

function unknownFieldError(place: string, { path, known }: ProblemOf<'unknown'>): InventoryError {
  const field = fieldName(path);
  const holder = fieldPath(...fieldPathParts(path).slice(0, -1));
  const subject = holder === WHOLE_OBJECT ? place : `${place}: ${holder}`;
  return new InventoryError(`${subject}: "${field}" is not a field here; write ${nearestName(field, known) ?? listed(known, 'or')}`);
}

/** @throws InventoryError for a compact entry with an unknown field, or one of another type */
function refuseEntry(entry: unknown, schema: FieldSchema, place: string): asserts entry is Fields {
  if (!isFields(entry)) throw wrongFieldError(place, { path: WHOLE_OBJECT, value: entry, expected: 'map' });
  const [unknown] = ofKind(schemaProblems(entry, schema, WHOLE_OBJECT, READER), 'unknown');
  if (unknown) throw unknownFieldError(place, unknown);
  const [wrong] = wrongFields(entry, schema, at`name`);
  if (wrong) throw wrongFieldError(place, wrong);
}

/** A null counts as absent, as in the API. */
function clusterOf({ name, namespace, labels }: Fields, paused: unknown): FleetCluster {
  return { name, namespace: namespace ?? undefined, labels: labels ?? undefined, paused: paused === true } as FleetCluster;
}

function groupOf({ name, namespace, labels }: Fields, selector: unknown): FleetClusterGroup {
  return { name, namespace: namespace ?? undefined, labels: labels ?? undefined, selector: selector ?? undefined } as FleetClusterGroup;
}

/** What is wrong with a Cluster or ClusterGroup object. */
export function inventoryProblems(object: Manifest): WrongField[] {
  if (object.kind === 'ClusterGroup') return wrongFields(object, CLUSTER_GROUP, at`metadata.name`);
  const { metadata, spec } = object;
  const isPlain =
    (spec === undefined || isFields(spec)) && isFields(metadata) && isCluster({ ...metadata, paused: valueAt(spec, 'paused') });
  return isPlain ? [] : wrongFields(object, CLUSTER, at`metadata.name`);
}

/** Does the status of a Cluster say that it is not ready? Source: rancher/fleet v0.16.1 cluster_controller.go, condition Ready. */
function isReportedNotReady(object: Manifest): boolean {
  const conditions = listAt(object, 'status', 'conditions');
  return conditions.some((condition) => valueAt(condition, 'type') === 'Ready' && valueAt(condition, 'status') === 'False');
}

/** What the status of a Cluster says; nothing where it has none. Source: rancher/fleet v0.16.1, target/builder.go and crds.yaml. */
function reportedOf(object: Manifest): Pick<FleetCluster, 'notReady' | 'notRegistered' | 'outsideSchedule'> {
  const { status } = object;
  // An empty one is what tools write that make manifests.
  if (!isFields(status) || Object.keys(status).length === 0) return {};
  return {
    ...(isReportedNotReady(object) && { notReady: true }),
    ...((status.namespace ?? '') === '' && { notRegistered: true }),
    ...(status.scheduled === true && status.activeSchedule !== true && { outsideSchedule: true }),
  };
}

interface Found {
  readonly clusters: FleetCluster[];
  readonly groups: FleetClusterGroup[];
  readonly deployments: Manifest[];
}

function addObject(object: Manifest, place: string, found: Found): void {
  if (Array.isArray(object.items) && object.kind.endsWith('List')) {
    object.items.forEach((item: unknown, index) => addDocument(item, `${place}, ${at`items[${index}]`}`, found));
    return;
  }
  if (apiGroupOf(object) === FLEET_GROUP && object.kind === 'BundleDeployment') {
    found.deployments.push(object);
    return;
  }
  if (apiGroupOf(object) !== FLEET_GROUP || (object.kind !== 'Cluster' && object.kind !== 'ClusterGroup')) {
    throw new InventoryError(`${place} is a ${object.kind} of ${object.apiVersion}; ${FORMS}`);
  }
  const [wrong] = inventoryProblems(object);
  if (wrong) throw wrongFieldError(`${place}, ${object.kind}`, wrong);
  const metadata = fieldsAt(object, 'metadata');
  if (object.kind === 'Cluster') {
    found.clusters.push({ ...clusterOf(metadata, valueAt(object, 'spec', 'paused')), ...reportedOf(object) });
  } else found.groups.push(groupOf(metadata, valueAt(object, 'spec', 'selector')));
}

function hasUnknownField(entry: Fields): boolean {
  for (const field in entry) if (!CLUSTER_FIELDS.has(field)) return true;
  return false;
}

/** A well-formed entry is taken as it is: a million copies would cost more than the rest of the plan. */
function addCluster(entry: unknown, place: () => string, found: Found): void {
  if (isFields(entry) && isCluster(entry) && !hasUnknownField(entry)) {
    found.clusters.push(entry as unknown as FleetCluster);
    return;
  }
  refuseEntry(entry, CLUSTER_ENTRY, place());
  found.clusters.push(clusterOf(entry, entry.paused));
}

function addGroup(entry: unknown, place: string, found: Found): void {
  refuseEntry(entry, GROUP_ENTRY, place);
  found.groups.push(groupOf(entry, entry.selector));
}

function addCompact(document: Fields, place: string, found: Found): void {
  for (const field of Object.keys(document)) {
    if (field !== 'clusters' && field !== 'groups') {
      throw new InventoryError(`${place}: "${field}" is not a field of an inventory; write "clusters" and "groups"`);
    }
  }
  const entriesOf = (field: string): readonly unknown[] => {
    const list = document[field] ?? [];
    if (!Array.isArray(list)) throw new InventoryError(`${place}: ${field} is ${describeValue(list)}, and must be a list`);
    return list;
  };
  entriesOf('clusters').forEach((entry, index) => addCluster(entry, () => `${place}, ${at`clusters[${index}]`}`, found));
  entriesOf('groups').forEach((entry, index) => addGroup(entry, `${place}, ${at`groups[${index}]`}`, found));
}

function addDocument(document: unknown, place: string, found: Found): void {
  if (isManifest(document)) addObject(document, place, found);
  else if (isFields(document) && ('clusters' in document || 'groups' in document)) addCompact(document, place, found);
  else if (isFields(document) && 'name' in document) addCluster(document, () => place, found);
  else throw new InventoryError(`${place} is not an inventory; ${FORMS}`);
}

interface Named {
  readonly name: string;
  readonly namespace?: string;
}

/** By name, byte by byte as Fleet sorts: cluster names are ASCII. One that is given twice counts once, as it was given last. */
function sortedByName<T extends Named>(entries: readonly T[]): readonly T[] {
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const isRepeated = sorted.some((entry, index) => index > 0 && sorted[index - 1]!.name === entry.name);
  return isRepeated ? lastOfEach(sorted) : sorted;
}

function lastOfEach<T extends Named>(entries: readonly T[]): T[] {
  return [...new Map(entries.map((entry) => [namesOf(entry)[1], entry])).values()];
}

/**
 * Reads an inventory from documents, all merged: Kubernetes objects, Lists of them,
 * or `{"clusters":[{"name","namespace"?,"labels"?,"paused"?}],"groups":[{"name","labels"?,"selector"}]}`,
 * or single entries of its clusters. BundleDeployments among them say how a bundle does on each cluster.
 *
 * @param place - names the documents in an error: the file
 * @throws InventoryError naming the document and the field that cannot be read
 */
export function parseInventory(documents: readonly unknown[], place = 'the inventory'): Inventory {
  const found: Found = { clusters: [], groups: [], deployments: [] };
  documents.forEach((document, index) => addDocument(document, documents.length === 1 ? place : `${place}, document ${index + 1}`, found));
  const inventory = { clusters: sortedByName(found.clusters), groups: sortedByName(found.groups) };
  return found.deployments.length === 0 ? inventory : { ...inventory, deployments: found.deployments };
}

/** What a cluster may be called by where it is named beside the inventory: its name, or namespace/name. Names hold no "/". */
export function namesOf({ name, namespace = '' }: Named): readonly [name: string, qualified: string] {
  return [name, `${namespace}/${name}`];
}
