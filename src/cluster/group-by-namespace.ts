import type { PodSet } from './workload';

/** Groups pod sets by namespace. Sets without one have the empty name. */
export function groupByNamespace<Pods extends PodSet>(podSets: readonly Pods[]): ReadonlyMap<string, readonly Pods[]> {
  const grouped = new Map<string, Pods[]>();
  for (const podSet of podSets) {
    const namespace = podSet.namespace ?? '';
    const known = grouped.get(namespace);
    if (known) known.push(podSet);
    else grouped.set(namespace, [podSet]);
  }
  return grouped;
}
