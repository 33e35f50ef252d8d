import { addToGroup } from '../../core/collections/group-by';
import { compileGroupLookup, filterByNamespace } from './clusters';
import type { FleetCluster, ClusterGroupLookup, FleetInventory } from './clusters';
import { DISPLAY_NAME_LABEL } from './lookup';
import type { Lookup } from './lookup';

type Positions = Map<string, number[]>;

function addPosition(positions: Positions, text: string | undefined, position: number): void {
  if (text === undefined) return;
  addToGroup(positions, text, position);
}

/** An indexed inventory, so that each bundle checks only the clusters that it may target. */
export class ClusterIndex {
  private readonly byLabel = new Map<string, Positions>();
  private byName: Positions | undefined;
  private readonly groups = new Map<string | undefined, ClusterGroupLookup>();
  private readonly counts = new Map<string | undefined, number>();

  /** Creates an empty index. Each part is built when the first bundle needs it. */
  constructor(private readonly inventory: FleetInventory) {}

  /** Returns the number of clusters that a bundle in the namespace sees. */
  countVisible(namespace: string | undefined): number {
    const count = this.counts.get(namespace) ?? filterByNamespace(this.inventory.clusters, namespace).length;
    this.counts.set(namespace, count);
    return count;
  }

  /** Returns a lookup of the groups of a cluster that a bundle in the namespace sees. */
  groupsFor(namespace: string | undefined): ClusterGroupLookup {
    const groupsOf = this.groups.get(namespace) ?? compileGroupLookup(filterByNamespace(this.inventory.groups, namespace));
    this.groups.set(namespace, groupsOf);
    return groupsOf;
  }

  /**
   * Returns the clusters that a bundle in the namespace sees and that a lookup may match, sorted by name.
   *
   * The caller must still match each one.
   */
  findCandidates(lookups: readonly Lookup[], namespace: string | undefined): readonly FleetCluster[] {
    const { clusters } = this.inventory;
    const found = new Set<number>();
    for (const { clusterName, equality } of lookups) {
      if (clusterName === undefined && equality === undefined) return filterByNamespace(clusters, namespace);
      const positionsByValue = clusterName === undefined ? this.indexByLabel(equality!.key) : this.indexByName();
      const values = clusterName === undefined ? equality!.values : [clusterName];
      for (const value of values) for (const position of positionsByValue.get(value) ?? []) found.add(position);
    }
    const positions = [...found].toSorted((a, b) => a - b);
    return filterByNamespace(
      positions.map((position) => clusters[position]!),
      namespace,
    );
  }

  private indexByName(): Positions {
    if (this.byName) return this.byName;
    const byName: Positions = new Map();
    this.inventory.clusters.forEach(({ name, labels }, position) => {
      addPosition(byName, name, position);
      addPosition(byName, labels?.[DISPLAY_NAME_LABEL], position);
    });
    this.byName = byName;
    return byName;
  }

  private indexByLabel(key: string): Positions {
    const existing = this.byLabel.get(key);
    if (existing) return existing;
    const byValue: Positions = new Map();
    this.inventory.clusters.forEach(({ labels }, position) => {
      if (labels && Object.hasOwn(labels, key)) addPosition(byValue, labels[key], position);
    });
    this.byLabel.set(key, byValue);
    return byValue;
  }
}
