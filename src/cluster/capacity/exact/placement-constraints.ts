import type { ModelAffinity, ModelSpread, RolloutModel } from './rollout-model';

/** Pods by node: old ones, new ones that are ready, and new ones that start. */
export interface PodsByNode {
  readonly old: readonly number[];
  readonly ready: readonly number[];
  readonly starting: readonly number[];
}

function isSpreadAllowed(spread: ModelSpread, node: number, { old, ready, starting }: PodsByNode): boolean {
  const { domainOf, others, exists, isCounted, minDomains, maxSkew, countsOld, countsNew, countsItself, leastOutside, domainsOutside } =
    spread;
  const own = domainOf[node]!;
  if (own < 0) return false;
  const counts = [...others];
  for (let index = 0; index < domainOf.length; index++) {
    if (!isCounted[index]) continue;
    counts[domainOf[index]!]! += (countsOld ? old[index]! : 0) + (countsNew ? ready[index]! + starting[index]! : 0);
  }
  let least = leastOutside;
  let known = domainsOutside;
  for (let domain = 0; domain < counts.length; domain++) {
    if (!exists[domain]) continue;
    known++;
    least = Math.min(least, counts[domain]!);
  }
  if (known < minDomains || least === Infinity) least = 0;
  // A domain without a counted node has no count.
  const count = exists[own] ? counts[own]! : 0;
  return count + (countsItself ? 1 : 0) - least <= maxSkew;
}

function isAffinityAllowed(
  { terms, others, hasOthers, countsOld, countsNew }: ModelAffinity,
  node: number,
  { old, ready, starting }: PodsByNode,
): boolean {
  if (terms.some(({ domainOf }) => domainOf[node]! < 0)) return false;
  let isAnyCounted = hasOthers;
  let isSatisfied = true;
  terms.forEach(({ domainOf }, term) => {
    const own = domainOf[node]!;
    let isInDomain = others[term]![own]! > 0;
    for (let index = 0; index < domainOf.length; index++) {
      if (domainOf[index]! < 0) continue;
      const count = (countsOld ? old[index]! : 0) + (countsNew ? ready[index]! + starting[index]! : 0);
      if (count === 0) continue;
      isAnyCounted = true;
      isInDomain ||= domainOf[index] === own;
    }
    isSatisfied &&= isInDomain;
  });
  return isSatisfied || (!isAnyCounted && countsNew);
}

/** Reports whether the scheduler may choose a node for the next new pod. */
export function isNodeAllowed({ nodes, spreads, antiAffinities, affinity }: RolloutModel, node: number, pods: PodsByNode): boolean {
  const { old, ready, starting } = pods;
  if (ready[node]! + starting[node]! >= (nodes[node]!.newPodsBesideOld[old[node]!] ?? 0)) return false;
  for (const { domainOf, avoidsOld, avoidsNew } of antiAffinities) {
    const own = domainOf[node]!;
    if (own < 0) continue;
    for (let index = 0; index < domainOf.length; index++) {
      if (domainOf[index] !== own) continue;
      if ((avoidsOld && old[index]! > 0) || (avoidsNew && ready[index]! + starting[index]! > 0)) return false;
    }
  }
  return (
    spreads.every((spread) => isSpreadAllowed(spread, node, pods)) && (affinity === undefined || isAffinityAllowed(affinity, node, pods))
  );
}
