import type { Topology } from './node-inventory';

/** The nodes and topology domains that other pods keep a pod off. */
export class BlockedNodes {
  private readonly nodes = new Set<number>();
  private readonly domains = new Map<Topology, Set<number>>();

  /** Blocks the domain of a node. A node without the label is in no domain. */
  addDomainOf(topology: Topology, node: number): void {
    const domain = topology.domainOf[node]!;
    if (domain < 0) return;
    if (topology.isPerNode) this.nodes.add(node);
    else this.domains.set(topology, (this.domains.get(topology) ?? new Set()).add(domain));
  }

  has(node: number): boolean {
    if (this.nodes.has(node)) return true;
    for (const [{ domainOf }, domains] of this.domains) if (domains.has(domainOf[node]!)) return true;
    return false;
  }
}
