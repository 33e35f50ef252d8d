import type { NodeInventory, Topology } from '../surroundings/node-inventory';
import type { SelectableIndex } from '../surroundings/pod-index';
import { listAffinityTerms } from '../nodes/pod-shape';
import type { AffinityTerm, PodShape } from '../nodes/pod-shape';
import type { RunningPod } from '../surroundings/running-pods';

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

/** Returns the nodes that a pod is not on for certain, because its anti-affinity or that of running pods would have kept it off. */
export function findBlockedNodes(pod: PodShape, running: SelectableIndex, inventory: NodeInventory): BlockedNodes {
  const blocked = new BlockedNodes();
  const block = ({ topologyKey }: AffinityTerm, others: readonly RunningPod[]) => {
    const topology = inventory.topologyOf(topologyKey);
    const nodes = others.map(({ nodeName }) => inventory.indexOf(nodeName!)).filter((node) => node !== undefined);
    if (topology) for (const node of nodes) blocked.addDomainOf(topology, node);
  };
  for (const term of listAffinityTerms(pod, 'podAntiAffinity')) {
    for (const { shape, pods } of running.selectableBy(term, pod.namespace)) if (term.matches(shape)) block(term, pods);
  }
  for (const { term, pods } of running.exclusiveTowards(pod)) if (term.matches(pod)) block(term, pods);
  return blocked;
}
