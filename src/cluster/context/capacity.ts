import type { Amounts } from '../../core/values/quantity';

/** A taint, which excludes pods from a node unless they tolerate it. */
export interface Taint {
  readonly key: string;
  /** @default '' */
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'NoExecute' | 'PreferNoSchedule';
}

/** What the scheduler reads of a node to decide which pods can run there, apart from capacity. */
export interface NodeTraits {
  /** Labels. Unset if they are not known, and then every pod can run there. */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly taints?: readonly Taint[];
  /** Name of a Node of the cluster. Set if all labels are known. */
  readonly nodeName?: string;
  /** Whether it is a Node of the cluster that is not ready now. @default false */
  readonly isDown?: boolean;
}

/** Nodes with the same traits and allocatable resources. */
export interface NodePool extends NodeTraits {
  readonly name: string;
  /** Number of nodes, from 0. */
  readonly count: number;
  /** Allocatable resources of one node. CPU, memory, storage and pods are unlimited if unset. Any other unset resource is not available. */
  readonly allocatable: Amounts;
}

/** What a cluster has for the workloads of a plan. Every given part applies. Unlisted resources are not limited. */
export interface Capacity {
  /** Amounts in total, including the running pods. */
  readonly total: Amounts;
  /** Amounts in addition to the running pods. */
  readonly free: Amounts;
  /** Node pools. A pod must fit on one of their nodes. */
  readonly nodePools: readonly NodePool[];
}
