import { readFileSync } from 'node:fs';
import { getErrorMessage } from '../core/error-message';
import type { Fields } from '../core/manifest';
import { describeValue } from '../core/display-value';
import { SourceMap } from '../input/source-map';
import { readMaps } from '../input/read';
import { describeOsError } from '../input/os-error-message';
import type { FleetCluster, FleetClusterGroup, FleetInventory as ParsedInventory } from '../systems/fleet/clusters';
import { InventoryError, parseInventory } from '../systems/fleet/inventory';

/**
 * The clusters and cluster groups of a Fleet manager: what a bundle's partitions are planned against.
 *
 * It is a value and no construct: nothing of it is written to a cluster.
 *
 * @example
 * Inventory.fromFile('clusters.yaml'); // kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml > clusters.yaml
 * Inventory.of({ clusters: [{ name: 'paris', labels: { env: 'prod' } }] });
 */
export class Inventory {
  /**
   * The inventory of a YAML or JSON file: Cluster and ClusterGroup objects, alone or in Lists, or `{"clusters": […], "groups": […]}`.
   *
   * @throws InventoryError if the file can't be read or holds anything else; with the file, and the line or the entry
   */
  public static fromFile(path: string): Inventory {
    if (typeof path !== 'string') throw new InventoryError(`the inventory's path is ${describeValue(path)}; write the path of a file`);
    return new Inventory(parseInventory(readDocuments(path), path));
  }

  /**
   * The inventory of objects: Cluster and ClusterGroup objects, Lists of them, or `{ clusters, groups }`, one or several.
   *
   * @throws InventoryError for anything else; with the entry
   */
  public static of(documents: Fields | readonly Fields[]): Inventory {
    return new Inventory(tryRead(() => parseInventory(Array.isArray(documents) ? documents : [documents])));
  }

  /** By name, bytewise as Fleet sorts them. */
  public readonly clusters: readonly FleetCluster[];
  /** What partitions and targets may name by group. */
  public readonly groups: readonly FleetClusterGroup[];

  private constructor({ clusters, groups }: ParsedInventory) {
    this.clusters = clusters;
    this.groups = groups;
  }
}

/** What a rollout over clusters is planned against. */
export interface InventoryProp {
  /** The clusters to plan against. @default - none: what the strategy says by itself is judged all the same */
  readonly inventory?: Inventory;
}

/** The option of a plan that takes the clusters of an inventory. */
export function toInventoryOption(inventory: Inventory | undefined): { readonly clusters?: Fields } {
  return inventory ? { clusters: { clusters: inventory.clusters, groups: inventory.groups } } : {};
}

/** What is read of objects, which may throw when they are asked. */
function tryRead<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof InventoryError) throw error;
    throw new InventoryError(`the inventory cannot be read: ${JSON.stringify(getErrorMessage(error))} is thrown`);
  }
}

function readContent(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new InventoryError(`${path}: ${describeOsError(error)}; name a file with Cluster objects or {"clusters": […]}`);
  }
}

/** JSON goes the short way, since an inventory may hold a million clusters. */
function readDocuments(path: string): readonly unknown[] {
  const content = readContent(path);
  try {
    return [JSON.parse(Buffer.from(content).toString('utf8'))];
  } catch {
    const { maps, findings } = readMaps({ file: path, content }, new SourceMap());
    if (findings.length > 0)
      throw new InventoryError(findings.map(({ message, source }) => `${path}:${source?.line ?? 1}: ${message}`).join('\n'));
    return maps;
  }
}
