import type { Topology } from '../surroundings/node-inventory';
import type { DomainConstraint, ModelAffinity, ModelSpread } from './rollout-model';

/** Anti-affinity of the rollout's own pods. */
export interface OwnAntiAffinity {
  readonly topology: Topology;
  readonly avoidsOld: boolean;
  readonly avoidsNew: boolean;
}

/** A constraint by all nodes and domains, before nodes are left out. */
export interface OwnSpread extends Omit<ModelSpread, 'domainOf' | 'domains' | 'leastOutside' | 'domainsOutside'> {
  readonly topology: Topology;
}

/** The affinity by all nodes and domains, before nodes are left out. */
export interface OwnAffinity {
  readonly topologies: readonly Topology[];
  readonly others: readonly (readonly number[])[];
  readonly countsOld: boolean;
  readonly countsNew: boolean;
}

/** The domains of some nodes, numbered again from 0, with their former numbers. */
interface SelectedDomains {
  readonly constraint: DomainConstraint;
  readonly domains: readonly number[];
}

export function selectDomains({ domainOf, isPerNode }: Topology, indexes: readonly number[]): SelectedDomains {
  const numbers = new Map<number, number>();
  const domains: number[] = [];
  const selected = indexes.map((index, position) => {
    const domain = domainOf[index]!;
    if (domain < 0) return -1;
    const known = numbers.get(domain);
    // Several nodes of a pool have a host name each.
    if (known !== undefined && !(isPerNode && indexes.indexOf(index) !== position)) return known;
    numbers.set(domain, domains.length);
    return domains.push(domain) - 1;
  });
  return { constraint: { domainOf: selected, domains: domains.length }, domains };
}

export function selectSpread({ topology, isCounted, exists, others, ...spread }: OwnSpread, indexes: readonly number[]): ModelSpread {
  const { constraint, domains } = selectDomains(topology, indexes);
  const selected = new Set(domains);
  let leastOutside = Infinity;
  let domainsOutside = 0;
  exists.forEach((isExisting, domain) => {
    if (!isExisting || selected.has(domain)) return;
    domainsOutside++;
    if (others[domain]! < leastOutside) leastOutside = others[domain]!;
  });
  return {
    ...spread,
    ...constraint,
    isCounted: indexes.map((index) => isCounted[index]!),
    exists: domains.map((domain) => exists[domain]!),
    others: domains.map((domain) => others[domain]!),
    leastOutside,
    domainsOutside,
  };
}

export function selectAffinity({ topologies, others, countsOld, countsNew }: OwnAffinity, indexes: readonly number[]): ModelAffinity {
  const selected = topologies.map((topology) => selectDomains(topology, indexes));
  return {
    terms: selected.map(({ constraint }) => constraint),
    others: selected.map(({ domains }, term) => domains.map((domain) => others[term]![domain]!)),
    hasOthers: others.some((counts) => counts.some((count) => count > 0)),
    countsOld,
    countsNew,
  };
}
