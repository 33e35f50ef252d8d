import type { DomainShortage } from '../../../core/document/capacity-result';
import type { PodSet } from '../../rollout/pod-set';
import { listSpreadConstraints, toPodShape } from '../nodes/pod-shape';
import type { SpreadConstraint } from '../nodes/pod-shape';
import type { NodeInventory } from './node-inventory';

/** A spread constraint with fewer domains than its minDomains. */
export interface UnmetDomains {
  /** The most pods of the set that run at once. */
  readonly pods: number;
  readonly shortage: DomainShortage;
}

/** A spread constraint, and the number of domains in which the scheduler counts pods. */
interface SpreadDomains {
  readonly constraint: SpreadConstraint;
  readonly domains: number;
}

/** Lists the spread constraints of the new pods of a set with their domains. Returns undefined if the labels of a node are not known. */
function listSpreadDomains(podSet: PodSet, inventory: NodeInventory): SpreadDomains[] | undefined {
  const constraints = listSpreadConstraints(toPodShape(podSet));
  const topologyKeys = constraints.map(({ topologyKey }) => topologyKey);
  if (topologyKeys.some((key) => inventory.topologyOf(key) === undefined)) return undefined;
  return constraints.map((constraint) => {
    const { topologyKey, honorsAffinity, honorsTaints } = constraint;
    const { exists, isCounted } = inventory.countedNodes({ topologyKey, topologyKeys, honorsAffinity, honorsTaints }, podSet);
    // Equal nodes with a host name each are one node of the inventory.
    const domains = inventory.topologyOf(topologyKey)!.isPerNode
      ? inventory.nodes.reduce((sum, { count }, index) => (isCounted[index] ? sum + count : sum), 0)
      : exists.filter(Boolean).length;
    return { constraint, domains };
  });
}

/**
 * Returns the spread constraint of the new pods of a set that has fewer domains than its minDomains, and so allows the fewest pods. Returns
 * undefined if there is none, or if the labels of a node are not known.
 *
 * The scheduler then compares each domain with 0 pods, so that none gets more than maxSkew: 2 zones, minDomains 3 and maxSkew 1 allow 2 pods.
 * Source: k/k pkg/scheduler/framework/plugins/podtopologyspread/filtering.go, `minMatchNum`.
 */
export function findUnmetDomains(podSet: PodSet, inventory: NodeInventory): UnmetDomains | undefined {
  const shape = toPodShape(podSet);
  const unmet = (listSpreadDomains(podSet, inventory) ?? []).flatMap(({ constraint, domains }): UnmetDomains[] => {
    const { countsItself, maxSkew, minDomains, topologyKey } = constraint;
    if (minDomains === 1 || !countsItself || !constraint.counts(shape) || domains >= minDomains) return [];
    const shortage = {
      kind: 'domains',
      limit: topologyKey,
      resource: 'domains',
      needed: `${minDomains}`,
      available: `${domains}`,
    } as const;
    return [{ pods: domains * maxSkew, shortage }];
  });
  return unmet.toSorted((a, b) => a.pods - b.pods)[0];
}

/**
 * Returns the topology keys by which the pods of a set can be uneven. In a single domain they cannot. With fewer domains than minDomains none gets
 * more than maxSkew pods, old and new ones together. Returns undefined if the labels of a node are not known.
 */
export function listUnevenTopologies(podSet: PodSet, inventory: NodeInventory): ReadonlySet<string> | undefined {
  const uneven = listSpreadDomains(podSet, inventory)?.filter(
    ({ constraint: { minDomains }, domains }) => domains > 1 && domains >= minDomains,
  );
  return uneven && new Set(uneven.map(({ constraint }) => constraint.topologyKey));
}
