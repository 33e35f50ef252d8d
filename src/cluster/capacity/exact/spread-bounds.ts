import { findMax } from '../../../core/values/min-max';
import { combineEqualNodes } from './node-bounds';
import { countOldPods } from './rollout-model';
import type { ModelSpread, RolloutModel } from './rollout-model';

/** A topology domain with nodes of the model. */
interface SpreadDomain {
  /** Pods that are counted next to a number of old pods in the domain. */
  readonly countWith: (old: number) => number;
  /** Fewest new pods that the domain takes, by the number of old pods in it. */
  readonly capacities: readonly number[];
}

/** Maximum number of sums of a computation. Beyond it, levels are computed together, which lowers the result. */
const MAX_SUMS = 10_000_000;

/** The only spread constraint of a rollout that counts its own pods, if nothing else concerns pods of other nodes. */
function findOnlySpread({ spreads, antiAffinities, affinity, nodesByPod }: RolloutModel): ModelSpread | undefined {
  const [spread] = spreads;
  const isAlone = spreads.length === 1 && antiAffinities.length === 0 && affinity === undefined && nodesByPod === undefined;
  return isAlone && spread!.countsNew && spread!.countsItself ? spread : undefined;
}

function listDomains(model: RolloutModel, { domains, domainOf, isCounted, exists, others, countsOld }: ModelSpread): SpreadDomain[] {
  return Array.from({ length: domains }, (_, domain) => domain)
    .filter((domain) => exists[domain])
    .map((domain) => ({
      countWith: (old) => others[domain]! + (countsOld ? old : 0),
      capacities: combineEqualNodes(model, (node) => domainOf[node] === domain && isCounted[node]!).least,
    }));
}

/** Counts the old pods that may be on nodes that are not counted. */
function countOldOutside(model: RolloutModel, { domainOf, isCounted }: ModelSpread): number {
  const { nodes, oldByNode, oldLimitByNode } = model;
  const limits = nodes.map((_, node) => (domainOf[node]! < 0 || !isCounted[node] ? (oldByNode?.[node] ?? oldLimitByNode[node]!) : 0));
  return Math.min(
    countOldPods(model),
    limits.reduce((sum, limit) => sum + limit, 0),
  );
}

/** A range of levels: from the first one to before the last one. */
interface LevelRange {
  readonly from: number;
  readonly to: number;
}

/** Adds up the fewest new pods by the number of old pods: without a domain at the level, and with one. */
class LevelSums {
  private without: number[];
  private readonly length: number;
  private withLevel: number[];

  constructor(oldPods: number) {
    this.length = oldPods + 1;
    this.without = this.createEmpty();
    this.withLevel = this.createEmpty();
    this.without[0] = 0;
  }

  private createEmpty(): number[] {
    return Array.from({ length: this.length }, () => Infinity);
  }

  /** Adds a domain. At a standstill, it is full or at least maxSkew above the level. */
  add({ countWith, capacities }: SpreadDomain, { from, to }: LevelRange, maxSkew: number): void {
    const [without, withLevel] = [this.createEmpty(), this.createEmpty()];
    capacities.forEach((capacity, old) => {
      const count = countWith(old);
      const full = count + capacity;
      if (full < from) return;
      const fewest = Math.min(capacity, Math.max(0, from + maxSkew - count));
      const isAtLevel = full < to;
      for (let before = 0; before + old < this.length; before++) {
        const total = before + old;
        const sum = this.without[before]! + fewest;
        if (isAtLevel) withLevel[total] = Math.min(withLevel[total]!, sum);
        else without[total] = Math.min(without[total]!, sum);
        withLevel[total] = Math.min(withLevel[total]!, this.withLevel[before]! + fewest);
      }
    });
    this.without = without;
    this.withLevel = withLevel;
  }

  /** Returns the sums by the number of old pods, while up to some others are on nodes that are not counted. */
  finish(oldOutside: number, needsLevel: boolean): number[] {
    const sums = this.withLevel.map((sum, old) => (needsLevel ? sum : Math.min(sum, this.without[old]!)));
    return sums.map((_, old) => {
      let least = Infinity;
      for (let outside = 0; outside <= Math.min(old, oldOutside); outside++) least = Math.min(least, sums[old - outside]!);
      return least;
    });
  }
}

/** Lists the ranges of levels that a domain can determine, below a limit. Few enough that the computation is small. */
function listRanges(domains: readonly SpreadDomain[], limit: number, maxRanges: number): LevelRange[] {
  const levels = new Set(domains.flatMap(({ countWith, capacities }) => capacities.map((capacity, old) => countWith(old) + capacity)));
  // No level is above the largest that each domain can have.
  const highest = domains.reduce(
    (least, { countWith, capacities }) => Math.min(least, findMax(capacities.map((capacity, old) => countWith(old) + capacity))),
    limit,
  );
  const sorted = [...levels].filter((level) => level < limit && level <= highest).toSorted((a, b) => a - b);
  const size = Math.max(1, Math.ceil(sorted.length / maxRanges));
  return sorted
    .filter((_, index) => index % size === 0)
    .map((from, index) => ({ from, to: sorted[(index + 1) * size] ?? sorted.at(-1)! + 1 }));
}

const FEWEST_BY_NODES = new WeakMap<RolloutModel['nodes'], readonly number[]>();

/**
 * Computes the fewest new pods at a standstill under one spread constraint, by the number of old pods to be replaced. Returns undefined if it may be none.
 *
 * At a standstill each domain is full, or is at least maxSkew above the domain with the fewest pods:
 *
 *     L = min over domains d of (pods of others and old pods in d + capacity of d for new pods)
 *     P >= sum over d of min(capacity of d, max(0, L + maxSkew - pods of others and old pods in d))
 *
 * Two domains, one without any capacity or pod, maxSkew 1: L is 0, and at most 1 new pod runs in the other.
 *
 * Both never fall if a capacity rises, so that each domain has the least capacity next to its old pods. For each level L, the domains are added
 * one after the other, and the sums of those with a domain at L are kept apart.
 */
export function computeSpreadBounds(model: RolloutModel): readonly number[] | undefined {
  const spread = findOnlySpread(model);
  if (!spread) return undefined;
  const known = FEWEST_BY_NODES.get(model.nodes);
  if (known) return known;
  const oldPods = countOldPods(model);
  const { maxSkew, minDomains, leastOutside, domainsOutside } = spread;
  const domains = listDomains(model, spread);
  const oldOutside = countOldOutside(model, spread);
  const existing = domainsOutside + domains.length;
  const isUnmet = existing === 0 || existing < minDomains;
  const limit = isUnmet ? 0 : leastOutside;
  const sumsPerLevel = domains.reduce((sum, { capacities }) => sum + capacities.length * (oldPods + 1), 1);
  const ranges = listRanges(domains, limit, Math.max(1, Math.floor(MAX_SUMS / sumsPerLevel)));
  const compute = (range: LevelRange, needsLevel: boolean) => {
    const sums = new LevelSums(oldPods);
    for (const domain of domains) sums.add(domain, range, maxSkew);
    return sums.finish(oldOutside, needsLevel);
  };
  const all = [
    ...ranges.map((range) => compute(range, true)),
    // A domain without a node of the model determines the level.
    ...(Number.isFinite(limit) ? [compute({ from: limit, to: limit + 1 }, false)] : []),
  ];
  const sums = Array.from({ length: oldPods + 1 }, (_, old) => all.reduce((least, each) => Math.min(least, each[old]!), Infinity));
  const fewest = sums.slice(model.keptOld ?? 0);
  FEWEST_BY_NODES.set(model.nodes, fewest);
  return fewest;
}
