import { fieldsAt, groupOf, isFields, isManifest, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { describeType, describeValue, mismatchesOf } from '../../core/shape';
import type { Mismatch, Shape } from '../../core/shape';
import type { FleetCluster, FleetClusterGroup, Inventory } from './clusters';
import type { Labels } from './selector';

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

function isStringMap(value: unknown): boolean {
  if (!isFields(value)) return false;
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
}

/** Nearly every entry is well-formed, and an inventory may hold a million: one look instead of a walk along each field path. */
function isWellFormed(entry: unknown): entry is Fields {
  if (!isFields(entry)) return false;
  const { name, namespace, labels, paused, selector } = entry;
  return (
    typeof name === 'string' &&
    name !== '' &&
    (namespace === undefined || typeof namespace === 'string') &&
    (labels === undefined || isStringMap(labels)) &&
    (paused === undefined || typeof paused === 'boolean') &&
    selector === undefined
  );
}

/** What is wrong with an entry; a missing name is a mismatch too. */
function mismatches(value: unknown, shape: Shape, namePath: string): Mismatch[] {
  if (!isFields(value)) return [{ path: '', expected: 'map', seen: value }];
  const name = valueAt(value, ...namePath.split('.'));
  const unnamed: Mismatch[] = name === undefined || name === '' ? [{ path: namePath, expected: 'string', seen: name }] : [];
  return [...mismatchesOf(value, shape), ...unnamed];
}

function check(value: unknown, shape: Shape, namePath: string, place: string): void {
  const mismatch = mismatches(value, shape, namePath)[0];
  if (!mismatch) return;
  const field = mismatch.path === '' ? '' : `${mismatch.path} `;
  throw new InventoryError(`${place}: ${field}is ${describeValue(mismatch.seen)}, and must be ${describeType(mismatch.expected)}`);
}

function common(fields: Fields): Pick<FleetCluster, 'name' | 'namespace' | 'labels'> {
  return {
    // The types were checked by the callers.
    name: fields.name as string,
    ...(typeof fields.namespace === 'string' && { namespace: fields.namespace }),
    labels: (fields.labels ?? {}) as Labels,
  };
}

function clusterFrom(fields: Fields, paused: unknown): FleetCluster {
  return { ...common(fields), paused: paused === true };
}

function groupFrom(metadata: Fields, selector: unknown): FleetClusterGroup {
  return { ...common(metadata), ...(isFields(selector) && { selector }) };
}

function isFleet(object: Manifest, kind: string): boolean {
  return groupOf(object) === 'fleet.cattle.io' && object.kind === kind;
}

/** What is wrong with a Cluster or ClusterGroup object. */
export function inventoryMismatches(object: Manifest): Mismatch[] {
  if (object.kind === 'ClusterGroup') return mismatches(object, GROUP_OBJECT, 'metadata.name');
  return isPlainCluster(object) ? [] : mismatches(object, CLUSTER_OBJECT, 'metadata.name');
}

function isPlainCluster(object: Manifest): boolean {
  const specIsMap = object.spec === undefined || isFields(object.spec);
  return specIsMap && isWellFormed({ ...object.metadata, paused: valueAt(object, 'spec', 'paused') });
}

function readCluster(object: Manifest, place: string): FleetCluster {
  if (!isPlainCluster(object)) check(object, CLUSTER_OBJECT, 'metadata.name', `${place}, Cluster`);
  return clusterFrom(fieldsAt(object, 'metadata'), valueAt(object, 'spec', 'paused'));
}

interface Found {
  readonly clusters: FleetCluster[];
  readonly groups: FleetClusterGroup[];
}

function addObject(object: Manifest, place: string, found: Found): void {
  if (Array.isArray(object.items) && object.kind.endsWith('List')) {
    object.items.forEach((item: unknown, index) => addDocument(item, `${place}, items[${index}]`, found));
  } else if (isFleet(object, 'Cluster')) {
    found.clusters.push(readCluster(object, place));
  } else if (isFleet(object, 'ClusterGroup')) {
    check(object, GROUP_OBJECT, 'metadata.name', `${place}, ClusterGroup`);
    found.groups.push(groupFrom(fieldsAt(object, 'metadata'), valueAt(object, 'spec', 'selector')));
  } else {
    throw new InventoryError(
      `${place} is a ${object.kind} of ${object.apiVersion}; write Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}`,
    );
  }
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
  entriesOf('clusters').forEach((entry, index) => {
    if (!isWellFormed(entry)) check(entry, CLUSTER_ENTRY, 'name', `${place}, clusters[${index}]`);
    found.clusters.push(clusterFrom(entry as Fields, (entry as Fields).paused));
  });
  entriesOf('groups').forEach((entry, index) => {
    check(entry, GROUP_ENTRY, 'name', `${place}, groups[${index}]`);
    const fields = entry as Fields;
    found.groups.push(groupFrom(fields, fields.selector));
  });
}

function addDocument(document: unknown, place: string, found: Found): void {
  if (isManifest(document)) addObject(document, place, found);
  else if (isFields(document) && ('clusters' in document || 'groups' in document)) addCompact(document, place, found);
  else {
    throw new InventoryError(
      `${place} is no inventory; write Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}`,
    );
  }
}

/** A cluster given twice counts once, as it was given last. Names hold no "/". */
function lastOfEach<T extends { readonly name: string; readonly namespace?: string }>(entries: readonly T[]): readonly T[] {
  const last = new Map<string, T>();
  for (const entry of entries) last.set(entry.namespace === undefined ? entry.name : `${entry.namespace}/${entry.name}`, entry);
  return last.size === entries.length ? entries : [...last.values()];
}

/**
 * Reads an inventory from documents, all merged: Kubernetes objects, Lists of them, or
 * `{"clusters":[{"name","namespace"?,"labels"?,"paused"?}],"groups":[{"name","labels"?,"selector"}]}`.
 *
 * @param place - names the documents in an error: the file
 * @throws InventoryError naming the document and the field that cannot be read
 */
export function parseInventory(documents: readonly unknown[], place = 'the inventory'): Inventory {
  const found: Found = { clusters: [], groups: [] };
  documents.forEach((document, index) => addDocument(document, documents.length === 1 ? place : `${place}, document ${index + 1}`, found));
  return { clusters: lastOfEach(found.clusters), groups: lastOfEach(found.groups) };
}

/** What a cluster may be called by where it is named beside the inventory: its name, or namespace/name. */
export function namesOf({ name, namespace = '' }: FleetCluster): readonly string[] {
  return [name, `${namespace}/${name}`];
}
