import type { PlanCache } from '../../core/plan-cache';
import { traitOf } from './node-affinity';
import type { NodePool } from './node-pools';
import { TaintIndex } from './taint-index';

/** Pools whose nodes have the same taints and conditions, and the same values of the labels that tell few of them apart. */
export interface NodeClass {
  /** Their places in the list of pools, in order. */
  readonly places: readonly number[];
  /** Nodes of all of them. */
  readonly nodes: number;
}

/** The pools of a list by make. */
export interface NodeClasses {
  readonly byIndex: readonly NodeClass[];
  readonly all: readonly NodeClass[];
  readonly byTaint: TaintIndex<NodeClass>;
  /** The labels of which all nodes of a make have the same value, or none. */
  readonly commonLabels: ReadonlySet<string>;
}

/** Makes that labels may come to. What would come to more is looked up node by node, so that each set of pods is asked of few makes. */
const MAX_NODE_CLASSES = 256;

/** Pools that a make stands for on average at least, for else as many makes are asked as pools. */
const MIN_POOLS_PER_CLASS = 4;

/** A label is common where at least every 16th pool has it, so that all common ones are gone through as fast as all labels. */
const COMMON_LABEL_DIVISOR = 16;

type PoolIndexes = readonly number[];

function splitByKey(indexes: PoolIndexes, keyOf: (poolIndex: number) => string): PoolIndexes[] {
  const byKey = new Map<string, number[]>();
  for (const poolIndex of indexes) {
    const key = keyOf(poolIndex);
    const known = byKey.get(key);
    if (known) known.push(poolIndex);
    else byKey.set(key, [poolIndex]);
  }
  return [...byKey.values()];
}

/** The value of a label as text, another one where there is none, and where that is not known. */
function formatTraitKey(pool: NodePool, key: string): string {
  const trait = traitOf(pool, key);
  return trait === undefined ? '?' : JSON.stringify(trait);
}

/** The labels that many pools have with few values, those with fewest values first. */
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

function formatAllocatableKey({ allocatable }: NodePool): string {
  return JSON.stringify([...allocatable].map(([resource, amount]) => `${resource}=${amount}`).toSorted());
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

const classesByTraits = () => new WeakMap<readonly NodePool[], NodeClasses>();
const classesByTraitsAndAllocatable = () => new WeakMap<readonly NodePool[], NodeClasses>();

/** How pools are told apart. */
export interface NodeClassOptions {
  /** Are those that differ in what they have of a resource? @default false */
  readonly byAllocatable?: boolean;
}

/** The pools of a list by make, made once for each list. */
export function groupNodesByClass(
  pools: readonly NodePool[],
  cache: PlanCache,
  { byAllocatable = false }: NodeClassOptions = {},
): NodeClasses {
  const known = cache.getOrCreate(byAllocatable ? classesByTraitsAndAllocatable : classesByTraits);
  const keyOf = byAllocatable ? (pool: NodePool) => formatTraitsKey(pool) + formatAllocatableKey(pool) : formatTraitsKey;
  const classes = known.get(pools) ?? buildNodeClasses(pools, keyOf);
  known.set(pools, classes);
  return classes;
}
