import { addToGroup } from '../../../core/group-by';
import type { DomainConstraint, RolloutModel } from './rollout-model';

/** The nodes of a topology domain, in an order that is the same for equal domains. */
export type DomainNodes = readonly number[];

function isPerNode({ domainOf, domains }: DomainConstraint): boolean {
  return domains === domainOf.filter((domain) => domain >= 0).length;
}

/** Formats what constraints on a partition of the nodes know of one of its domains. */
function formatDomain({ spreads, affinity }: RolloutModel, constraints: readonly DomainConstraint[], domain: number): string {
  const ofSpreads = spreads.map((spread) => constraints.includes(spread) && [spread.exists[domain], spread.others[domain]]);
  const ofTerms = affinity?.terms.map((term, index) => constraints.includes(term) && affinity.others[index]![domain]);
  return JSON.stringify([ofSpreads, ofTerms]);
}

/**
 * Groups the topology domains that no pod can distinguish, such as three zones with 4 equal and empty nodes each. States of a rollout that differ
 * by an exchange of such domains end in the same way.
 *
 * Nodes are in one group of one domain if constraints concern several partitions of the nodes, such as zones and racks.
 */
export function groupEqualDomains(model: RolloutModel): readonly (readonly DomainNodes[])[] {
  const { nodes, spreads, antiAffinities, affinity, exclusiveForOld = [] } = model;
  const constraints = [...spreads, ...antiAffinities, ...(affinity?.terms ?? []), ...exclusiveForOld].filter(
    (constraint) => !isPerNode(constraint),
  );
  const partitions = new Set(constraints.map(({ domainOf }) => domainOf.join(',')));
  const [first] = constraints;
  if (partitions.size !== 1 || first === undefined) return [[nodes.map((_, node) => node)]];
  const byKey = new Map<string, DomainNodes[]>();
  for (let domain = -1; domain < first.domains; domain++) {
    const own = nodes.flatMap((_, node) => (first.domainOf[node] === domain ? [node] : []));
    const keyOf = (node: number) => nodes[node]!.domainlessSignature;
    const sorted = own.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a - b));
    addToGroup(byKey, JSON.stringify([domain < 0, formatDomain(model, constraints, domain), sorted.map(keyOf)]), sorted);
  }
  return [...byKey.values()];
}
