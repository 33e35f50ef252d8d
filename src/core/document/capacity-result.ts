/**
 * Whether pods fit. `fits`: the peak fits. `may-not-fit`: the peak fits by everything that is checked, but the pods have constraints that
 * are not checked. `slower`: the rollout creates fewer pods at once than planned and finishes. `deadlocks`: it never finishes.
 * For pods that an apply adds without a rollout, `deadlocks` means that some of them never fit, and `slower` that some wait until others
 * are gone.
 */
export type CapacityVerdict = 'fits' | 'may-not-fit' | 'slower' | 'deadlocks';

/**
 * Fields of every shortage: `limit` allows `available` of a resource, but the peak requires `needed`. Amounts are Kubernetes quantities.
 */
export interface BaseShortage {
  /** Name of the limit for people: `ResourceQuota "gpus"`, `capacity`, `node pools`, `any one node`. */
  readonly limit: string;
  /** Name of the resource: `nvidia.com/gpu`, `nodes` or `pods`; for a node also `labels` or `taints`; `domains` for minDomains. */
  readonly resource: string;
  /** Required amount; if labels or taints keep pods off the nodes, those labels or taints. */
  readonly needed: string;
  /** Available amount; `none` if labels or taints keep pods off the nodes. */
  readonly available: string;
}

/** A ResourceQuota that has too little left, or that refuses every new pod. */
export interface QuotaShortage extends BaseShortage {
  readonly kind: 'quota';
  /** Reason why it admits no new pod, whatever it has left; absent if only the resource is insufficient. */
  readonly refusal?: string;
}

/** A given capacity that is too small for all pods together. */
export interface CapacityShortage extends BaseShortage {
  readonly kind: 'capacity';
}

/** Nodes that together can run too few pods. */
export interface NodesShortage extends BaseShortage {
  readonly kind: 'nodes';
  readonly resource: 'pods';
}

/** Pods that each need a node of their own, with too few nodes. */
export interface OwnNodesShortage extends BaseShortage {
  readonly kind: 'own-nodes';
  readonly resource: 'nodes';
}

/** A lack of a single node with enough of a resource left for one more pod. */
export interface OneNodeShortage extends BaseShortage {
  readonly kind: 'one-node';
  /** Whether the pod cannot be scheduled on some nodes at all. */
  readonly excludesNodes: boolean;
}

/** A lack of nodes with the labels that a pod requires. */
export interface LabelShortage extends BaseShortage {
  readonly kind: 'labels';
  readonly resource: 'labels';
}

/** A lack of nodes without untolerated taints: every node whose labels match has a taint that the pod does not tolerate. */
export interface TaintShortage extends BaseShortage {
  readonly kind: 'taints';
  readonly resource: 'taints';
}

/** A spread constraint with fewer domains than its minDomains: no domain gets more pods than its maxSkew. The limit is its topologyKey. */
export interface DomainShortage extends BaseShortage {
  readonly kind: 'domains';
  readonly resource: 'domains';
}

/** Any kind of shortage. */
export type Shortage =
  | QuotaShortage
  | CapacityShortage
  | NodesShortage
  | OwnNodesShortage
  | OneNodeShortage
  | LabelShortage
  | TaintShortage
  | DomainShortage;

/** Nodes of a pool that must be added. */
export interface MoreNodes {
  /** Name of the pool. */
  readonly pool: string;
  /** Number of nodes, at least 1. */
  readonly nodes: number;
}

/** Whether the pods of a rollout fit into quotas and capacity, while the pods of the other rollouts stay as they are. */
export interface CapacityResult {
  /** Whether the rollout finishes, and as planned. */
  readonly verdict: CapacityVerdict;
  /** Maximum number of pods at once, if all fit. */
  readonly peakPods: number;
  /** Pods that fit at once, at most `peakPods`. */
  readonly podsThatFit: number;
  /**
   * Pods that fit if they are scheduled before everything else that the apply adds, if the apply adds more than fits; absent if that is not
   * more than `podsThatFit`.
   */
  readonly mostPodsThatFit?: number;
  /**
   * Reasons why the verdict is uncertain: fields of pod constraints that are not checked, such as `topologySpreadConstraints`, or
   * `pods of other units`. Absent if there are none, or if the pods do not fit anyway.
   */
  readonly because?: readonly string[];
  /** Fewest new pods that run in the end, whichever nodes the scheduler chooses; absent if all of them run. */
  readonly newPodsAtLeast?: number;
  /** Most new pods that run in the end; absent if all of them run. */
  readonly newPodsAtMost?: number;
  /** Pods on the nodes that are not planned, by owner: `2 pods of RayCluster train/rc`; absent if there are none, or if everything fits. */
  readonly usedBy?: readonly string[];
  /** Limit that is reached first; absent if everything fits. */
  readonly shortage?: Shortage;
  /** Wave at which the rollout deadlocks (for a StatefulSet the batch, for a RayService the row), counted from 1. */
  readonly deadlockWave?: number;
  /** Number of waves that create a pod, if the lack of capacity makes them more. */
  readonly iterations?: number;
  /** Whether the rows of the simulation are those with enough capacity, although there is less; absent if they are those that happen. */
  readonly hasUnlimitedRows?: true;
  /** Additional nodes with which the peak fits; absent if nodes do not help or are not known. */
  readonly moreNodes?: MoreNodes;
  /** Verdict in one sentence. */
  readonly message: string;
}
