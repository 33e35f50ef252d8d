import type { Product } from '../values/versions';

/** A resource type that the user may not read. */
export interface UnreadResource {
  /** Type as kubectl names it: `nodes`, `deployments.apps`. */
  readonly resource: string;
  /** Namespace; absent if all namespaces were asked for, or if the type has none. */
  readonly namespace?: string;
}

/** The cluster that a plan starts from. */
export interface ClusterSource {
  /** Context of kubectl that the objects were read with. */
  readonly context: string;
  /** Namespaces that were read, sorted. */
  readonly namespaces: readonly string[];
  /** Versions that the server and the operators' images show. */
  readonly detectedVersions: Readonly<Partial<Record<Product, string>>>;
  /** Resource types that the user may not read, sorted. */
  readonly unread: readonly UnreadResource[];
}
