import type { ClusterSource, UnreadResource } from '../core/document/cluster-source';
import { groupOf, isFields, nameOf, namespaceOf } from '../core/manifest/manifest';
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
  const { context, defaultNamespace, namespaces, detectedVersions, clusterScopedKinds, unread, unasked = [], unserved = [] } = value;
  return (
    [context, defaultNamespace].every(isText) &&
    [namespaces, clusterScopedKinds, unasked, unserved].every(isTextList) &&
    isFields(detectedVersions) &&
    Object.values(detectedVersions).every(isText) &&
    Array.isArray(unread) &&
    unread.every(
      (each) => isFields(each) && isText(each.resource) && isText(each.kind) && (each.namespace === undefined || isText(each.namespace)),
    )
  );
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
