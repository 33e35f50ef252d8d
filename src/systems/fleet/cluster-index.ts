import { groupsByCluster, inNamespace } from './clusters';
import type { FleetCluster, GroupsOf, Inventory } from './clusters';
import { DISPLAY_NAME_LABEL } from './lookup';
import type { Lookup } from './lookup';

type Positions = Map<string, number[]>;

function add(positions: Positions, text: string | undefined, position: number): void {
  if (text === undefined) return;
  const known = positions.get(text);
  if (known) known.push(position);
  else positions.set(text, [position]);
}

/** An inventory made ready for many bundles, so that each looks at the clusters that it may target, and not at every one. */
export class ClusterIndex {
  private readonly byLabel = new Map<string, Positions>();
  private byName: Positions | undefined;
  private readonly groups = new Map<string | undefined, GroupsOf>();
  private readonly counts = new Map<string | undefined, number>();

  /** Takes the clusters as they are; each index is made when the first bundle asks for it. */
  constructor(private readonly inventory: Inventory) {}

  /** How many clusters a bundle of the namespace sees. */
  visibleTo(namespace: string | undefined): number {
    const count = this.counts.get(namespace) ?? inNamespace(this.inventory.clusters, namespace).length;
    this.counts.set(namespace, count);
    return count;
  }

  /** The groups of a cluster, as far as a bundle of the namespace sees them. */
  groupsFor(namespace: string | undefined): GroupsOf {
    const groupsOf = this.groups.get(namespace) ?? groupsByCluster(inNamespace(this.inventory.groups, namespace));
    this.groups.set(namespace, groupsOf);
    return groupsOf;
  }

  /** The clusters that a bundle of the namespace sees and that one of these may match, by name; each still has to be tried. */
  candidates(lookups: readonly Lookup[], namespace: string | undefined): readonly FleetCluster[] {
    const { clusters } = this.inventory;
    const found = new Set<number>();
    for (const { clusterName, equality } of lookups) {
      if (clusterName === undefined && equality === undefined) return inNamespace(clusters, namespace);
      const places = clusterName === undefined ? this.labelled(equality!.key) : this.named();
      const values = clusterName === undefined ? equality!.values : [clusterName];
      for (const value of values) for (const position of places.get(value) ?? []) found.add(position);
    }
    const positions = [...found].toSorted((a, b) => a - b);
    return inNamespace(
      positions.map((position) => clusters[position]!),
      namespace,
    );
  }

  private named(): Positions {
    if (this.byName) return this.byName;
    const byName: Positions = new Map();
    this.inventory.clusters.forEach(({ name, labels }, position) => {
      add(byName, name, position);
      add(byName, labels?.[DISPLAY_NAME_LABEL], position);
    });
    this.byName = byName;
    return byName;
  }

  private labelled(key: string): Positions {
    const known = this.byLabel.get(key);
    if (known) return known;
    const byValue: Positions = new Map();
    this.inventory.clusters.forEach(({ labels }, position) => {
      if (labels && Object.hasOwn(labels, key)) add(byValue, labels[key], position);
    });
    this.byLabel.set(key, byValue);
    return byValue;
  }
}
