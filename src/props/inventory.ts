import { readFileSync } from 'node:fs';
import { getErrorMessage } from '../core/errors/error-message';
import { toFieldPath } from '../core/manifest/field-path';
import { isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { describeValue } from '../core/text/display-value';
import { parseLimitedJson } from '../core/values/levels';
import { SourceMap } from '../input/source-map';
import { readMaps } from '../input/read';
import { describeOsError } from '../input/os-error-message';
import type { FleetCluster, FleetClusterGroup, FleetInventory as ParsedInventory } from '../systems/fleet/clusters';
import { locateErrors } from './call-site';
import { InventoryError, parseInventory } from '../systems/fleet/inventory';

/**
 * The clusters and cluster groups of a Fleet manager, which a bundle's partitions are planned against.
 *
 * It is a value, not a construct: it is never written to a cluster.
 *
 * @example
 * Inventory.fromFile('clusters.yaml'); // kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml > clusters.yaml
 * Inventory.of({ clusters: [{ name: 'paris', labels: { env: 'prod' } }] });
 */
export class Inventory {
  /**
   * Reads an inventory from a YAML or JSON file: Cluster and ClusterGroup objects, alone or in Lists, or `{"clusters": […], "groups": […]}`.
   *
   * @throws InventoryError if the file can't be read or has other content; with the file, and the line or the entry
   */
  public static fromFile(path: string): Inventory {
    return locateErrors(() => {
      if (typeof path !== 'string') throw new InventoryError(`the inventory's path is ${describeValue(path)}; write the path of a file`);
      return new Inventory(parseInventory(readDocuments(path), path), path);
    });
  }

  /**
   * Creates an inventory from objects: Cluster and ClusterGroup objects, Lists of them, or `{ clusters, groups }`, one or several.
   *
   * @throws InventoryError for other content; with the entry
   */
  public static of(documents: Fields | readonly Fields[]): Inventory {
    return locateErrors(() => new Inventory(tryRead(() => parseInventory(Array.isArray(documents) ? documents : [documents]))));
  }

  /** Clusters sorted by name, bytewise as Fleet does. */
  public readonly clusters: readonly FleetCluster[];
  /** Groups that partitions and targets may name. */
  public readonly groups: readonly FleetClusterGroup[];

  private constructor({ clusters, groups }: ParsedInventory, source = 'the inventory') {
    if (clusters.length === 0)
      throw new InventoryError(
        `${source} has no clusters, so nothing can be planned for them; add Cluster objects, or leave the inventory out`,
      );
    this.clusters = clusters;
    this.groups = groups;
  }
}

const INVENTORY_SOURCES = 'pass the result of Inventory.of or Inventory.fromFile';

/** Throws for an inventory of another type, which JavaScript callers and casts can pass. Its shape is checked, because it may come from another copy of this package. */
export function requireInventory(inventory: unknown): void {
  if (inventory === undefined) return;
  if (!isFields(inventory) || !Array.isArray(inventory.clusters) || !Array.isArray(inventory.groups)) {
    throw new InventoryError(`inventory is ${describeValue(inventory)}; ${INVENTORY_SOURCES}`);
  }
  for (const field of ['clusters', 'groups'] as const) {
    const entries = inventory[field] as readonly unknown[];
    const index = entries.findIndex((entry) => !isFields(entry));
    if (index < 0) continue;
    const path = toFieldPath`inventory.${field}[${index}]`;
    throw new InventoryError(`${path} is ${describeValue(entries[index])}, but must be a map; ${INVENTORY_SOURCES}`);
  }
}

/** The prop for an inventory. */
export interface InventoryProp {
  /** Clusters to plan against. @default - none: only the strategy itself is validated */
  readonly inventory?: Inventory;
}

/** Returns the clusters of an inventory as an option of a plan. */
export function toInventoryOption(inventory: Inventory | undefined): { readonly clusters?: Fields } {
  return inventory ? { clusters: { clusters: inventory.clusters, groups: inventory.groups } } : {};
}

/** Reads objects, whose getters may throw. */
function tryRead<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof InventoryError) throw error;
    throw new InventoryError(`the inventory cannot be read: it throws ${JSON.stringify(getErrorMessage(error))}`);
  }
}

function readContent(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new InventoryError(`${path}: ${describeOsError(error)}; name a file with Cluster objects or {"clusters": […]}`);
  }
}

/** Reads the documents of a file. JSON has a fast path, because an inventory may have a million clusters. */
function readDocuments(path: string): readonly unknown[] {
  const content = readContent(path);
  try {
    return [parseLimitedJson(Buffer.from(content).toString('utf8'))];
  } catch {
    const { maps, findings } = readMaps({ file: path, content }, new SourceMap());
    if (findings.length > 0)
      throw new InventoryError(findings.map(({ message, source }) => `${path}:${source?.line ?? 1}: ${message}`).join('\n'));
    return maps;
  }
}
