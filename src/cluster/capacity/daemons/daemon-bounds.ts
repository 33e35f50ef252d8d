import { findMin } from '../../../core/values/min-max';
import type { ModelAffinity, ModelAntiAffinity, ModelSpread, RolloutOutcomes } from '../exact/rollout-model';
import type { DaemonModel } from './daemon-search';

/** Whether constraints on pods of other nodes allow the new pod of a node whatever is there, never, or sometimes. */
type Permission = 'always' | 'never' | 'sometimes';

/** Fewest and most pods that a spread constraint counts in a domain. */
interface CountRange {
  readonly least: number;
  readonly most: number;
}

/** Computes what a spread constraint counts in a domain while the pods of a DaemonSet are replaced in any order. */
function computeCountRange({ model, isWanted }: DaemonModel, spread: ModelSpread, domain: number, except?: number): CountRange {
  const { surge, unavailable, oldByNode } = model;
  const { domainOf, isCounted, others, countsOld, countsNew } = spread;
  const own = isWanted.flatMap((_, node) => (node !== except && domainOf[node] === domain && isCounted[node] ? [node] : []));
  const [old, wanted] = [own.filter((node) => oldByNode![node]! > 0), own.filter((node) => isWanted[node])];
  const counted = (countsOld ? old.length : 0) + (countsNew ? wanted.length : 0);
  // A node with both an old and a new pod counts once, except for the surge.
  const most = countsOld && countsNew ? Math.min(counted, own.length + surge) : counted;
  const replaced = old.filter((node) => isWanted[node]).length;
  // With a surge, an old pod stays until the new one is ready.
  const least = countsOld && countsNew ? Math.max(0, replaced - (surge > 0 ? 0 : unavailable)) : 0;
  return { least: others[domain]! + least, most: others[domain]! + most };
}

function computeLevel(daemon: DaemonModel, spread: ModelSpread): CountRange {
  const { exists, minDomains, leastOutside, domainsOutside } = spread;
  const ranges = exists.flatMap((isExisting, domain) => (isExisting ? [computeCountRange(daemon, spread, domain)] : []));
  if (ranges.length + domainsOutside < Math.max(1, minDomains)) return { least: 0, most: 0 };
  return {
    least: findMin(
      ranges.map(({ least }) => least),
      leastOutside,
    ),
    most: findMin(
      ranges.map(({ most }) => most),
      leastOutside,
    ),
  };
}

function permitBySpread(daemon: DaemonModel, spread: ModelSpread): (node: number) => Permission {
  const level = computeLevel(daemon, spread);
  const { surge, oldByNode } = daemon.model;
  const { domainOf, exists, maxSkew, countsItself, countsOld, isCounted } = spread;
  return (node) => {
    const domain = domainOf[node]!;
    if (domain < 0) return 'never';
    const { least, most } = exists[domain] ? computeCountRange(daemon, spread, domain, node) : { least: 0, most: 0 };
    const ownOld = surge > 0 && countsOld && isCounted[node] ? oldByNode![node]! : 0;
    const self = (countsItself ? 1 : 0) + ownOld;
    if (most + self - level.least <= maxSkew) return 'always';
    return least + self - level.most > maxSkew ? 'never' : 'sometimes';
  };
}

function permitByAffinity({ terms, others }: ModelAffinity): (node: number) => Permission {
  return (node) => {
    if (terms.some(({ domainOf }) => domainOf[node]! < 0)) return 'never';
    return terms.every(({ domainOf }, term) => others[term]![domainOf[node]!]! > 0) ? 'always' : 'sometimes';
  };
}

function permitByAntiAffinity(
  { model: { oldByNode }, isWanted }: DaemonModel,
  { domainOf, avoidsOld, avoidsNew }: ModelAntiAffinity,
): (node: number) => Permission {
  const avoided = domainOf.map((_, node) => (avoidsOld && oldByNode![node]! > 0) || (avoidsNew && isWanted[node]!));
  return (node) => {
    const isShared = domainOf.some((domain, other) => other !== node && domain >= 0 && domain === domainOf[node] && avoided[other]!);
    return isShared ? 'sometimes' : 'always';
  };
}

/**
 * Returns a DaemonSet whose constraints on pods of other nodes are part of what each node takes. Returns undefined if they allow some new pod only
 * for a while.
 *
 * 3 zones with 30 nodes each, and a spread constraint by zone that counts old and new pods: with maxUnavailable 1, one zone has 29 pods while a
 * pod is replaced there, so that the new one is always allowed.
 */
export function withPermittedNodes(daemon: DaemonModel): DaemonModel | undefined {
  const { model, isWanted } = daemon;
  const { spreads, antiAffinities, affinity, nodes } = model;
  const permits = [
    ...spreads.map((spread) => permitBySpread(daemon, spread)),
    ...antiAffinities.map((antiAffinity) => permitByAntiAffinity(daemon, antiAffinity)),
    ...(affinity ? [permitByAffinity(affinity)] : []),
  ];
  const permissions = nodes.map((_, node) => (isWanted[node] ? permits.map((permit) => permit(node)) : []));
  if (permissions.some((own) => !own.includes('never') && own.includes('sometimes'))) return undefined;
  return {
    ...daemon,
    model: {
      ...model,
      nodes: nodes.map((node, index) =>
        permissions[index]!.includes('never') ? { ...node, newPodsBesideOld: node.newPodsBesideOld.map(() => 0) } : node,
      ),
    },
  };
}

/**
 * Returns the outcomes of a DaemonSet whose new pods keep each other off their domains, so that not all of them ever run: at most one in each
 * domain. If they also avoid old pods, all of these must leave the domain first, which maxUnavailable allows in small ones only.
 */
export function findExcludedNodes({ model, isWanted }: DaemonModel): RolloutOutcomes | undefined {
  const { surge, unavailable, oldByNode } = model;
  for (const { domainOf, domains, avoidsOld, avoidsNew } of model.antiAffinities) {
    const wanted = domainOf.filter((_, node) => isWanted[node]);
    const labelled = wanted.filter((domain) => domain >= 0);
    if (!avoidsNew || new Set(labelled).size === labelled.length) continue;
    const oldPods = Array.from({ length: domains }, () => 0);
    domainOf.forEach((domain, node) => (oldPods[domain] = (oldPods[domain] ?? 0) + oldByNode![node]!));
    const open = [...new Set(labelled)].filter((domain) => !avoidsOld || oldPods[domain]! <= (surge > 0 ? 0 : unavailable));
    return { outcome: 'none', newAtLeast: 0, newAtMost: open.length + wanted.length - labelled.length };
  }
  return undefined;
}
