import { groupBy } from '../../../core/group-by';
import type { PlanCache } from '../../../core/plan-cache';
import { formatAmounts } from '../amounts';
import { traitOf } from './node-affinity';
import type { NodePool } from './node-pools';
import { TaintIndex } from './taint-index';

/** Pools whose nodes have the same taints and conditions, and the same values of the labels with few distinct values. */
export interface NodeClass {
  /** Indexes in the list of pools, in order. */
  readonly places: readonly number[];
  /** Total number of nodes. */
  readonly nodes: number;
}

/** The pools of a list grouped by node class. */
export interface NodeClasses {
  readonly byIndex: readonly NodeClass[];
  readonly all: readonly NodeClass[];
  readonly byTaint: TaintIndex<NodeClass>;
  /** Labels for which all nodes of a class have the same value, or none. */
  readonly commonLabels: ReadonlySet<string>;
}

/** Maximum number of node classes. Labels that would create more are looked up node by node, so that each pod set checks few classes. */
const MAX_NODE_CLASSES = 256;

/** Minimum number of pools per class on average. With fewer, checking classes would be as slow as checking pools. */
const MIN_POOLS_PER_CLASS = 4;

/** A label is common if at least every 16th pool has it, so that checking all common labels is as fast as checking all labels. */
const COMMON_LABEL_DIVISOR = 16;

type PoolIndexes = readonly number[];

function splitByKey(indexes: PoolIndexes, keyOf: (poolIndex: number) => string): PoolIndexes[] {
  return [...groupBy(indexes, keyOf).values()];
}

/** Formats the value of a label as a key. A missing label and an unknown one have keys of their own. */
function formatTraitKey(pool: NodePool, key: string): string {
  const trait = traitOf(pool, key);
  return trait === undefined ? '?' : JSON.stringify(trait);
}

/** Returns the labels that many pools have with few values, sorted by number of values. */
function findCommonLabels(pools: readonly NodePool[], maxCount: number): string[] {
  const known = new Map<string, { pools: number; readonly values: Set<string> }>();
  for (const { labels = {} } of pools) {
    for (const [key, value] of Object.entries(labels)) {
      const label = known.get(key) ?? { pools: 0, values: new Set() };
      known.set(key, label);
      label.pools++;
      if (label.values.size <= maxCount) label.values.add(value);
    }
  }
  const commonKeys = [...known].filter(([, label]) => label.pools * COMMON_LABEL_DIVISOR >= pools.length && label.values.size <= maxCount);
  return commonKeys.toSorted(([, a], [, b]) => a.values.size - b.values.size).map(([key]) => key);
}

function buildNodeClasses(pools: readonly NodePool[], keyOf: (pool: NodePool) => string): NodeClasses {
  let all = splitByKey([...pools.keys()], (poolIndex) => keyOf(pools[poolIndex]!));
  const maxCount = Math.max(Math.min(MAX_NODE_CLASSES, pools.length / MIN_POOLS_PER_CLASS), all.length);
  const commonKeys = new Set<string>();
  for (const key of findCommonLabels(pools, maxCount)) {
    const finerClasses = all.flatMap((indexes) => splitByKey(indexes, (poolIndex) => formatTraitKey(pools[poolIndex]!, key)));
    if (finerClasses.length > maxCount) continue;
    all = finerClasses;
    commonKeys.add(key);
  }
  const classes = all.map((indexes) => ({ places: indexes, nodes: indexes.reduce((sum, poolIndex) => sum + pools[poolIndex]!.count, 0) }));
  const classByIndex: NodeClass[] = [];
  for (const nodeClass of classes) for (const poolIndex of nodeClass.places) classByIndex[poolIndex] = nodeClass;
  const byTaint = new TaintIndex(classes, ({ places: indexes }) => pools[indexes[0]!]!);
  return { all: classes, byTaint, byIndex: classByIndex, commonLabels: commonKeys };
}

function formatTraitsKey({ labels, taints = [], isDown = false }: NodePool): string {
  return JSON.stringify([labels !== undefined, taints, isDown]);
}

function groupByTraits(pools: readonly NodePool[]): NodeClasses {
  return buildNodeClasses(pools, formatTraitsKey);
}

function groupByTraitsAndAllocatable(pools: readonly NodePool[]): NodeClasses {
  return buildNodeClasses(pools, (pool) => formatTraitsKey(pool) + formatAmounts(pool.allocatable));
}

/** Options for grouping pools. */
export interface NodeClassOptions {
  /** Whether pools with different allocatable resources are in different classes. @default false */
  readonly byAllocatable?: boolean;
}

/** Groups the pools of a list by node class. Memoized per list. */
export function groupNodesByClass(
  pools: readonly NodePool[],
  cache: PlanCache,
  { byAllocatable = false }: NodeClassOptions = {},
): NodeClasses {
  return cache.derive(pools, byAllocatable ? groupByTraitsAndAllocatable : groupByTraits);
}
