import type { ModelAffinity, ModelAntiAffinity, ModelSpread, RolloutModel } from './rollout-model';

/** Old and new pods by node. No constraint depends on which of the new ones are ready. */
export interface PodsByNode {
  readonly old: readonly number[];
  readonly next: readonly number[];
}

/** Whether the next new pod may run on a node. */
export type NodeCheck = (node: number) => boolean;

function createSpreadCheck(spread: ModelSpread, { old, next }: PodsByNode): NodeCheck {
  const { domainOf, others, exists, isCounted, minDomains, maxSkew, countsOld, countsNew, countsItself, leastOutside, domainsOutside } =
    spread;
  const counts = [...others];
  for (let index = 0; index < domainOf.length; index++) {
    if (!isCounted[index]) continue;
    counts[domainOf[index]!]! += (countsOld ? old[index]! : 0) + (countsNew ? next[index]! : 0);
  }
  let least = leastOutside;
  let known = domainsOutside;
  for (let domain = 0; domain < counts.length; domain++) {
    if (!exists[domain]) continue;
    known++;
    least = Math.min(least, counts[domain]!);
  }
  if (known < minDomains || least === Infinity) least = 0;
  const most = maxSkew + least - (countsItself ? 1 : 0);
  return (node) => {
    const own = domainOf[node]!;
    // A domain without a counted node has no count.
    return own >= 0 && (exists[own] ? counts[own]! : 0) <= most;
  };
}

function createAffinityCheck({ terms, others, hasOthers, countsOld, countsNew }: ModelAffinity, { old, next }: PodsByNode): NodeCheck {
  let isAnyCounted = hasOthers;
  const counts = terms.map(({ domainOf }, term) => {
    const own = [...others[term]!];
    for (let index = 0; index < domainOf.length; index++) {
      if (domainOf[index]! < 0) continue;
      const count = (countsOld ? old[index]! : 0) + (countsNew ? next[index]! : 0);
      if (count === 0) continue;
      isAnyCounted = true;
      own[domainOf[index]!]! += count;
    }
    return own;
  });
  const mayBeFirst = !isAnyCounted && countsNew;
  return (node) => {
    if (terms.some(({ domainOf }) => domainOf[node]! < 0)) return false;
    return mayBeFirst || terms.every(({ domainOf }, term) => counts[term]![domainOf[node]!]! > 0);
  };
}

function createAntiAffinityCheck({ domainOf, domains, avoidsOld, avoidsNew }: ModelAntiAffinity, { old, next }: PodsByNode): NodeCheck {
  const isAvoided = Array.from({ length: domains }, () => false);
  for (let index = 0; index < domainOf.length; index++) {
    if (domainOf[index]! < 0) continue;
    if ((avoidsOld && old[index]! > 0) || (avoidsNew && next[index]! > 0)) isAvoided[domainOf[index]!] = true;
  }
  return (node) => domainOf[node]! < 0 || !isAvoided[domainOf[node]!];
}

/** Creates the check whether the scheduler may choose a node for the next new pod. The pods of each domain are counted once. */
export function createNodeCheck({ nodes, spreads, antiAffinities, affinity }: RolloutModel, pods: PodsByNode): NodeCheck {
  const { old, next } = pods;
  const checks = [
    ...antiAffinities.map((antiAffinity) => createAntiAffinityCheck(antiAffinity, pods)),
    ...spreads.map((spread) => createSpreadCheck(spread, pods)),
    ...(affinity ? [createAffinityCheck(affinity, pods)] : []),
  ];
  return (node) => next[node]! < (nodes[node]!.newPodsBesideOld[old[node]!] ?? 0) && checks.every((isAllowed) => isAllowed(node));
}
