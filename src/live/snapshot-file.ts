import type { ClusterSource, UnreadResource } from '../core/document/cluster-source';
import { groupOf, isFields, kindKeyOf, nameOf, namespaceOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { sortBy } from '../core/collections/sort-by';
import { escapeJsonForTerminal } from '../core/text/escape-output';

/** Kind of the first item of a snapshot. It says where the objects come from. */
const SNAPSHOT_KIND = 'ClusterSnapshot';
const SNAPSHOT_API_VERSION = 'rolloutkit/v1';

/** A resource type that the user may not read, with its group and kind. */
export interface UnreadKind extends UnreadResource {
  /** Group and kind: `apps/Deployment`. */
  readonly kind: string;
}

/** What a snapshot says besides the objects of the cluster. */
export interface SnapshotHeader extends ClusterSource {
  /** Namespace of the context, for objects that name none. */
  readonly defaultNamespace: string;
  /** Kinds without a namespace, as group and kind, sorted: `/Node`. */
  readonly clusterScopedKinds: readonly string[];
  readonly unread: readonly UnreadKind[];
  /** Kinds of NEW that the server does not have, as group and kind, sorted. @default - it has all */
  readonly unserved?: readonly string[];
  /** Namespaces that NEW names beyond the maximum, sorted. Nothing in them was read. @default - none */
  readonly unasked?: readonly string[];
  /** Whether all namespaces were read. @default false: those in `namespaces` */
  readonly hasAllNamespaces?: true;
  /** Kinds of which all objects in the namespaces were read, as group and kind, sorted. @default - all kinds */
  readonly wholeKinds?: readonly string[];
  /** Keys of the objects of other kinds that were read by name, whether they exist or not, sorted: `/ConfigMap/shop/settings`. @default - none */
  readonly namedObjects?: readonly string[];
}

/** The first item of a snapshot. */
export interface SnapshotManifest extends Manifest {
  readonly snapshot: SnapshotHeader;
}

/** Reports whether an object is the first item of a snapshot. */
export function isSnapshotManifest(object: Manifest): object is SnapshotManifest {
  return object.apiVersion === SNAPSHOT_API_VERSION && object.kind === SNAPSHOT_KIND;
}

const isText = (value: unknown) => typeof value === 'string';
const isTextList = (value: unknown) => Array.isArray(value) && value.every(isText);

/** Reports whether a value is a header as `rolloutkit snapshot` writes it. */
export function isSnapshotHeader(value: unknown): value is SnapshotHeader {
  if (!isFields(value)) return false;
  const { context, defaultNamespace, namespaces, detectedVersions, clusterScopedKinds, unread } = value;
  const { unasked = [], unserved = [], wholeKinds = [], namedObjects = [] } = value;
  return (
    [context, defaultNamespace].every(isText) &&
    [namespaces, clusterScopedKinds, unasked, unserved, wholeKinds, namedObjects].every(isTextList) &&
    isFields(detectedVersions) &&
    Object.values(detectedVersions).every(isText) &&
    Array.isArray(unread) &&
    unread.every(
      (each) => isFields(each) && isText(each.resource) && isText(each.kind) && (each.namespace === undefined || isText(each.namespace)),
    )
  );
}

/** Returns the key of an object that was read by name. */
export function formatNamedObject(object: Manifest, namespace: string | undefined): string {
  return [kindKeyOf(object), namespace ?? '', nameOf(object)].join('/');
}

/** Lists the namespaces that objects name and that a snapshot was made without, sorted: objects there are not known to be new. */
export function listMissingNamespaces(
  { namespaces, unasked = [], hasAllNamespaces }: SnapshotHeader,
  objects: readonly Manifest[],
): readonly string[] {
  if (hasAllNamespaces) return [];
  const known = new Set([...namespaces, ...unasked]);
  const named = new Set(objects.flatMap((object) => namespaceOf(object) ?? []));
  return sortBy(
    [...named].filter((namespace) => !known.has(namespace)),
    (namespace) => namespace,
  );
}

/** Creates a function that reports whether a snapshot was made without an object, so that it is not known to be new. */
export function createMissingCheck({ wholeKinds, namedObjects, clusterScopedKinds }: SnapshotHeader): (object: Manifest) => boolean {
  if (!wholeKinds) return () => false;
  const kinds = new Set(wholeKinds);
  const names = new Set(namedObjects);
  const withoutNamespace = new Set(clusterScopedKinds);
  return (object) => {
    const key = kindKeyOf(object);
    const namespace = withoutNamespace.has(key) ? undefined : namespaceOf(object);
    return !kinds.has(key) && nameOf(object) !== '' && !names.has(formatNamedObject(object, namespace));
  };
}

const orderOf = (object: Manifest) => [groupOf(object), object.kind, namespaceOf(object) ?? '', nameOf(object)].join('\0');

/** Formats a snapshot: a List with one object per line, in an order that does not depend on the cluster. */
export function formatSnapshot(header: SnapshotHeader, objects: readonly Manifest[]): string {
  const first: SnapshotManifest = {
    apiVersion: SNAPSHOT_API_VERSION,
    kind: SNAPSHOT_KIND,
    metadata: { name: header.context },
    snapshot: header,
  };
  const lines = [first, ...sortBy(objects, orderOf)].map((object) => escapeJsonForTerminal(JSON.stringify(object)));
  return `{"apiVersion":"v1","kind":"List","items":[\n${lines.join(',\n')}\n]}\n`;
}
