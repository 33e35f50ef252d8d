import { fieldsAt, groupOf as apiGroupOf, isFields, isManifest, listAt, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { describeType, describeValue, mismatchesOf } from '../../core/shape';
import type { Mismatch, Shape } from '../../core/shape';
import { nearestName } from '../../core/unknown-fields';
import type { FleetCluster, FleetClusterGroup, Inventory } from './clusters';

/** Thrown for an inventory that cannot be read; the message names the field and what to write. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError';
}

const SELECTOR: Shape = {
  selector: 'map',
  'selector.matchLabels': 'string-map',
  'selector.matchExpressions': 'list',
  'selector.matchExpressions[]': 'map',
  'selector.matchExpressions[].key': 'string!',
  'selector.matchExpressions[].operator': 'string!',
  'selector.matchExpressions[].values': 'list',
  'selector.matchExpressions[].values[]': 'string!',
};

const METADATA: Shape = { 'metadata.name': 'string!', 'metadata.namespace': 'string', 'metadata.labels': 'string-map' };
const CLUSTER_OBJECT: Shape = { ...METADATA, spec: 'map', 'spec.paused': 'boolean' };
const GROUP_OBJECT: Shape = {
  ...METADATA,
  spec: 'map',
  ...Object.fromEntries(Object.entries(SELECTOR).map(([path, type]) => [`spec.${path}`, type])),
};
const CLUSTER_ENTRY: Shape = { name: 'string!', namespace: 'string', labels: 'string-map', paused: 'boolean' };
const GROUP_ENTRY: Shape = { name: 'string!', namespace: 'string', labels: 'string-map', ...SELECTOR };

/** What entries and their selectors hold; anything else is a slip, and leaving it out would plan for other clusters than meant. */
const CLUSTER_FIELDS = ['name', 'namespace', 'labels', 'paused'];
const GROUP_FIELDS = ['name', 'namespace', 'labels', 'selector'];
const SELECTOR_FIELDS = ['matchLabels', 'matchExpressions'];
const EXPRESSION_FIELDS = ['key', 'operator', 'values'];

const FORMS = 'write Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}';

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

/** What is wrong with an entry; a missing name is a mismatch too. */
function mismatches(value: unknown, shape: Shape, namePath: string): Mismatch[] {
  if (!isFields(value)) return [{ path: '', expected: 'map', seen: value }];
  const name = valueAt(value, ...namePath.split('.'));
  const unnamed: Mismatch[] = name === undefined || name === '' ? [{ path: namePath, expected: 'string', seen: name }] : [];
  return [...mismatchesOf(value, shape), ...unnamed];
}

function refuse(place: string, [mismatch]: readonly Mismatch[]): void {
  if (!mismatch) return;
  const subject = mismatch.path === '' ? place : `${place}: ${mismatch.path}`;
  throw new InventoryError(`${subject} is ${describeValue(mismatch.seen)}, and must be ${describeType(mismatch.expected)}`);
}

function unknownField(value: Fields, known: readonly string[]): string | undefined {
  for (const field in value) if (!known.includes(field)) return field;
  return undefined;
}

function refuseUnknown(value: unknown, known: readonly string[], place: string): void {
  const field = isFields(value) ? unknownField(value, known) : undefined;
  if (field === undefined) return;
  const nearest = nearestName(field, known);
  throw new InventoryError(`${place}: "${field}" is no field here; write ${nearest ?? known.join(', ')}`);
}

/** A null counts as absent, as in the API. */
function clusterOf({ name, namespace, labels }: Fields, paused: unknown): FleetCluster {
  return { name, namespace: namespace ?? undefined, labels: labels ?? undefined, paused: paused === true } as FleetCluster;
}

function groupOf({ name, namespace, labels }: Fields, selector: unknown): FleetClusterGroup {
  return { name, namespace: namespace ?? undefined, labels: labels ?? undefined, selector: selector ?? undefined } as FleetClusterGroup;
}

/** What is wrong with a Cluster or ClusterGroup object. */
export function inventoryMismatches(object: Manifest): Mismatch[] {
  if (object.kind === 'ClusterGroup') return mismatches(object, GROUP_OBJECT, 'metadata.name');
  const { metadata, spec } = object;
  const isPlain =
    (spec === undefined || isFields(spec)) && isFields(metadata) && isCluster({ ...metadata, paused: valueAt(spec, 'paused') });
  return isPlain ? [] : mismatches(object, CLUSTER_OBJECT, 'metadata.name');
}

interface Found {
  readonly clusters: FleetCluster[];
  readonly groups: FleetClusterGroup[];
}

function addObject(object: Manifest, place: string, found: Found): void {
  if (Array.isArray(object.items) && object.kind.endsWith('List')) {
    object.items.forEach((item: unknown, index) => addDocument(item, `${place}, items[${index}]`, found));
    return;
  }
  if (apiGroupOf(object) !== 'fleet.cattle.io' || (object.kind !== 'Cluster' && object.kind !== 'ClusterGroup')) {
    throw new InventoryError(`${place} is a ${object.kind} of ${object.apiVersion}; ${FORMS}`);
  }
  refuse(`${place}, ${object.kind}`, inventoryMismatches(object));
  const metadata = fieldsAt(object, 'metadata');
  if (object.kind === 'Cluster') found.clusters.push(clusterOf(metadata, valueAt(object, 'spec', 'paused')));
  else found.groups.push(groupOf(metadata, valueAt(object, 'spec', 'selector')));
}

/** A well-formed entry is taken as it is: a million copies would cost more than the rest of the plan. */
function addCluster(entry: unknown, place: () => string, found: Found): void {
  if (isFields(entry) && isCluster(entry) && unknownField(entry, CLUSTER_FIELDS) === undefined) {
    found.clusters.push(entry as unknown as FleetCluster);
    return;
  }
  refuseUnknown(entry, CLUSTER_FIELDS, place());
  refuse(place(), mismatches(entry, CLUSTER_ENTRY, 'name'));
  found.clusters.push(clusterOf(entry as Fields, (entry as Fields).paused));
}

function addGroup(entry: unknown, place: string, found: Found): void {
  refuseUnknown(entry, GROUP_FIELDS, place);
  refuse(place, mismatches(entry, GROUP_ENTRY, 'name'));
  const { selector } = entry as Fields;
  refuseUnknown(selector, SELECTOR_FIELDS, `${place}: selector`);
  listAt(selector, 'matchExpressions').forEach((expression, index) => {
    refuseUnknown(expression, EXPRESSION_FIELDS, `${place}: selector.matchExpressions[${index}]`);
  });
  found.groups.push(groupOf(entry as Fields, selector));
}

function addCompact(document: Fields, place: string, found: Found): void {
  for (const field of Object.keys(document)) {
    if (field !== 'clusters' && field !== 'groups') {
      throw new InventoryError(`${place}: "${field}" is no field of an inventory; write "clusters" and "groups"`);
    }
  }
  const entriesOf = (field: string): readonly unknown[] => {
    const list = document[field] ?? [];
    if (!Array.isArray(list)) throw new InventoryError(`${place}: ${field} is ${describeValue(list)}, and must be a list`);
    return list;
  };
  entriesOf('clusters').forEach((entry, index) => addCluster(entry, () => `${place}, clusters[${index}]`, found));
  entriesOf('groups').forEach((entry, index) => addGroup(entry, `${place}, groups[${index}]`, found));
}

function addDocument(document: unknown, place: string, found: Found): void {
  if (isManifest(document)) addObject(document, place, found);
  else if (isFields(document) && ('clusters' in document || 'groups' in document)) addCompact(document, place, found);
  else if (isFields(document) && 'name' in document) addCluster(document, () => place, found);
  else throw new InventoryError(`${place} is no inventory; ${FORMS}`);
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
 * Reads an inventory from documents, all merged: Kubernetes objects, Lists of them, or
 * `{"clusters":[{"name","namespace"?,"labels"?,"paused"?}],"groups":[{"name","labels"?,"selector"}]}`, or single entries of its clusters.
 *
 * @param place - names the documents in an error: the file
 * @throws InventoryError naming the document and the field that cannot be read
 */
export function parseInventory(documents: readonly unknown[], place = 'the inventory'): Inventory {
  const found: Found = { clusters: [], groups: [] };
  documents.forEach((document, index) => addDocument(document, documents.length === 1 ? place : `${place}, document ${index + 1}`, found));
  return { clusters: sortedByName(found.clusters), groups: sortedByName(found.groups) };
}

/** What a cluster may be called by where it is named beside the inventory: its name, or namespace/name. Names hold no "/". */
export function namesOf({ name, namespace = '' }: Named): readonly [name: string, qualified: string] {
  return [name, `${namespace}/${name}`];
}
