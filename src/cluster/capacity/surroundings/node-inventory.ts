import { groupBy } from '../../../core/collections/group-by';
import { BoundedMemo, memoize } from '../../../core/collections/memoize';
import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import type { Amounts } from '../../../core/values/quantity';
import { findEligibleIndexes } from '../nodes/eligible-nodes';
import { canRunOn, findUntoleratedTaint, hasLabels, nodeRulesOf, traitOf, mayBeTaintedLater, mayStayOn } from '../nodes/node-affinity';
import type { Revision } from '../nodes/node-affinity';
import type { NodePool } from '../../context/capacity';
import type { NodeGroup } from '../nodes/placement';

const HOSTNAME = 'kubernetes.io/hostname';

/** Nodes as the row of a rollout leaves them. */
export type RowNodes = readonly NodeGroup[];

/** Domains of nodes for a topology key. */
export interface Topology {
  /** Domain by node, -1 for nodes without the label. */
  readonly domainOf: readonly number[];
  readonly domains: number;
  /** Whether each domain has one node, so that a constraint concerns pods of the same node only. */
  readonly isPerNode: boolean;
}

/** Nodes that a spread constraint counts. */
export interface CountedNodes {
  readonly isCounted: readonly boolean[];
  /** Whether a domain exists, by domain. */
  readonly exists: readonly boolean[];
}

/** Nodes that may accept pods, by index and by class. */
export interface EligibleNodes {
  readonly indexes: ReadonlySet<number>;
  readonly byClass: ReadonlyMap<number, readonly number[]>;
}

/** What a spread constraint says about the nodes to count. */
export interface NodeInclusion {
  /** The topology key of the constraint. */
  readonly topologyKey: string;
  /** The keys of all hard constraints of the pod. */
  readonly topologyKeys: readonly string[];
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
}

/** The nodes of a plan, with what rollouts share: domains, and classes of nodes with equal free resources. */
export class NodeInventory {
  /** Class by node. All nodes of a class have the same free resources. */
  readonly classOf: readonly number[];
  /** Free resources by class. */
  readonly classes: readonly Amounts[];
  private readonly pools: readonly NodePool[];
  private readonly indexes = new Map<string, number>();
  private readonly topologies = new Map<string, Topology | undefined>();
  private readonly eligible = new BoundedMemo<EligibleNodes>();
  /** Returns the nodes with a taint that a user may have added. */
  private readonly tainted = memoize(() => [...this.pools.keys()].filter((index) => mayBeTaintedLater(this.pools[index]!)));

  constructor(
    readonly nodes: readonly NodeGroup[],
    private readonly cache: PlanCache,
  ) {
    this.pools = nodes.map(({ pool }) => pool);
    const byKey = new Map<string, number>();
    const classes: Amounts[] = [];
    this.classOf = nodes.map(({ pool, free }, index) => {
      if (pool.nodeName !== undefined) this.indexes.set(pool.nodeName, index);
      let key = '';
      for (const [resource, amount] of free) key += `${resource}=${amount} `;
      const known = byKey.get(key);
      if (known !== undefined) return known;
      byKey.set(key, classes.length);
      return classes.push(free) - 1;
    });
    this.classes = classes;
  }

  /** Returns the index of the node with a name. */
  indexOf(nodeName: string): number | undefined {
    return this.indexes.get(nodeName);
  }

  /** Returns the domains of all nodes. Returns undefined if the labels of a node are not known. */
  topologyOf(key: string): Topology | undefined {
    if (this.topologies.has(key)) return this.topologies.get(key);
    const topology = this.buildTopology(key);
    this.topologies.set(key, topology);
    return topology;
  }

  private buildTopology(key: string): Topology | undefined {
    const values = new Map<string, number>();
    let isPerNode = true;
    const domainOf: number[] = [];
    for (const [index, { pool, count }] of this.nodes.entries()) {
      const own = traitOf(pool, key);
      // Every node of a pool has its own host name.
      const isHost = own === undefined && key === HOSTNAME;
      const value = isHost ? `#${index}` : own;
      if (value === undefined) return undefined;
      if (value === null) {
        domainOf.push(-1);
        continue;
      }
      const known = values.get(value);
      if (known !== undefined || (count > 1 && !isHost)) isPerNode = false;
      domainOf.push(known ?? values.size);
      if (known === undefined) values.set(value, values.size);
    }
    return { domainOf, domains: values.size, isPerNode };
  }

  /** Returns the nodes that a spread constraint counts, and the domains that exist. */
  countedNodes(inclusion: NodeInclusion, podSet: PodSet): CountedNodes {
    const { topologyKey, topologyKeys, honorsAffinity, honorsTaints } = inclusion;
    const rules = nodeRulesOf(podSet, this.cache);
    const topologies = topologyKeys.map((each) => this.topologyOf(each)!);
    const { domainOf, domains } = this.topologyOf(topologyKey)!;
    const exists = Array.from({ length: domains }, () => false);
    const isCounted = this.pools.map((pool, index) => {
      const isIncluded =
        topologies.every((topology) => topology.domainOf[index]! >= 0) &&
        (!honorsAffinity || hasLabels(rules, pool)) &&
        (!honorsTaints || findUntoleratedTaint(rules, pool) === undefined);
      if (isIncluded) exists[domainOf[index]!] = true;
      return isIncluded;
    });
    return { isCounted, exists };
  }

  /** Returns the nodes that may accept the pods of a set. */
  eligibleNodes(podSet: PodSet, revision: Revision): EligibleNodes {
    return this.eligible.getOrCompute(`${revision} ${nodeRulesOf(podSet, this.cache).key}`, () => {
      const indexes = findEligibleIndexes(podSet, this.pools, revision, this.cache).filter(
        (index) => revision === 'old' || this.pools[index]!.isDown !== true,
      );
      return { indexes: new Set(indexes), byClass: groupBy(indexes, (index) => this.classOf[index]!) };
    });
  }

  /**
   * Reports whether pods of a set may have run on a node before a taint was added that keeps others of them off now. The nodes that
   * `eligibleNodes` returns for old pods accept them now.
   */
  mayBeTaintedLater(index: number, podSet: PodSet): boolean {
    const pool = this.pools[index]!;
    return mayStayOn(podSet, pool, this.cache) && !canRunOn(podSet, pool, 'old', this.cache);
  }

  /** Lists the nodes on which pods of a set may have run before a taint was added that keeps others of them off now. */
  *listTaintedLater(podSet: PodSet): Generator<number> {
    for (const index of this.tainted()) if (this.mayBeTaintedLater(index, podSet)) yield index;
  }
}
